/* SPDX-License-Identifier: MIT */
/* A piece on one line, between quotes, cut to a width. */
#include "excerpt.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "../message.h"
#include "../utf8.h"
#include "width.h"

/* One character as it is shown. */
struct glyph {
	char text[16];
	size_t size, columns;
	size_t taken; /* bytes of the piece that it stands for */
};

/* A character of more than one byte. */
static uint32_t
decode(const unsigned char *text, size_t length)
{
	uint32_t character = text[0] & (0xffU >> (length + 1));

	for (size_t i = 1; i < length; i++)
		character = character << 6 | (text[i] & 0x3fU);
	return character;
}

static struct glyph printed(size_t taken, const char *format, ...)
    MESSAGE_FORMAT(2, 3);

static struct glyph
printed(size_t taken, const char *format, ...)
{
	struct glyph g = {.taken = taken};
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(g.text, sizeof(g.text), format, arguments);
	va_end(arguments);
	g.size = g.columns = strlen(g.text);
	return g;
}

static struct glyph
ascii_glyph(unsigned char c)
{
	switch (c) {
	case '\n':
		return printed(1, "\\n");
	case '\r':
		return printed(1, "\\r");
	case '\t':
		return printed(1, "\\t");
	case '"':
	case '\\':
		return printed(1, "\\%c", c);
	default:
		if (c < 0x20 || c == 0x7f)
			return printed(1, "\\x%02x", c);
		return printed(1, "%c", c);
	}
}

/* The glyph that n > 0 bytes begin with; first: nothing stands before it. */
static struct glyph
next_glyph(const unsigned char *at, size_t n, bool first, bool unicode)
{
	size_t length = utf8_length(at, n);
	struct glyph g = {.taken = length};
	uint32_t character;
	int width;

	if (*at < 0x80)
		return ascii_glyph(*at);
	if (length == 0 || !unicode)
		return printed(1, "\\x%02x", *at);
	character = decode(at, length);
	width = width_of(character);
	if (width < 0 || (width == 0 && first))
		return printed(length, "\\u{%x}", (unsigned)character);
	memcpy(g.text, at, length);
	g.size = length;
	g.columns = (size_t)width;
	return g;
}

static void
add(struct excerpt *e, const char *text, size_t size, size_t columns)
{
	memcpy(e->text + e->size, text, size);
	e->size += size;
	e->columns += columns;
}

void
excerpt_make(
    struct excerpt *e, const char *bytes, size_t n, size_t width, bool unicode)
{
	const unsigned char *at = (const unsigned char *)bytes;
	const char *ellipsis = unicode ? "\xe2\x80\xa6" : "~";
	size_t last = strlen(ellipsis);
	bool first = true;
	struct glyph g;

	e->size = e->columns = 0;
	add(e, "\"", 1, 1);
	for (; n > 0; at += g.taken, n -= g.taken, first = false) {
		g = next_glyph(at, n, first, unicode);
		/* A column stays for the quote or the ellipsis. */
		if (e->columns + g.columns >= width ||
		    e->size + g.size + last > EXCERPT) {
			add(e, ellipsis, last, 1);
			return;
		}
		add(e, g.text, g.size, g.columns);
	}
	add(e, "\"", 1, 1);
}
