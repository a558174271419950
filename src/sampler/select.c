/* SPDX-License-Identifier: MIT */
/* Selection: the k best of a row, and the checks that ride along. */
#include "select.h"

#include <math.h>

#include "bits.h"
#include "maxima.h"
#include "rank_key.h"

/*
 * The highest logits of the row's parts come first.  A part has one logit at
 * least as high as its maximum, so that k parts whose maxima are above some
 * floor have k logits above it: nothing at or below it is among the k best,
 * and nearly all parts have nothing else.  The others are looked through.
 */
enum { PARTS_LEAST = 512 };

/* With 16 parts to a logit that is wanted the floor is a good one. */
static size_t
size_of_parts(size_t n, size_t k)
{
	size_t steps = n / MAXIMA_STEP, parts = PARTS_LEAST;

	while (parts < SELECT_PARTS && parts / 16 < k)
		parts *= 2;
	return (steps + parts - 1) / parts * MAXIMA_STEP;
}

/*
 * A loop of this fixed length, with no way out in the middle, becomes a few
 * vector instructions.
 */
enum { PIECE = 16 };

static size_t
count_above(const float *max, size_t n, float floor)
{
	size_t count = 0, i;
	unsigned here;

	for (i = 0; i + PIECE <= n; i += PIECE) {
		here = 0;
		for (size_t j = 0; j < PIECE; j++)
			here += !(max[i + j] <= floor);
		count += here;
	}
	for (; i < n; i++)
		count += !(max[i] <= floor);
	return count;
}

/* What is looked for, and where. */
struct search {
	const struct scan *scan;
	size_t k;
	const float *aside; /* logits that don't count */
	size_t n_aside;
};

/* So many parts at least have others above the floor. */
static size_t
parts_above(const struct search *s, uint32_t floor)
{
	float logit = rank_key_logit(floor);
	size_t parts = count_above(s->scan->max, s->scan->parts, logit);
	size_t aside = count_above(s->aside, s->n_aside, logit);

	return parts > aside ? parts - aside : 0;
}

/*
 * A floor that at least k > 0 parts are above, and few more if that can be:
 * down from the highest maximum in ever longer strides, then by halves.
 * Where there are none it is NaN, which nothing is at or below.
 */
static float
find_floor(const struct search *s)
{
	enum { STRIDE = 1 << 18 };
	const uint32_t end = rank_key(-INFINITY) + 1;
	uint32_t high, low, middle, stride = STRIDE;
	size_t above = 0, found;
	float highest;

	if (s->k > s->scan->parts)
		return NAN;
	maxima_of_row(s->scan->max, s->scan->parts, &highest);
	high = low = rank_key(highest);
	for (; above < s->k && low < end; stride *= 2) {
		high = low;
		low = end - low < stride ? end : low + stride;
		above = parts_above(s, low);
	}
	while (above > s->k + s->k / 8 && low - high > 1) {
		middle = high + (low - high) / 2;
		found = parts_above(s, middle);
		if (found < s->k) {
			high = middle;
		} else {
			low = middle;
			above = found;
		}
	}
	return rank_key_logit(low);
}

/* A selection on its way through the row in id order. */
struct selection {
	const struct row *row;
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

static void
take(struct selection *s, size_t id)
{
	float logit = row_float(s->row, id);

	if (logit <= s->floor)
		return;
	s->best->list[s->best->size++] = (struct candidate){
	    (uint32_t)id, logit, 0};
	if (s->best->size == 2 * s->k)
		drop_half(s);
}

/* Few are above the floor: they are found by their bits. */
static void
take_piece(struct selection *s, size_t from)
{
	const struct row *row = s->row;
	uint64_t bits = row->bf16 == NULL
	    ? maxima_above(row->logits + from, s->floor)
	    : maxima_above_bf16(row->bf16->values + from, s->floor);

	for (; bits != 0; bits &= bits - 1)
		take(s, from + bits_lowest(bits));
}

static void
take_parts(struct selection *s, const struct scan *scan)
{
	uint64_t bits;
	size_t part;

	for (size_t i = 0; i < scan->parts; i += MAXIMA_STEP) {
		bits = maxima_above(scan->max + i, s->floor);
		for (; bits != 0; bits &= bits - 1) {
			part = i + bits_lowest(bits);
			if (part >= scan->parts)
				break;
			for (size_t at = 0; at < scan->size; at += MAXIMA_STEP)
				take_piece(s, part * scan->size + at);
		}
	}
}

static bool
find_maxima(struct scan *s)
{
	const struct row *row = s->row;

	return row->bf16 == NULL
	    ? maxima_find(row->logits, s->parts, s->size, s->max)
	    : maxima_find_bf16(row->bf16->values, s->parts, s->size, s->max);
}

/* The first from an id on that is NaN or +inf; the row's size if none is. */
static size_t
first_bad(const struct row *row, size_t id)
{
	while (id < row->size && row_float(row, id) < INFINITY)
		id++;
	return id;
}

size_t
select_scan(struct scan *scan, const struct row *row, size_t k)
{
	size_t n = row->size;

	scan->row = row;
	scan->size = size_of_parts(n, k);
	scan->parts = scan->size > 0 ? n / scan->size : 0;
	if (!find_maxima(scan) || first_bad(row, scan->parts * scan->size) < n)
		return first_bad(row, 0);
	for (size_t i = scan->parts; i % MAXIMA_STEP != 0; i++)
		scan->max[i] = -INFINITY;
	return n;
}

void
select_others(const struct scan *scan, size_t k, const float *aside,
    size_t n_aside, struct candidates *best, struct candidate *scratch)
{
	const struct search search = {scan, k, aside, n_aside};
	size_t n = scan->row->size;
	size_t most = k < n && n_aside < n - k ? k + n_aside : n;
	struct selection s = {scan->row, most, best, scratch, NAN};

	best->size = 0;
	if (k == 0)
		return;
	s.floor = find_floor(&search);
	take_parts(&s, scan);
	for (size_t id = scan->parts * scan->size; id < n; id++)
		take(&s, id);
}

size_t
select_best(const float *logits, size_t n, size_t k, struct candidates *best,
    struct candidate *scratch)
{
	const struct row row = {.size = n, .logits = logits};
	struct scan scan;
	size_t bad = select_scan(&scan, &row, k);

	if (bad == n)
		select_others(&scan, k, NULL, 0, best, scratch);
	return bad;
}
