/* SPDX-License-Identifier: MIT */
/* The textbook sampler in float64. */
#include "strict.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "../always.h"
#include "../array.h"
#include "dmath.h"
#include "kahan.h"

/* How far from 1 the probabilities may sum up to; rule 5. */
#define TOLERANCE 1e-10

bool
strict_open(struct strict *s, const struct sampling *settings, size_t vocab,
    struct error *err)
{
	*s = (struct strict){.settings = settings, .vocab = vocab};
	s->ranked = array_new(vocab, sizeof(*s->ranked));
	s->p = calloc(vocab, sizeof(*s->p));
	if (s->ranked != NULL && s->p != NULL)
		return true;
	strict_close(s);
	return error_system(err, ENOMEM, "a row of %zu", vocab);
}

void
strict_close(struct strict *s)
{
	free(s->ranked);
	free(s->p);
	*s = (struct strict){0};
}

/* Rule 1, in its order: the row, the temperature, k. */
static bool
validate(struct strict *s, const struct row *row, struct error *err)
{
	const struct sampling *set = s->settings;

	for (size_t id = 0; id < row->size; id++)
		if (!isfinite(row->wide[id]))
			return error_set(err, STATUS_FAILED,
			    "row %" PRIu64 ": logit of token %zu is %s: "
			    "the strict policy takes finite logits alone",
			    row->number, id,
			    isnan(row->wide[id])    ? "NaN"
			        : row->wide[id] > 0 ? "+inf"
			                            : "-inf");
	if (!set->greedy && !(set->temp.wide > 0))
		return error_set(err, STATUS_USAGE,
		    "--temp: %g: the strict policy wants more than 0; "
		    "--greedy draws the highest logit",
		    set->temp.wide);
	s->k = s->vocab;
	if (set->top_k_given) {
		if (set->top_k < 1 || (uint64_t)set->top_k > s->vocab)
			return error_set(err, STATUS_USAGE,
			    "--top-k: %" PRId64
			    ": the strict policy wants 1 to %zu",
			    set->top_k, s->vocab);
		s->k = (size_t)set->top_k;
	}
	if (set->greedy)
		s->k = 1;
	return true;
}

static bool
better(const double *logits, uint32_t a, uint32_t b)
{
	return logits[a] > logits[b] || (logits[a] == logits[b] && a < b);
}

/* Restore a heap of ids, the worst at its root, from index i down. */
static void
sink(uint32_t *heap, size_t n, size_t i, const double *logits)
{
	uint32_t moving = heap[i];
	size_t child;

	while ((child = 2 * i + 1) < n) {
		if (child + 1 < n &&
		    better(logits, heap[child], heap[child + 1]))
			child++;
		if (!better(logits, moving, heap[child]))
			break;
		heap[i] = heap[child];
		i = child;
	}
	heap[i] = moving;
}

/* The n best of the ids that the mask allows, best first. */
static void
rank(struct strict *s, const struct row *row, size_t n)
{
	uint32_t *heap = s->ranked, worst;
	size_t size = 0;

	for (size_t id = 0; id < row->size; id++) {
		if (!row_allows(row, id))
			continue;
		if (size < n) {
			heap[size++] = (uint32_t)id;
			if (size == n)
				for (size_t i = n / 2; i-- > 0;)
					sink(heap, n, i, row->wide);
		} else if (row->wide[id] > row->wide[heap[0]]) {
			heap[0] = (uint32_t)id;
			sink(heap, n, 0, row->wide);
		}
	}
	s->listed = size;
	if (size < n)
		for (size_t i = size / 2; i-- > 0;)
			sink(heap, size, i, row->wide);
	while (size > 1) {
		worst = heap[0];
		heap[0] = heap[--size];
		heap[size] = worst;
		sink(heap, size, 0, row->wide);
	}
}

/*
 * Rule 3.  The two ways to divide round differently; below 1 the difference
 * is taken first so that it can't overflow into NaN.
 */
static double
gap(double logit, double max, double temp)
{
	return temp < 1 ? (logit - max) / temp : logit / temp - max / temp;
}

/* Rules 3 and 4. */
static void
give_probabilities(struct strict *s, const double *logits)
{
	double max = logits[s->ranked[0]], temp = s->settings->temp.wide;
	struct kahan total = {1, 0};
	uint32_t id;

	s->p[s->ranked[0]] = 1;
	for (size_t i = 1; i < s->retained; i++) {
		id = s->ranked[i];
		s->p[id] = math_exp(gap(logits[id], max, temp));
		kahan_add(&total, s->p[id]);
	}
	for (size_t i = 0; i < s->retained; i++)
		s->p[s->ranked[i]] /= total.sum;
}

/* Rule 5. */
static bool
sums_to_one(const struct strict *s, const struct row *row, struct error *err)
{
	struct kahan total = {0, 0};

	for (size_t id = 0; id < s->vocab; id++)
		kahan_add(&total, s->p[id]);
	/* Each share is right to 2^-53 of itself, and so is Kahan's sum. */
	if (ALWAYS(total.sum >= 1 - TOLERANCE && total.sum <= 1 + TOLERANCE))
		return true;
	return error_set(err, STATUS_FAILED,
	    "row %" PRIu64 ": the probabilities sum up to %.17g, not 1",
	    row->number, total.sum);
}

bool
strict_weigh(
    struct strict *s, const struct row *row, size_t show, struct error *err)
{
	if (!validate(s, row, err))
		return false;
	for (size_t i = 0; i < s->retained; i++)
		s->p[s->ranked[i]] = 0;
	s->retained = 0;
	rank(s, row, s->k > show ? s->k : show);
	if (s->listed == 0)
		return error_set(err, STATUS_FAILED,
		    "row %" PRIu64 ": the mask allows no token", row->number);
	s->retained = s->k < s->listed ? s->k : s->listed;
	give_probabilities(s, row->wide);
	return sums_to_one(s, row, err);
}

double
strict_weight(const struct strict *s, const double *logits, size_t id)
{
	double max = logits[s->ranked[0]];
	double temp = s->settings->greedy ? 1 : s->settings->temp.wide;

	return logits[id] == max ? 1 : math_exp(gap(logits[id], max, temp));
}

uint32_t
strict_draw(const struct strict *s, double unit, struct interval *at)
{
	size_t id, last = s->vocab;

	while (s->p[last - 1] <= 0)
		last--;
	*at = (struct interval){0, 0};
	for (id = 0;; id++) {
		if (s->p[id] <= 0)
			continue;
		at->end = at->start + s->p[id];
		if (at->end > 1 || id == last - 1)
			at->end = 1;
		if (unit < at->end)
			break;
		at->start = at->end;
	}
	return (uint32_t)id;
}
