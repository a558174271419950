/* SPDX-License-Identifier: MIT */
/* UTF-8: where one well-formed character ends. */
#include "utf8.h"

#include <stdbool.h>

static bool
tail(unsigned char c)
{
	return (c & 0xc0) == 0x80;
}

/* The second byte has a narrower range after these four leads. */
static bool
second_fits(unsigned char lead, unsigned char c)
{
	switch (lead) {
	case 0xe0:
		return c >= 0xa0;
	case 0xed:
		return c <= 0x9f;
	case 0xf0:
		return c >= 0x90;
	case 0xf4:
		return c <= 0x8f;
	default:
		return true;
	}
}

size_t
utf8_length(const unsigned char *text, size_t n)
{
	size_t i, length;

	if (n == 0)
		return 0;
	if (text[0] < 0x80)
		return 1;
	if (text[0] < 0xc2 || text[0] > 0xf4)
		return 0;
	length = text[0] < 0xe0 ? 2 : text[0] < 0xf0 ? 3 : 4;
	if (n < length || !second_fits(text[0], text[1]))
		return 0;
	for (i = 1; i < length; i++)
		if (!tail(text[i]))
			return 0;
	return length;
}
