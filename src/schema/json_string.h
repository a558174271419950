/* SPDX-License-Identifier: MIT */
/* The inside of a JSON string, as UTF-8. */
#ifndef TOKPICK_JSON_STRING_H
#define TOKPICK_JSON_STRING_H

#include <stddef.h>

/*
 * Decode one character of a string, an escape or not, from *at on, which is
 * moved behind it; end is behind the text, and *at before it.  Its UTF-8 is
 * added at *to, which moves too: never more bytes than were read.  NULL, or
 * what is wrong, with *at where.
 */
const char *json_string_step(const char **at, const char *end, char **to);

#endif
