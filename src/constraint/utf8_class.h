/* SPDX-License-Identifier: MIT */
/* Classes of characters as small automata over the bytes of UTF-8. */
#ifndef TOKPICK_UTF8_CLASS_H
#define TOKPICK_UTF8_CLASS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "intern.h"

/* From the first character to the last. */
struct utf8_range {
	uint32_t first, last;
};

/*
 * The automata of many classes, in one table: what a byte leads to from each
 * state.  Equal states are one, so equal classes begin in the same.
 */
struct utf8_classes {
	struct intern states;
	uint16_t full[4]; /* those after which any so many bytes may follow */
};

enum { UTF8_REFUSED = 0, UTF8_MATCHED = 1 };

/* No more states than that; each takes 512 bytes. */
enum { UTF8_STATES_MAX = 1 << 15 };

/*
 * The state in which a class begins that holds the characters of n ranges,
 * which are sorted and merged in place, or all others.
 *
 * Others means: as upstream decodes them.  The halves of surrogate pairs are
 * characters then, and so are the numbers past U+10FFFF that four bytes can
 * hold, the first from F0 to FF.  Overlong forms match nothing.  A byte
 * is refused as soon as no character of the class goes on with it.
 *
 * False if there is no memory or there are too many states.
 */
bool utf8_class_add(struct utf8_classes *, struct utf8_range *, size_t n,
    bool others, uint16_t *start);

/* UTF8_REFUSED, UTF8_MATCHED, or the state in the middle of a character. */
static inline uint16_t
utf8_class_step(
    const struct utf8_classes *classes, uint16_t state, unsigned char byte)
{
	size_t n;
	const uint16_t *row = intern_get(&classes->states, state, &n);

	return row[byte];
}

void utf8_classes_free(struct utf8_classes *);

#endif
