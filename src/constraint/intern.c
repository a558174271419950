/* SPDX-License-Identifier: MIT */
/* A set of byte strings, numbered from 0 in the order in which they came. */
#include "intern.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "../array.h"

struct intern_entry {
	size_t start, length;
	uint32_t hash;
};

/* Where strings lie is decided by it, which number they have is not. */
static uint32_t
hash_of(const unsigned char *from, size_t n)
{
	uint64_t hash = n, word;
	size_t taken;

	while (n > 0) {
		taken = n < sizeof(word) ? n : sizeof(word);
		word = 0;
		memcpy(&word, from, taken);
		hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
		hash ^= hash >> 32;
		from += taken;
		n -= taken;
	}
	return (uint32_t)hash;
}

/* The slot of this string, or the free one where it belongs. */
static size_t
find(const struct intern *set, const void *string, size_t n, uint32_t hash)
{
	const struct intern_entry *e;
	size_t slot = hash & (set->slots_room - 1);

	for (; set->slots[slot] != 0;
	     slot = (slot + 1) & (set->slots_room - 1)) {
		e = &set->entries[set->slots[slot] - 1];
		if (e->hash == hash && e->length == n &&
		    memcmp(set->bytes + e->start, string, n) == 0)
			break;
	}
	return slot;
}

/* Double the slots; all strings take their places in order again. */
static bool
spread(struct intern *set)
{
	size_t room = set->slots_room == 0 ? 16 : 2 * set->slots_room, slot;
	uint32_t *slots = calloc(room, sizeof(*slots));

	if (slots == NULL)
		return false;
	free(set->slots);
	set->slots = slots;
	set->slots_room = room;
	for (size_t i = 0; i < set->count; i++) {
		slot = set->entries[i].hash & (room - 1);
		while (slots[slot] != 0)
			slot = (slot + 1) & (room - 1);
		slots[slot] = (uint32_t)i + 1;
	}
	return true;
}

static size_t
padded(size_t n)
{
	return (n + 7) / 8 * 8;
}

static bool
make_room(struct intern *set, size_t n)
{
	if (2 * (set->count + 1) > set->slots_room && !spread(set))
		return false;
	/* One more: of empty strings there is an address, too. */
	return array_room(&set->entries, &set->entries_room, set->count + 1,
	           sizeof(*set->entries)) &&
	    array_room(&set->bytes, &set->room, set->used + padded(n) + 1, 1);
}

uint32_t
intern_add(struct intern *set, const void *string, size_t n)
{
	uint32_t hash = hash_of(string, n);
	size_t slot;

	if (set->count > 0) {
		slot = find(set, string, n, hash);
		if (set->slots[slot] != 0)
			return set->slots[slot] - 1;
	}
	if (!make_room(set, n))
		return INTERN_NONE;
	slot = find(set, string, n, hash);
	if (n > 0)
		memcpy(set->bytes + set->used, string, n);
	set->entries[set->count++] = (struct intern_entry){set->used, n, hash};
	set->slots[slot] = (uint32_t)set->count;
	set->used += padded(n);
	return (uint32_t)set->count - 1;
}

const void *
intern_get(const struct intern *set, uint32_t number, size_t *n)
{
	*n = set->entries[number].length;
	return set->bytes + set->entries[number].start;
}

size_t
intern_size(const struct intern *set)
{
	return set->used + set->count * sizeof(*set->entries) +
	    set->slots_room * sizeof(*set->slots);
}

/*
 * The last come is taken out first: none of those that stand between a
 * string's hash and its slot is gone by then, since they were there before.
 */
void
intern_clear(struct intern *set)
{
	size_t slot;

	for (; set->count > 0; set->count--) {
		slot = set->entries[set->count - 1].hash &
		    (set->slots_room - 1);
		while (set->slots[slot] != set->count)
			slot = (slot + 1) & (set->slots_room - 1);
		set->slots[slot] = 0;
	}
	set->used = 0;
}

void
intern_free(struct intern *set)
{
	free(set->bytes);
	free(set->entries);
	free(set->slots);
	*set = (struct intern){0};
}
