/* SPDX-License-Identifier: MIT */
/* How often each of some ids is there, in memory as much as there are ids. */
#include "counts.h"

#include <stdlib.h>

enum { FIRST_BITS = 7 };

void
counts_free(struct counts *c)
{
	free(c->ids);
	free(c->times);
	free(c->slots);
	*c = (struct counts){0};
}

/* Where an id's search begins: the upper bits of a product (Knuth). */
static size_t
home(const struct counts *c, uint32_t id)
{
	return (id * UINT32_C(0x9e3779b1)) >> (32 - c->bits);
}

static size_t
next(const struct counts *c, size_t slot)
{
	return (slot + 1) & (((size_t)1 << c->bits) - 1);
}

/* The slot that leads to the id, or the free one where it would be. */
static size_t
find(const struct counts *c, uint32_t id)
{
	size_t slot = home(c, id);

	while (c->slots[slot] != 0 && c->ids[c->slots[slot] - 1] != id)
		slot = next(c, slot);
	return slot;
}

/*
 * There are no more ids than 2^31, which 32 bits have room for.  What a size_t
 * can't tell calloc() refuses: the slots are more than both of the others.
 */
bool
counts_make_room(struct counts *c)
{
	struct counts larger = {.bits = c->room > 0 ? c->bits + 1 : FIRST_BITS};

	if (c->size < c->room)
		return true;
	larger.room = (size_t)1 << (larger.bits - 1);
	larger.ids = malloc(larger.room * sizeof(uint32_t));
	larger.times = malloc(larger.room * sizeof(uint32_t));
	larger.slots = calloc(2 * larger.room, sizeof(uint32_t));
	if (larger.ids == NULL || larger.times == NULL ||
	    larger.slots == NULL) {
		counts_free(&larger);
		return false;
	}
	for (size_t i = 0; i < c->size; i++)
		counts_add(&larger, c->ids[i], c->times[i]);
	counts_free(c);
	*c = larger;
	return true;
}

void
counts_add(struct counts *c, uint32_t id, uint32_t times)
{
	size_t slot = find(c, id);
	uint32_t *now;

	if (c->slots[slot] == 0) {
		c->ids[c->size] = id;
		c->times[c->size] = 0;
		c->slots[slot] = (uint32_t)++c->size;
	}
	now = &c->times[c->slots[slot] - 1];
	*now = times < UINT32_MAX - *now ? *now + times : UINT32_MAX;
}

/* Free a slot, and let those behind that had to pass it move up. */
static void
free_slot(struct counts *c, size_t hole)
{
	size_t mask = ((size_t)1 << c->bits) - 1, from;

	for (size_t slot = next(c, hole); c->slots[slot] != 0;
	     slot = next(c, slot)) {
		from = home(c, c->ids[c->slots[slot] - 1]);
		if (((slot - from) & mask) < ((slot - hole) & mask))
			continue;
		c->slots[hole] = c->slots[slot];
		hole = slot;
	}
	c->slots[hole] = 0;
}

void
counts_drop(struct counts *c, uint32_t id)
{
	size_t slot = find(c, id), place = c->slots[slot] - 1, last;

	if (--c->times[place] > 0)
		return;
	last = c->size - 1;
	c->slots[find(c, c->ids[last])] = (uint32_t)place + 1;
	c->ids[place] = c->ids[last];
	c->times[place] = c->times[last];
	c->size = last;
	free_slot(c, slot);
}

uint32_t
counts_of(const struct counts *c, uint32_t id)
{
	uint32_t place = c->size > 0 ? c->slots[find(c, id)] : 0;

	return place > 0 ? c->times[place - 1] : 0;
}
