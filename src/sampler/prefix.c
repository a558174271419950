/* SPDX-License-Identifier: MIT */
/* Ranking no more of a long list than is looked at. */
#include <math.h>

#include "chain.h"
#include "masses.h"

/* The lowest logit of those whose probability is above a floor. */
static float
floor_of_mass(const struct chain *c, double mass)
{
	const struct candidate *list = c->kept.list;
	struct masses masses = {{0}};
	float floor = INFINITY, least;

	for (size_t i = 0; i < c->kept.size; i++)
		masses_add(&masses, list[i].p);
	least = masses_floor(&masses, mass + MASS_SLACK);
	for (size_t i = 0; i < c->kept.size; i++)
		if (list[i].p > least && list[i].logit < floor)
			floor = list[i].logit;
	return floor;
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
	enum { LONG = 1024 };
	size_t n = 0;

	if (c->entire.row != NULL) {
		n = entire_rank(c, mass, least);
	} else if (!c->sorted && c->kept.size > LONG) {
		n = chain_partition(c, floor_of_mass(c, mass));
		rank_candidates(c->kept.list, n, c->scratch);
	}
	if (n > 0 && n >= least)
		return n;
	chain_sort(c);
	return c->kept.size;
}
