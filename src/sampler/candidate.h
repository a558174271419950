/* SPDX-License-Identifier: MIT */
/* A token that may be drawn, and the order in which candidates rank. */
#ifndef TOKPICK_CANDIDATE_H
#define TOKPICK_CANDIDATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "exact.h" /* whoever has candidates decides ids */

struct candidate {
	uint32_t id;
	float logit;
	float p; /* what the last softmax gave it */
};

/* A list of candidates, usually best first. */
struct candidates {
	struct candidate *list;
	size_t size;
};

/*
 * The order under every policy: higher logit first, equal logits
 * (-0 equals +0) by lower id.  Not for NaN.
 */
static inline bool
candidate_better(const struct candidate *a, const struct candidate *b)
{
	return a->logit > b->logit || (a->logit == b->logit && a->id < b->id);
}

/*
 * Sort n candidates best first.  scratch holds n more and is only used from
 * RANK_IN_PLACE on (below that it may be NULL).
 */
enum { RANK_IN_PLACE = 80 };
void rank_candidates(
    struct candidate *list, size_t n, struct candidate *scratch);

#endif
