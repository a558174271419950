/* SPDX-License-Identifier: MIT */
/* Classes of characters as small automata over the bytes of UTF-8. */
#include "utf8_class.h"

#include <stdlib.h>
#include <string.h>

/* The class that is being made. */
struct making {
	struct utf8_classes *classes;
	const struct utf8_range *ranges; /* sorted, none touches the next */
	size_t n;
	bool others;
};

static int
by_first(const void *a, const void *b)
{
	const struct utf8_range *x = a, *y = b;

	return (x->first > y->first) - (x->first < y->first);
}

/* Sort, and make one of those that overlap or touch; returns how many. */
static size_t
merge(struct utf8_range *ranges, size_t n)
{
	size_t kept = 0;

	if (n > 0)
		qsort(ranges, n, sizeof(*ranges), by_first);
	for (size_t i = 0; i < n; i++) {
		if (kept == 0 || ranges[i].first > ranges[kept - 1].last + 1)
			ranges[kept++] = ranges[i];
		else if (ranges[i].last > ranges[kept - 1].last)
			ranges[kept - 1].last = ranges[i].last;
	}
	return kept;
}

/* The range that holds this character or is the next behind it. */
static size_t
range_at(const struct making *m, uint32_t character)
{
	size_t low = 0, high = m->n, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (m->ranges[middle].last < character)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

enum cover { NONE, SOME, ALL };

/* How much of first..last the class holds. */
static enum cover
cover(const struct making *m, uint32_t first, uint32_t last)
{
	size_t i = range_at(m, first);
	enum cover listed = SOME;

	if (i == m->n || m->ranges[i].first > last)
		listed = NONE;
	else if (m->ranges[i].first <= first && m->ranges[i].last >= last)
		listed = ALL;
	return m->others ? (enum cover)(ALL - listed) : listed;
}

static bool
add_state(
    struct utf8_classes *classes, const uint16_t row[256], uint16_t *state)
{
	uint32_t number = intern_add(&classes->states, row, 256 * sizeof(*row));

	/* The last stays free, so that one over the limit is noticed. */
	if (number >= UTF8_STATES_MAX)
		return false;
	*state = (uint16_t)number;
	return true;
}

/*
 * The state in which left more bytes of a character follow, whose number is
 * from first on, and not below shortest: that would be an overlong form.
 */
static bool
follow(const struct making *m, uint32_t first, uint32_t shortest, int left,
    uint16_t *state)
{
	const uint32_t block = UINT32_C(1) << (6 * (left - 1));
	uint16_t row[256] = {0}, *full = &m->classes->full[left];
	const bool whole = first >= shortest &&
	    cover(m, first, first + 64 * block - 1) == ALL;
	enum cover held;

	if (whole && *full != 0) {
		*state = *full;
		return true;
	}
	for (int i = 0; i < 64; i++, first += block) {
		if (first + block <= shortest)
			continue;
		held = cover(m, first, first + block - 1);
		if (held == NONE)
			continue;
		if (left == 1)
			row[0x80 + i] = UTF8_MATCHED;
		else if (!follow(m, first, shortest, left - 1, &row[0x80 + i]))
			return false;
	}
	if (!add_state(m->classes, row, state))
		return false;
	if (whole)
		*full = *state;
	return true;
}

/* Numbers that are taken by what a row may hold besides a state. */
static bool
reserve(struct utf8_classes *classes)
{
	uint16_t row[256] = {0}, state;

	if (!add_state(classes, row, &state))
		return false;
	memset(row, 0xff, sizeof(row));
	return add_state(classes, row, &state);
}

/* The characters that begin with bytes from..to, of left bytes more. */
static bool
lead(const struct making *m, uint16_t row[256], int from, int to, int left)
{
	static const uint32_t shortest[] = {0, 0x80, 0x800, 0x10000};
	const uint32_t block = UINT32_C(1) << (6 * left);
	const int mask = left == 0 ? 0x7f : left == 1 ? 0x1f : 0x0f;
	uint32_t first, low;

	for (int byte = from; byte <= to; byte++) {
		first = (uint32_t)(byte & mask) * block;
		low = first < shortest[left] ? shortest[left] : first;
		if (cover(m, low, first + block - 1) == NONE)
			continue;
		if (left == 0)
			row[byte] = UTF8_MATCHED;
		else if (!follow(m, first, shortest[left], left, &row[byte]))
			return false;
	}
	return true;
}

bool
utf8_class_add(struct utf8_classes *classes, struct utf8_range *ranges,
    size_t n, bool others, uint16_t *start)
{
	struct making m = {classes, ranges, merge(ranges, n), others};
	uint16_t row[256] = {0};

	if (classes->states.count == 0 && !reserve(classes))
		return false;
	lead(&m, row, 0x00, 0x7f, 0); /* which takes no state, so can't fail */
	return lead(&m, row, 0xc2, 0xdf, 1) && lead(&m, row, 0xe0, 0xef, 2) &&
	    lead(&m, row, 0xf0, 0xff, 3) && add_state(classes, row, start);
}

void
utf8_classes_free(struct utf8_classes *classes)
{
	intern_free(&classes->states);
}
