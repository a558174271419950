/* SPDX-License-Identifier: MIT */
/* The text of a grammar, piece by piece, and where in it something is wrong. */
#include "scan.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "../hex.h"
#include "../utf8.h"

void
scan_place(
    const struct scan *s, const char *place, size_t *line, size_t *column)
{
	*line = *column = 1;
	for (const char *c = s->text; c < place; c++) {
		if (*c == '\n' ||
		    (*c == '\r' && (c + 1 == s->end || c[1] != '\n'))) {
			++*line;
			*column = 1;
		} else if (((unsigned char)*c & 0xc0) != 0x80) {
			++*column;
		}
	}
}

bool
scan_fail(const struct scan *s, const char *place, const char *format, ...)
{
	char text[sizeof(s->err->text)];
	size_t line, column;
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	scan_place(s, place, &line, &column);
	return error_set(s->err, STATUS_USAGE, "%s: line %zu, column %zu: %s",
	    s->where, line, column, text);
}

char
scan_peek(const struct scan *s, size_t n)
{
	return n < (size_t)(s->end - s->at) ? s->at[n] : '\0';
}

bool
scan_at_line_end(const struct scan *s)
{
	return s->at == s->end || *s->at == '\n' || *s->at == '\r';
}

void
scan_space(struct scan *s, bool lines)
{
	for (; s->at < s->end; s->at++) {
		if (*s->at == '#')
			while (!scan_at_line_end(s))
				s->at++;
		if (s->at == s->end || (scan_at_line_end(s) && !lines))
			return;
		if (strchr(" \t\r\n", *s->at) == NULL || *s->at == '\0')
			return;
	}
}

static bool
in_name(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	    (c >= '0' && c <= '9') || c == '-';
}

size_t
scan_name(const struct scan *s)
{
	size_t n = 0;

	while (in_name(scan_peek(s, n)))
		n++;
	return n;
}

static bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

bool
scan_number(struct scan *s, uint32_t *number)
{
	uint64_t value = 0;

	if (!is_digit(scan_peek(s, 0)))
		return scan_fail(s, s->at, "expecting a number");
	for (; is_digit(scan_peek(s, 0)); s->at++) {
		value = 10 * value + (uint64_t)(*s->at - '0');
		if (value > UINT32_MAX)
			value = UINT32_MAX;
	}
	*number = (uint32_t)value;
	return true;
}

/* Behind a backslash and its letter, from the backslash on. */
static bool
scan_code_point(struct scan *s, const char *escape, int digits, uint32_t *value)
{
	int digit;

	*value = 0;
	for (int i = 0; i < digits; i++) {
		digit = hex_value(scan_peek(s, (size_t)i));
		if (digit < 0)
			return scan_fail(s, s->at,
			    "expecting %d hexadecimal digits", digits);
		*value = *value << 4 | (uint32_t)digit;
	}
	s->at += digits;
	if (*value > 0x10ffff)
		return scan_fail(s, escape,
		    "no character has this number: the last is \\U0010FFFF");
	return true;
}

static bool
scan_escape(struct scan *s, uint32_t *character)
{
	static const char letters[] = "trn\\\"[]-", meant[] = "\t\r\n\\\"[]-";
	const char *escape = s->at++, *found;
	char letter = scan_peek(s, 0);

	found = letter == '\0' ? NULL : strchr(letters, letter);
	if (found != NULL) {
		s->at++;
		*character = (uint32_t)meant[found - letters];
		return true;
	}
	if (letter != 'x' && letter != 'u' && letter != 'U')
		return scan_fail(s, escape,
		    "a backslash begins none of \\xNN \\uNNNN \\UNNNNNNNN "
		    "\\t \\r \\n \\\\ \\\" \\[ \\] \\-");
	s->at++;
	return scan_code_point(s, escape,
	    letter == 'x'       ? 2
	        : letter == 'u' ? 4
	                        : 8,
	    character);
}

bool
scan_character(struct scan *s, uint32_t *character)
{
	static const unsigned char lead[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
	const unsigned char *from = (const unsigned char *)s->at;
	size_t length = utf8_length(from, (size_t)(s->end - s->at));

	if (length == 0)
		return scan_fail(s, s->at, "a byte that is not UTF-8");
	if (*s->at == '\\')
		return scan_escape(s, character);
	*character = from[0] & lead[length];
	for (size_t i = 1; i < length; i++)
		*character = *character << 6 | (from[i] & 0x3f);
	s->at += length;
	return true;
}
