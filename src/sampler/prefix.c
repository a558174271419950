/* SPDX-License-Identifier: MIT */
/* Ranking no more of a long list than is looked at. */
#include <math.h>

#include "chain.h"

/*
 * A histogram of probability over the distance from the best logit, in bins
 * of 1/32 that reach 64 below it, says how far down the wanted mass goes.
 * It decides nothing: it only finds a floor, and what stands above a floor
 * is always a prefix of the ranking.
 */
enum { BINS = 2048, BINS_PER_UNIT = 32 };

/* More than the rounding of any sum of float probabilities can hide. */
static const double slack = 1e-3;

static float
floor_of_mass(const struct chain *c, double mass)
{
	const struct candidate *list = c->kept.list;
	float max = chain_max(c), distance;
	double bin[BINS] = {0}, sum = 0;
	size_t b;

	for (size_t i = 0; i < c->kept.size; i++) {
		distance = (max - list[i].logit) * BINS_PER_UNIT;
		/* NaN, where both are +inf, goes with what is far away. */
		b = distance < BINS - 1 ? (size_t)distance : BINS - 1;
		bin[b] += (double)list[i].p;
	}
	for (b = 0; b < BINS - 1; b++) {
		sum += bin[b];
		if (sum >= mass + slack)
			return max - (float)(b + 1) / BINS_PER_UNIT;
	}
	return -INFINITY;
}

size_t
chain_partition(struct chain *c, float floor)
{
	struct candidate *list = c->kept.list, moving;
	size_t n = 0;

	for (size_t i = 0; i < c->kept.size; i++) {
		if (!(list[i].logit >= floor))
			continue;
		moving = list[i];
		list[i] = list[n];
		list[n++] = moving;
	}
	return n;
}

size_t
chain_rank_prefix(struct chain *c, double mass, size_t least)
{
	size_t n;

	if (!c->sorted && c->kept.size > RANK_IN_PLACE) {
		n = chain_partition(c, floor_of_mass(c, mass));
		if (n > 0 && n >= least) {
			rank_candidates(c->kept.list, n, c->scratch);
			return n;
		}
	}
	chain_sort(c);
	return c->kept.size;
}
