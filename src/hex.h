/* SPDX-License-Identifier: MIT */
/* Hexadecimal digits out of texts, whatever the locale. */
#ifndef TOKPICK_HEX_H
#define TOKPICK_HEX_H

/* What a digit stands for, upper case or lower, or -1 for another byte. */
static inline int
hex_value(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return -1;
}

/*
 * The byte that two digits stand for, or -1.  The second is looked at only
 * behind a good first, so that a NUL may end the text there.
 */
static inline int
hex_byte(const char *digits)
{
	int high = hex_value(digits[0]);
	int low = high >= 0 ? hex_value(digits[1]) : -1;

	return low >= 0 ? 16 * high + low : -1;
}

#endif
