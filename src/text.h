/* SPDX-License-Identifier: MIT */
/* A text that grows, up to a cap. */
#ifndef TOKPICK_TEXT_H
#define TOKPICK_TEXT_H

#include <stddef.h>

#include "message.h"

/* Bytes a text may have where its cap is 0. */
enum { TEXT_CAP = 8 << 20 };

/*
 * All zero is an empty text; behind its bytes stands a NUL.  The first failure
 * is remembered, so that callers look once, at the end.
 */
struct text {
	char *bytes; /* NULL until something is added; the owner's to free */
	size_t size;
	size_t room;
	size_t cap;
	bool full; /* it would have passed the cap */
	bool lost; /* memory ran out */
};

void text_add(struct text *, const char *bytes, size_t n);

/* printf(), cut where one call says more than 200 bytes. */
void text_print(struct text *, const char *, ...) MESSAGE_FORMAT(2, 3);

#endif
