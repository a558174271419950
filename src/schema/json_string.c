/* SPDX-License-Identifier: MIT */
/* The inside of a JSON string, as UTF-8. */
#include "json_string.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "../hex.h"
#include "../utf8.h"

/* "uXXXX" at at: its value, or -1. */
static long
read_unit(const char *at, const char *end)
{
	long unit = 0;
	int digit;

	if (end - at < 5 || *at != 'u')
		return -1;
	for (int i = 1; i < 5; i++) {
		digit = hex_value(at[i]);
		if (digit < 0)
			return -1;
		unit = 16 * unit + digit;
	}
	return unit;
}

static void
put_utf8(char **to, long c)
{
	static const unsigned char lead[] = {0, 0, 0xc0, 0xe0, 0xf0};
	int length = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;

	for (int i = length - 1; i > 0; i--, c >>= 6)
		(*to)[i] = (char)(0x80 | (c & 0x3f));
	(*to)[0] = (char)(length == 1 ? c : (lead[length] | c));
	*to += length;
}

/* "uXXXX", and the one behind it where both make one character. */
static const char *
step_unicode(const char **at, const char *end, char **to)
{
	long c = read_unit(*at, end), low;

	if (c < 0)
		return "expecting four hexadecimal digits after \\u";
	if (c >= 0xdc00 && c < 0xe000)
		return "a low surrogate has no high one before it";
	if (c >= 0xd800 && c < 0xdc00) {
		low = end - *at > 6 && (*at)[5] == '\\'
		    ? read_unit(*at + 6, end)
		    : -1;
		if (low < 0xdc00 || low >= 0xe000)
			return "a high surrogate has no low one behind it";
		c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
		*at += 6;
	}
	*at += 5;
	put_utf8(to, c);
	return NULL;
}

static const char *
step_escape(const char **at, const char *end, char **to)
{
	static const char from[] = "\"\\/bfnrt", into[] = "\"\\/\b\f\n\r\t";
	const char *found = NULL;

	if (*at < end && **at == 'u')
		return step_unicode(at, end, to);
	if (*at < end && **at != '\0')
		found = strchr(from, **at);
	if (found == NULL)
		return "a backslash begins none of "
		       "\\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX";
	*(*to)++ = into[found - from];
	(*at)++;
	return NULL;
}

const char *
json_string_step(const char **at, const char *end, char **to)
{
	size_t length;

	if ((unsigned char)**at < 0x20)
		return "a control character in a string is written as an "
		       "escape";
	if (**at == '\\') {
		(*at)++;
		return step_escape(at, end, to);
	}
	length = utf8_length((const unsigned char *)*at, (size_t)(end - *at));
	if (length == 0)
		return "expecting UTF-8";
	memcpy(*to, *at, length);
	*at += length;
	*to += length;
	return NULL;
}
