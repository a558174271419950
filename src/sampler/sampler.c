/* SPDX-License-Identifier: MIT */
/* The order of events for one row: select, touch, stages, draw. */
#include "sampler.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "select.h"
#include "touched.h"

struct sampler {
	const struct sampling *settings;
	size_t vocab;
	size_t first;  /* index of the first stage to run on candidates */
	size_t select; /* k: how many of the row those stages can need */
	struct touched *touched;
	struct candidate *list;    /* room for select + u + u, at most V */
	struct candidate *scratch; /* as many, where there are many */
	struct rng rng;
};

static bool
is_at(const struct sampling *s, size_t i, const struct stage *stage)
{
	return i < s->n_stages && s->stages[i] == stage;
}

/*
 * How much of the row the stages can need.  A top-k that comes first bounds
 * it, and greedy needs one candidate if no later penalty can change which
 * one is the best.
 */
static size_t
selection_size(const struct sampling *s, size_t first, size_t vocab)
{
	uint64_t k = vocab;

	if (is_at(s, first, &stage_top_k) && s->top_k > 0)
		k = (uint64_t)s->top_k;
	if (s->min_keep > 0 && k < (uint64_t)s->min_keep)
		k = (uint64_t)s->min_keep;
	for (; first < s->n_stages; first++)
		if (s->stages[first] == &stage_penalties)
			break;
	if (s->greedy && first == s->n_stages)
		k = 1;
	return k < vocab ? (size_t)k : vocab;
}

static bool
allocate(struct sampler *s)
{
	size_t touched = touched_limit(s->touched), room = s->select;

	room = s->vocab - room < touched ? s->vocab : room + touched;
	room = s->vocab - room < touched ? s->vocab : room + touched;
	if (room > SIZE_MAX / sizeof(*s->list))
		return false;
	s->list = malloc(room * sizeof(*s->list));
	if (room >= RANK_IN_PLACE)
		s->scratch = malloc(room * sizeof(*s->scratch));
	return s->list != NULL && (room < RANK_IN_PLACE || s->scratch != NULL);
}

/* The biases are sorted by id: the last has the highest. */
static bool
biases_fit(const struct sampling *s, size_t vocab, struct error *err)
{
	if (s->n_biases == 0 || s->biases[s->n_biases - 1].id < vocab)
		return true;
	return error_set(err, STATUS_USAGE,
	    "the logit bias of token %" PRIu32
	    " is outside the vocabulary: ids are 0 to %zu",
	    s->biases[s->n_biases - 1].id, vocab - 1);
}

struct sampler *
sampler_new(
    const struct sampling *settings, size_t vocab, struct error *err)
{
	struct sampler *s = calloc(1, sizeof(*s));
	bool penalise = is_at(settings, 0, &stage_penalties);

	if (s == NULL) {
		error_system(err, ENOMEM, "the sampler");
		return NULL;
	}
	if (!biases_fit(settings, vocab, err)) {
		free(s);
		return NULL;
	}
	s->settings = settings;
	s->vocab = vocab;
	s->first = penalise ? 1 : 0;
	s->select = selection_size(settings, s->first, vocab);
	settings->policy->generator->seed(&s->rng, settings->seed);
	s->touched = touched_new(settings, vocab,
	    penalise && sampling_penalises(settings), err);
	if (s->touched != NULL) {
		if (allocate(s))
			return s;
		error_system(err, ENOMEM, "candidates of a row of %zu", vocab);
	}
	sampler_free(s);
	return NULL;
}

void
sampler_free(struct sampler *s)
{
	if (s == NULL)
		return;
	touched_free(s->touched);
	free(s->list);
	free(s->scratch);
	free(s);
}

const struct rng *
sampler_rng(const struct sampler *s)
{
	return &s->rng;
}

/* Put "row N: " before what went wrong in it. */
static bool
in_row(const struct row *row, struct error *err)
{
	struct error inner = *err;

	return error_set(err, inner.status, "row %" PRIu64 ": %s", row->number,
	    inner.text);
}

static bool
bad_logit(const struct row *row, size_t id, struct error *err)
{
	return error_set(err, STATUS_FAILED,
	    "row %" PRIu64 ": logit of token %zu is %s: "
	    "logits are finite, or -inf for a token that can't be drawn",
	    row->number, id, isnan(row->logits[id]) ? "NaN" : "+inf");
}

/* The candidates of the row, biased and penalised, best first. */
static bool
gather(struct sampler *s, const struct row *row, struct chain *chain,
    struct error *err)
{
	struct candidates *kept = &chain->kept;
	size_t touched, k, bad;

	touched = touched_gather(s->touched, chain->window);
	k = s->vocab - s->select < touched ? s->vocab : s->select + touched;
	bad = select_best(row->logits, row->size, k, s->list, s->scratch);
	if (bad < row->size)
		return bad_logit(row, bad, err);
	*kept = (struct candidates){s->list, k};
	if (s->list[0].logit == -INFINITY)
		return error_set(err, STATUS_FAILED,
		    "row %" PRIu64 ": no logit is finite: nothing to draw",
		    row->number);
	if (touched > 0) {
		if (!touched_change(s->touched, row, chain->window, err))
			return in_row(row, err);
		kept->size = touched_swap(s->touched, s->list, k);
		rank_candidates(s->list, kept->size, s->scratch);
	}
	if (kept->size > s->select)
		kept->size = s->select;
	return true;
}

static bool
shape(struct sampler *s, const struct row *row, struct chain *chain,
    struct error *err)
{
	const struct sampling *set = s->settings;

	if (!gather(s, row, chain, err))
		return false;
	for (size_t i = s->first; i < set->n_stages; i++)
		if (!set->stages[i]->run(chain, err))
			return in_row(row, err);
	if (chain->kept.list[0].logit == -INFINITY)
		return error_set(err, STATUS_FAILED,
		    "row %" PRIu64 ": no token is left to draw: "
		    "biases and penalties ban every one",
		    row->number);
	return true;
}

/* One candidate, or the best one asked for, costs no random number. */
static void
draw(struct sampler *s, const struct candidates *kept, struct decision *d)
{
	const struct policy *policy = s->settings->policy;
	size_t drawn = 0;

	*d = (struct decision){.kept = kept->size};
	policy->softmax(kept->list, kept->size);
	if (kept->size > 1 && !s->settings->greedy) {
		d->random = true;
		d->unit = policy->generator->unit(&s->rng);
		drawn = policy->draw(kept->list, kept->size, d->unit);
	}
	d->id = kept->list[drawn].id;
	d->logit = kept->list[drawn].logit;
	d->p = kept->list[drawn].p;
}

bool
sampler_pick(struct sampler *s, const struct row *row,
    const struct window *window, struct decision *d, struct error *err)
{
	struct chain chain = {.scratch = s->scratch,
	    .settings = s->settings,
	    .window = window};

	if (!shape(s, row, &chain, err))
		return false;
	draw(s, &chain.kept, d);
	return true;
}
