/* SPDX-License-Identifier: MIT */
/* A set of byte strings, numbered from 0 in the order in which they came. */
#ifndef TOKPICK_INTERN_H
#define TOKPICK_INTERN_H

#include <stddef.h>
#include <stdint.h>

/* All zero is the empty set.  count may be read; the rest is intern.c's. */
struct intern {
	unsigned char *bytes; /* the strings, each from a multiple of 8 */
	size_t used, room;
	struct intern_entry *entries;
	size_t count, entries_room;
	uint32_t *slots; /* number + 1 by hash, 0 where there is none */
	size_t slots_room;
};

/* What no string's number is. */
#define INTERN_NONE UINT32_MAX

/*
 * The number of a string of n bytes, which is added if it is new: then it is
 * what count was before.  INTERN_NONE if there is no memory.  That there are
 * less than 2^32 is for the caller to see to.
 */
uint32_t intern_add(struct intern *, const void *string, size_t n);

/* The string with this number, aligned to 8, until the next is added. */
const void *intern_get(const struct intern *, uint32_t number, size_t *n);

/* How much is in use, in bytes. */
size_t intern_size(const struct intern *);

/* Empty it, in time that grows with what is in it; its memory stays. */
void intern_clear(struct intern *);

/* Give the memory back, which leaves the empty set. */
void intern_free(struct intern *);

#endif
