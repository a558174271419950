/* SPDX-License-Identifier: MIT */
/* Selection: the k best of a row, and the checks that ride along. */
#include "select.h"

#include <math.h>

#include "maxima.h"
#include "rank_key.h"

/*
 * The highest logits of the row's parts come first.  A part has one logit at
 * least as high as its maximum, so that k parts whose maxima are above some
 * floor have k logits above it: nothing at or below it is among the k best,
 * and nearly all parts have nothing else.  The others are looked through.
 */
enum { PARTS_LEAST = 512, PARTS_MOST = 4096 };

/* With 16 parts to a logit that is wanted the floor is a good one. */
static size_t
size_of_parts(size_t n, size_t k)
{
	size_t steps = n / MAXIMA_STEP, parts = PARTS_LEAST;

	while (parts < PARTS_MOST && parts / 16 < k)
		parts *= 2;
	return (steps + parts - 1) / parts * MAXIMA_STEP;
}

/*
 * A floor that at least k of n maxima are above, and not many more: their
 * keys are counted in bins, and the best bins that hold k end at the floor.
 * Without k maxima it is NaN, which nothing is at or below.
 */
static float
find_floor(const float *max, size_t n, size_t k)
{
	enum { BINS = 512 };
	uint32_t bin[BINS] = {0}, least = UINT32_MAX, greatest = 0, key;
	unsigned shift = 0;
	size_t b, count = 0;

	if (k > n)
		return NAN;
	for (size_t i = 0; i < n; i++) {
		key = rank_key(max[i]);
		least = key < least ? key : least;
		greatest = key > greatest ? key : greatest;
	}
	while ((greatest - least) >> shift >= BINS)
		shift++;
	for (size_t i = 0; i < n; i++)
		bin[(rank_key(max[i]) - least) >> shift]++;
	for (b = 0; (count += bin[b]) < k; b++)
		;
	/* The end of the last bins may be no key. */
	if ((greatest - least) >> shift == b)
		return rank_key_logit(greatest + 1);
	return rank_key_logit(least + ((uint32_t)(b + 1) << shift));
}

/* A selection on its way through the row in id order. */
struct selection {
	const float *logits;
	size_t k;
	struct candidates *best;
	struct candidate *scratch;
	float floor;
};

/*
 * When there are 2k, the k best so far stay.  The last of them is the new
 * floor: what equals it has a higher id, and loses.
 */
static void
drop_half(struct selection *s)
{
	rank_candidates(s->best->list, s->best->size, s->scratch);
	s->best->size = s->k;
	s->floor = s->best->list[s->k - 1].logit;
}

/* Take what is above the floor, from one id on and up to another. */
static void
take(struct selection *s, size_t from, size_t to)
{
	for (size_t id = from; id < to; id++) {
		if (s->logits[id] <= s->floor)
			continue;
		s->best->list[s->best->size++] = (struct candidate){
		    (uint32_t)id, s->logits[id], 0};
		if (s->best->size == 2 * s->k)
			drop_half(s);
	}
}

/*
 * A loop of this fixed length, with no way out in the middle, becomes a few
 * vector instructions.
 */
enum { PIECE = 16 };

static bool
any_above(const float *values, float floor)
{
	unsigned above = 0;

	for (size_t i = 0; i < PIECE; i++)
		above |= !(values[i] <= floor);
	return above != 0;
}

static void
take_part(struct selection *s, size_t from, size_t to)
{
	for (; from < to; from += PIECE)
		if (any_above(s->logits + from, s->floor))
			take(s, from, from + PIECE);
}

size_t
select_best(const float *logits, size_t n, size_t k, struct candidates *best,
    struct candidate *scratch)
{
	struct selection s = {logits, k < n ? k : n, best, scratch, NAN};
	size_t size = size_of_parts(n, s.k);
	size_t parts = size > 0 ? n / size : 0, rest = n - parts * size;
	float max[PARTS_MOST];

	best->size = 0;
	if (!maxima_find(logits, parts, size, max) ||
	    maxima_first_bad(logits + n - rest, rest) < rest)
		return maxima_first_bad(logits, n);
	if (k == 0)
		return n;
	s.floor = find_floor(max, parts, k);
	for (size_t i = 0; i < parts; i++)
		if (!(max[i] <= s.floor))
			take_part(&s, i * size, (i + 1) * size);
	take(&s, n - rest, n);
	return n;
}
