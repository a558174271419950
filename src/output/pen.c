/* SPDX-License-Identifier: MIT */
/* Lines of columns, for a terminal. */
#include "pen.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { INDENT = 2 };

void
pen_begin(struct pen *p, struct buffer *buffer, struct terminal terminal,
    struct error *err)
{
	*p = (struct pen){.buffer = buffer, .error = err, .terminal = terminal};
}

bool
pen_end(const struct pen *p)
{
	return !p->failed;
}

static void
put(struct pen *p, const char *bytes, size_t n)
{
	if (!p->failed && !buffer_add(p->buffer, bytes, n, p->error))
		p->failed = true;
}

void
pen_style(struct pen *p, enum style style)
{
	static const char *const sequences[] = {
	    [STYLE_PLAIN] = "\033[0m",
	    [STYLE_BOLD] = "\033[1m",
	    [STYLE_DIM] = "\033[2m",
	    [STYLE_BAR] = "\033[36m",
	};

	if (!p->terminal.colour || style == p->style)
		return;
	if (p->style != STYLE_PLAIN)
		put(p, sequences[STYLE_PLAIN], strlen(sequences[STYLE_PLAIN]));
	if (style != STYLE_PLAIN)
		put(p, sequences[style], strlen(sequences[style]));
	p->style = style;
}

void
pen_text(struct pen *p, const char *bytes, size_t n, size_t columns)
{
	for (; p->blanks > 0; p->blanks--)
		put(p, " ", 1);
	put(p, bytes, n);
	p->column += columns;
}

void
pen_blanks(struct pen *p, size_t n)
{
	p->blanks += n;
	p->column += n;
}

void
pen_line(struct pen *p)
{
	pen_style(p, STYLE_PLAIN);
	put(p, "\n", 1);
	p->column = p->blanks = 0;
}

/* Text that is longer than its field pushes what follows. */
static size_t
filling(size_t length, size_t width)
{
	return length < width ? width - length : 0;
}

void
pen_left(struct pen *p, const char *text, size_t width)
{
	size_t length = strlen(text);

	if (length > 0)
		pen_text(p, text, length, length);
	pen_blanks(p, filling(length, width));
}

void
pen_right(struct pen *p, const char *text, size_t width)
{
	size_t length = strlen(text);

	pen_blanks(p, filling(length, width));
	if (length > 0)
		pen_text(p, text, length, length);
}

void
pen_word(struct pen *p, size_t blanks, const char *format, ...)
{
	char word[128];
	va_list arguments;
	size_t length;

	va_start(arguments, format);
	vsnprintf(word, sizeof(word), format, arguments);
	va_end(arguments);
	length = strlen(word);
	if (p->column > INDENT &&
	    p->column + blanks + length > p->terminal.width) {
		pen_line(p);
		blanks = INDENT;
	}
	pen_blanks(p, blanks);
	pen_text(p, word, length, length);
}

/* Blocks of one to eight eighths, U+258F to U+2588. */
static void
put_blocks(struct pen *p, size_t eighths)
{
	char block[] = "\xe2\x96\x88";

	for (; eighths >= 8; eighths -= 8)
		pen_text(p, block, 3, 1);
	block[2] = (char)(0x90 - eighths);
	if (eighths > 0)
		pen_text(p, block, 3, 1);
}

void
pen_bar(struct pen *p, double part, size_t width)
{
	size_t start = p->column;
	double length = (part < 1 ? part : 1) * (double)width;
	enum style before = p->style;

	pen_style(p, STYLE_BAR);
	if (p->terminal.unicode)
		put_blocks(p, (size_t)(length * 8 + 0.5));
	else
		for (size_t i = (size_t)(length + 0.5); i > 0; i--)
			pen_text(p, "#", 1, 1);
	pen_style(p, before);
	pen_blanks(p, width - (p->column - start));
}
