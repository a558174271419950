/* SPDX-License-Identifier: MIT */
/* How often each of some ids is there, in memory as much as there are ids. */
#ifndef TOKPICK_COUNTS_H
#define TOKPICK_COUNTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The ids stand in a list, and a hash table, with linear probing and at most
 * half full, leads to their places in it.  All zero holds none.
 */
struct counts {
	uint32_t *ids;   /* [size], in no particular order */
	uint32_t *times; /* [size] how often each is there, at least once */
	size_t size, room;
	uint32_t *slots; /* [2 room] place in the list + 1, or 0 */
	unsigned bits;   /* there are 2^bits slots */
};

void counts_free(struct counts *);

/* Have room for one more id.  False if there is no memory. */
bool counts_make_room(struct counts *);

/* There it is so many times more, up to UINT32_MAX; there has to be room. */
void counts_add(struct counts *, uint32_t id, uint32_t times);

/* Once less; it has to be there. */
void counts_drop(struct counts *, uint32_t id);

uint32_t counts_of(const struct counts *, uint32_t id);

#endif
