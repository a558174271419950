/* SPDX-License-Identifier: MIT */
/* Selection: the k best of a row, and the checks that ride along. */
#include "select.h"

#include <math.h>

#include "heap.h"

/*
 * Values compared with the heap's root in one go.  Nearly every block of a
 * row holds nothing that belongs among the best, and a loop of this fixed
 * length, with no way out in the middle, becomes a few vector instructions.
 */
enum { BLOCK = 64 };

/* Is there a value above the floor, or a NaN? */
static bool
any_above(const float *values, float floor)
{
	unsigned above = 0;

	for (size_t i = 0; i < BLOCK; i++)
		above |= !(values[i] <= floor);
	return above != 0;
}

static bool
is_bad(float logit)
{
	return !(logit < INFINITY);
}

/* Every logit a candidate, in id order. */
static size_t
take_all(const float *logits, size_t n, struct candidate *best)
{
	for (size_t id = 0; id < n; id++) {
		if (is_bad(logits[id]))
			return id;
		best[id] = (struct candidate){(uint32_t)id, logits[id], 0};
	}
	return n;
}

/*
 * best is a heap whose root is its worst.  Ids come in ascending order, so
 * a logit equal to the root's loses to it: only a higher one gets in.
 */
static size_t
keep_best(const float *logits, size_t from, size_t n, struct candidate *best,
    size_t k)
{
	size_t id = from;

	while (id < n) {
		if (n - id >= BLOCK && !any_above(logits + id, best[0].logit)) {
			id += BLOCK;
			continue;
		}
		for (size_t end = n - id < BLOCK ? n : id + BLOCK; id < end;
		     id++) {
			if (logits[id] <= best[0].logit)
				continue;
			if (is_bad(logits[id]))
				return id;
			best[0] = (struct candidate){
			    (uint32_t)id, logits[id], 0};
			heap_sink(best, k, 0);
		}
	}
	return n;
}

size_t
select_best(const float *logits, size_t n, size_t k, struct candidate *best,
    struct candidate *scratch)
{
	size_t bad, first = k < n ? k : n;

	bad = take_all(logits, first, best);
	if (bad < first)
		return bad;
	if (k == 0 || k >= n) {
		for (bad = first; bad < n; bad++)
			if (is_bad(logits[bad]))
				return bad;
		rank_candidates(best, first, scratch);
		return n;
	}
	heap_make(best, k);
	bad = keep_best(logits, k, n, best, k);
	if (bad < n)
		return bad;
	if (k < RANK_IN_PLACE)
		heap_sort(best, k);
	else
		rank_candidates(best, k, scratch);
	return n;
}
