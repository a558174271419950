/* SPDX-License-Identifier: MIT */
/* A piece on one line, between quotes, cut to a width. */
#ifndef TOKPICK_EXCERPT_H
#define TOKPICK_EXCERPT_H

#include <stdbool.h>
#include <stddef.h>

/* Room for any; marks take no column but bytes, so a pile of them is cut. */
enum { EXCERPT = 256 };

struct excerpt {
	char text[EXCERPT];
	size_t size;    /* bytes in the text, which nothing ends */
	size_t columns; /* that it takes on a terminal, at most the width */
};

/*
 * Quotes and backslashes get a backslash before them; newline, return and
 * tab are \n, \r and \t; other controls and bytes that are not UTF-8 are
 * \xNN; characters that can't be seen, and a mark with nothing before it to
 * join, are \u{...}.  Without unicode so is every byte above ASCII, as \xNN.
 * What does not fit is cut off, and an ellipsis (~ without unicode) stands
 * in place of the quote that ends it.  width is at least 2.
 */
void excerpt_make(
    struct excerpt *, const char *bytes, size_t n, size_t width, bool unicode);

#endif
