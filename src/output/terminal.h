/* SPDX-License-Identifier: MIT */
/* What a table is drawn for. */
#ifndef TOKPICK_TERMINAL_H
#define TOKPICK_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>

struct terminal {
	size_t width; /* columns in a line */
	bool unicode; /* shows UTF-8 */
	bool colour;  /* understands SGR escape sequences, and may have them */
};

/*
 * What is known of a descriptor.  The width is COLUMNS if that is set, else
 * the terminal's, else 80.  Unicode goes by the name of the locale: the
 * first of LC_ALL, LC_CTYPE and LANG that is set, read as it stands since
 * setlocale() would change how numbers are written.  Colour is for
 * terminals, unless TERM is dumb or NO_COLOR is set.
 */
struct terminal terminal_look(int fd);

#endif
