/* SPDX-License-Identifier: MIT */
/* UTF-8: where one well-formed character ends. */
#ifndef TOKPICK_UTF8_H
#define TOKPICK_UTF8_H

#include <stddef.h>

/*
 * The length in bytes (1 to 4) of the well-formed UTF-8 character that text
 * starts with, or 0 if it starts with none.  n bytes may be read.  Follows
 * RFC 3629: no overlong forms, no surrogates, nothing past U+10FFFF.
 */
size_t utf8_length(const unsigned char *text, size_t n);

#endif
