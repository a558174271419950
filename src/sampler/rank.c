/* SPDX-License-Identifier: MIT */
/* Sorting candidates: a heap for the few, a radix sort for the many. */
#include <string.h>

#include "candidate.h"
#include "heap.h"

enum { DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS, LOGIT_PASSES = 3 };

/*
 * A number that is smaller the higher the logit.  The bits of positive
 * floats ascend with their value and those of negative ones descend, so the
 * first are flipped here and the second are not.  Adding +0 makes -0 +0.
 */
static uint32_t
descending(float logit)
{
	uint32_t bits;

	logit += 0.0f;
	memcpy(&bits, &logit, sizeof(bits));
	return bits & 0x80000000 ? bits : bits ^ 0x7fffffff;
}

/* Digit number pass of the sort key: the id's three, then the logit's. */
static size_t
digit(const struct candidate *c, int pass)
{
	uint32_t key;

	key = pass < LOGIT_PASSES ? c->id : descending(c->logit);
	return key >> (pass % LOGIT_PASSES * DIGIT_BITS) & (DIGITS - 1);
}

/*
 * One stable counting sort by one digit.  False, and nothing moved, if all
 * candidates have the same digit.
 */
static bool
sort_by_digit(
    const struct candidate *from, struct candidate *to, size_t n, int pass)
{
	size_t start[DIGITS] = {0}, sum = 0, count;

	for (size_t i = 0; i < n; i++)
		start[digit(&from[i], pass)]++;
	if (start[digit(&from[0], pass)] == n)
		return false;
	for (size_t d = 0; d < DIGITS; d++) {
		count = start[d];
		start[d] = sum;
		sum += count;
	}
	for (size_t i = 0; i < n; i++)
		to[start[digit(&from[i], pass)]++] = from[i];
	return true;
}

static bool
ids_ascend(const struct candidate *list, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (list[i - 1].id > list[i].id)
			return false;
	return true;
}

void
rank_candidates(struct candidate *list, size_t n, struct candidate *scratch)
{
	struct candidate *from = list, *to = scratch, *swap;
	int pass;

	if (n < RANK_IN_PLACE) {
		heap_make(list, n);
		heap_sort(list, n);
		return;
	}
	/* Stable passes from the last digit on: ids in order need none. */
	pass = ids_ascend(list, n) ? LOGIT_PASSES : 0;
	for (; pass < 2 * LOGIT_PASSES; pass++) {
		if (!sort_by_digit(from, to, n, pass))
			continue;
		swap = from;
		from = to;
		to = swap;
	}
	if (from != list)
		memcpy(list, from, n * sizeof(*list));
}
