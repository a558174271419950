/* SPDX-License-Identifier: MIT */
/* The text of a grammar, piece by piece, and where in it something is wrong. */
#ifndef TOKPICK_SCAN_H
#define TOKPICK_SCAN_H

#include <stddef.h>
#include <stdint.h>

#include "../message.h"

struct scan {
	const char *text, *end, *at;
	const char *where; /* begins each message */
	struct error *err;
};

/* Line and column of a place in the text, in characters, both from 1. */
void scan_place(
    const struct scan *, const char *place, size_t *line, size_t *column);

/* What is wrong at that place; returns false. */
bool scan_fail(const struct scan *, const char *place, const char *, ...)
    MESSAGE_FORMAT(3, 4);

/* The byte n further on, 0 behind the end. */
char scan_peek(const struct scan *, size_t n);

/* Past blanks and comments, and past line ends if told so. */
void scan_space(struct scan *, bool lines);

bool scan_at_line_end(const struct scan *);

/* How long the name of a rule is that begins here: 0 if none does. */
size_t scan_name(const struct scan *);

/* How much of a name or text of n bytes a message shows, for %.*s. */
static inline int
scan_shown(size_t n)
{
	return n < 64 ? (int)n : 64;
}

/* A decimal number; one that is too large is UINT32_MAX. */
bool scan_number(struct scan *, uint32_t *);

/* A character of a literal or class, or what its escape stands for. */
bool scan_character(struct scan *, uint32_t *);

#endif
