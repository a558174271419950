/* SPDX-License-Identifier: MIT */
/* Selection: the k best of a row, and the checks that ride along. */
#ifndef TOKPICK_SELECT_H
#define TOKPICK_SELECT_H

#include <stddef.h>

#include "candidate.h"
#include "row.h"

/* How many candidates select_best() may need room for. */
static inline size_t
select_room(size_t n, size_t k)
{
	return k < n - k && k < n ? 2 * k : n;
}

/*
 * Put candidates of n logits, the k best among them, into best: at least
 * min(k, n), -inf included, in no order.  best->list has select_room()
 * for them, and scratch as much; see rank_candidates().
 * The first NaN or +inf in id order ends the search: its id is returned.
 * Without one, n is returned.
 */
size_t select_best(const float *logits, size_t n, size_t k,
    struct candidates *best, struct candidate *scratch);

/*
 * The same in two steps, where some ids are set aside: the k best others are
 * among what is put into best, and it may be that some set aside are too.
 * Their logits are given, in any order; to read them after the row has been
 * gone through is to find them in a cache.  Room is for k + n_aside.
 * The scan is best for a k about that of k + n_aside, and right for any.
 */
enum { SELECT_PARTS = 4096 };

struct scan {
	const struct row *row;   /* which must stay */
	size_t size, parts;      /* so many parts have so many logits */
	float max[SELECT_PARTS]; /* of each part */
};

size_t select_scan(struct scan *, const struct row *, size_t k);
void select_others(const struct scan *, size_t k, const float *aside,
    size_t n_aside, struct candidates *best, struct candidate *scratch);

#endif
