/* SPDX-License-Identifier: MIT */
/* Lines of columns, for a terminal. */
#ifndef TOKPICK_PEN_H
#define TOKPICK_PEN_H

#include "buffer.h"
#include "terminal.h"

enum style { STYLE_PLAIN, STYLE_BOLD, STYLE_DIM, STYLE_BAR };

/*
 * Knows in which column it stands, leaves no blanks at the ends of lines,
 * and remembers the first failure so that callers check once, at the end.
 */
struct pen {
	struct buffer *buffer;
	struct error *error;
	struct terminal terminal;
	size_t column; /* from 0, where the next character comes */
	size_t blanks; /* of those before it that are still to be written */
	enum style style;
	bool failed;
};

void pen_begin(struct pen *, struct buffer *, struct terminal, struct error *);
bool pen_end(const struct pen *); /* false if anything failed */

/* Only where the terminal has colour; lines end plain. */
void pen_style(struct pen *, enum style);

void pen_text(struct pen *, const char *bytes, size_t n, size_t columns);
void pen_blanks(struct pen *, size_t n);
void pen_line(struct pen *); /* the end of a line */

/* ASCII text in a field of that width, at its left or right end. */
void pen_left(struct pen *, const char *text, size_t width);
void pen_right(struct pen *, const char *text, size_t width);

/*
 * A word of running text, so many blanks behind the one before; where it
 * does not fit into the line it begins another, which is indented.
 */
void pen_word(struct pen *, size_t blanks, const char *, ...)
    MESSAGE_FORMAT(3, 4);

/* A bar over that part of the width, from 0; 1 and more are all of it. */
void pen_bar(struct pen *, double part, size_t width);

#endif
