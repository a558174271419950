/* SPDX-License-Identifier: MIT */
/* HTML text: ours as it stands, others' escaped. */
#include "html.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "../utf8.h"

/* Room for what one html_put() writes. */
enum { PUT_ROOM = 1024 };

static void
put(struct html *h, const char *bytes, size_t n)
{
	if (!h->failed && !buffer_add(h->buffer, bytes, n, h->error))
		h->failed = true;
}

void
html_put(struct html *h, const char *format, ...)
{
	char text[PUT_ROOM];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	put(h, text, strlen(text));
}

void
html_lines(struct html *h, const char *const lines[])
{
	for (; *lines != NULL; lines++) {
		put(h, *lines, strlen(*lines));
		put(h, "\n", 1);
	}
}

/* What stands for an ASCII character that can't stand for itself, or NULL. */
static const char *
entity(unsigned char c)
{
	switch (c) {
	case '&':
		return "&amp;";
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '"':
		return "&quot;";
	case '\'':
		return "&#39;";
	default:
		return NULL;
	}
}

/* C0 save newline and tab, DEL, and C1. */
static bool
is_control(const unsigned char *at, size_t length)
{
	return (*at < 0x20 && *at != '\n' && *at != '\t') || *at == 0x7f ||
	    (length == 2 && at[0] == 0xc2 && at[1] < 0xa0);
}

void
html_text(struct html *h, const char *bytes, size_t n)
{
	const unsigned char *at = (const unsigned char *)bytes;
	size_t length;

	for (; n > 0; at += length, n -= length) {
		length = utf8_length(at, n);
		if (length == 0 || is_control(at, length)) {
			length = 1;
			html_put(h, "\\x%02x", *at);
		} else if (length == 1 && entity(*at) != NULL) {
			html_put(h, "%s", entity(*at));
		} else {
			put(h, (const char *)at, length);
		}
	}
}

void
html_number(struct html *h, double value)
{
	if (value < 1000 && value != (double)(int)value)
		html_put(h, "%.3g", value);
	else
		html_put(h, "%.0f", value);
}
