/* SPDX-License-Identifier: MIT */
/* The order of candidates by a plain sort: what ranking is held against. */
#ifndef TOKPICK_TEST_RANKING_H
#define TOKPICK_TEST_RANKING_H

#include "helper.h"

#include "../../src/sampler/candidate.h"

/* For qsort(): higher logit first, equal ones (0 and -0 too) by lower id. */
static inline int
by_rank(const void *first, const void *second)
{
	const struct candidate *a = first, *b = second;

	if (a->logit > b->logit)
		return -1;
	if (a->logit < b->logit)
		return 1;
	return a->id < b->id ? -1 : a->id > b->id;
}

/* The sign of a zero and what p holds travel with the id. */
static inline void
assert_same_list(
    const struct candidate *list, const struct candidate *expected, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (list[i].id != expected[i].id ||
		    float_bits(list[i].logit) !=
		        float_bits(expected[i].logit) ||
		    float_bits(list[i].p) != float_bits(expected[i].p))
			fail_msg("place %zu of %zu: %u, %a, %a, not %u, %a, %a",
			    i, n, list[i].id, (double)list[i].logit,
			    (double)list[i].p, expected[i].id,
			    (double)expected[i].logit, (double)expected[i].p);
}

#endif
