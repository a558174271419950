/* SPDX-License-Identifier: MIT */
/* llama.cpp's dry by the letter: every stretch of the history is compared. */
#ifndef TOKPICK_TEST_PLAIN_DRY_H
#define TOKPICK_TEST_PLAIN_DRY_H

#include "helper.h"

#include "../../src/sampler/dmath.h"
#include "../../src/sampler/policy.h"

enum { BREAKERS_MAX = 4, BREAKER_SIZE = 3 };

struct plain_dry {
	float multiplier, base;
	size_t allowed, last_n;
	struct breaker breakers[BREAKERS_MAX];
	uint32_t ids[BREAKERS_MAX][BREAKER_SIZE]; /* theirs */
	size_t n_breakers;
};

/* A breaker of one to three ids below that number. */
static inline void
plain_dry_break(struct plain_dry *d, uint64_t *random, size_t below)
{
	size_t n = d->n_breakers++, size = 1 + random_below(random, 3);

	for (size_t i = 0; i < size; i++)
		d->ids[n][i] = (uint32_t)random_below(random, below);
	d->breakers[n] = (struct breaker){d->ids[n], size};
}

/* Does it stand in the history, its head i back from the newest? */
static inline bool
plain_dry_stands(
    const struct breaker *b, const uint32_t *newest, size_t n, size_t i)
{
	if (i >= n || b->size > i + 1)
		return false;
	for (size_t t = 0; t < b->size; t++)
		if (*(newest - i + t) != b->ids[t])
			return false;
	return true;
}

/* How far back repetitions may reach, of n ids that end in *newest. */
static inline size_t
plain_dry_limit(const struct plain_dry *d, const uint32_t *newest, size_t n)
{
	size_t longest = 0;

	for (size_t i = 0; i < n; i++) {
		for (size_t b = 0; b < d->n_breakers; b++)
			if (plain_dry_stands(&d->breakers[b], newest, n, i) &&
			    d->breakers[b].size > longest)
				longest = d->breakers[b].size;
		if (longest > 0)
			return i - (longest - 1);
	}
	return n;
}

/*
 * What each id would repeat, SIZE_MAX for nothing, after a conversation of
 * n ids.  False if there is nothing to be done at all.
 */
static inline bool
plain_dry_repeats(const struct plain_dry *d, const uint32_t *ids, size_t n,
    size_t *repeats, size_t vocab)
{
	size_t m, limit;
	uint32_t next;

	for (size_t id = 0; id < vocab; id++)
		repeats[id] = SIZE_MAX;
	if (n > d->last_n) {
		ids += n - d->last_n;
		n = d->last_n;
	}
	if (n <= d->allowed)
		return false;
	limit = plain_dry_limit(d, ids + n - 1, n);
	if (limit < d->allowed)
		return false;
	for (size_t k = 1; k < n; k++) {
		m = 0;
		while (m < limit && k + m < n &&
		    ids[n - 1 - m] == ids[n - 1 - m - k])
			m++;
		next = ids[n - k];
		if (m >= d->allowed && next < vocab &&
		    (repeats[next] == SIZE_MAX || repeats[next] < m))
			repeats[next] = m;
	}
	return true;
}

/* The logit of an id that would repeat that many. */
static inline float
plain_dry_logit(
    const struct plain_dry *d, uint32_t id, size_t repeat, float logit)
{
	int e, most = 0;

	if (repeat == SIZE_MAX)
		return logit;
	for (size_t b = 0; b < d->n_breakers; b++)
		if (d->breakers[b].size == 1 && d->breakers[b].ids[0] == id)
			return logit;
	e = (int)(repeat - d->allowed);
	if (d->base > 1.000001f)
		most = (int)(88.7228391f / math_logf(d->base));
	if (most > 0 && e > most)
		e = most;
	return logit -
	    (float)((double)d->multiplier *
	        math_pow((double)d->base, (double)e));
}

#endif
