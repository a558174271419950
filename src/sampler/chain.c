/* SPDX-License-Identifier: MIT */
/* The chain: a row's candidates, and the stages they go through. */
#include "chain.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "select.h"
#include "touched.h"

static bool
is_at(const struct sampling *s, size_t i, const struct stage *stage)
{
	return i < s->n_stages && s->stages[i] == stage;
}

/* Greedy needs no stage if no later penalty can change which is the best. */
static bool
takes_first(const struct sampling *s, size_t first)
{
	for (size_t i = first; i < s->n_stages; i++)
		if (s->stages[i] == &stage_penalties)
			return false;
	return s->greedy;
}

/*
 * How much of the row the stages can need.  A top-k that comes first bounds
 * it.
 */
static size_t
selection_size(
    const struct sampling *s, size_t first, size_t vocab, size_t show)
{
	uint64_t k = vocab;

	if (is_at(s, first, &stage_top_k) && s->top_k > 0)
		k = (uint64_t)s->top_k;
	if (s->min_keep > 0 && k < (uint64_t)s->min_keep)
		k = (uint64_t)s->min_keep;
	if (takes_first(s, first))
		k = 1;
	if (k < show)
		k = show;
	return k < vocab ? (size_t)k : vocab;
}

static bool
allocate(struct chain *c)
{
	bool traced = c->settings->traced;
	size_t touched = touched_limit(c->touched);
	size_t room = traced ? c->vocab : c->select;

	room = c->vocab - room < touched ? c->vocab : room + touched;
	room = c->vocab - room < touched ? c->vocab : room + touched;
	if (room > SIZE_MAX / sizeof(*c->list))
		return false;
	c->list = malloc(room * sizeof(*c->list));
	c->after = calloc(c->settings->n_stages + 1, sizeof(*c->after));
	if (room >= RANK_IN_PLACE)
		c->scratch = malloc(room * sizeof(*c->scratch));
	if (c->settings->masked)
		c->masked = malloc(c->vocab * sizeof(*c->masked));
	if (traced)
		c->whole = malloc(c->vocab * sizeof(*c->whole));
	return c->list != NULL && c->after != NULL &&
	    (room < RANK_IN_PLACE || c->scratch != NULL) &&
	    (!c->settings->masked || c->masked != NULL) &&
	    (!traced || c->whole != NULL);
}

bool
chain_open(struct chain *c, const struct sampling *settings, size_t vocab,
    size_t show, struct error *err)
{
	bool penalise = is_at(settings, 0, &stage_penalties);

	*c = (struct chain){.settings = settings, .vocab = vocab};
	c->first = penalise ? 1 : 0;
	if (takes_first(settings, c->first))
		c->first = settings->n_stages;
	c->select = selection_size(settings, c->first, vocab, show);
	c->touched = touched_new(
	    settings, vocab, penalise && sampling_penalises(settings), err);
	if (c->touched == NULL)
		return false;
	if (allocate(c))
		return true;
	chain_close(c);
	return error_system(err, ENOMEM, "candidates of a row of %zu", vocab);
}

void
chain_close(struct chain *c)
{
	touched_free(c->touched);
	free(c->list);
	free(c->after);
	free(c->scratch);
	free(c->masked);
	free(c->whole);
	*c = (struct chain){0};
}

static bool
bad_logit(const struct row *row, size_t id, struct error *err)
{
	return error_set(err, STATUS_FAILED,
	    "row %" PRIu64 ": logit of token %zu is %s: "
	    "logits are finite, or -inf for a token that can't be drawn",
	    row->number, id, isnan(row->logits[id]) ? "NaN" : "+inf");
}

/* Put "row N: " before what went wrong in it. */
static bool
in_row(const struct row *row, struct error *err)
{
	struct error inner = *err;

	return error_set(
	    err, inner.status, "row %" PRIu64 ": %s", row->number, inner.text);
}

/* A copy of the row with -inf where the mask forbids; faults stay. */
static void
apply_mask(struct chain *c, const struct row *row)
{
	float logit;

	if (row->mask == NULL)
		return;
	for (size_t id = 0; id < row->size; id++) {
		logit = row->logits[id];
		c->masked[id] = logit < INFINITY && !row_allows(row, id)
		    ? -INFINITY
		    : logit;
	}
}

/* The best candidates of the row, biased and penalised, best first. */
static bool
gather(struct chain *c, const struct row *row, size_t best, struct error *err)
{
	const float *logits = row->mask != NULL ? c->masked : row->logits;
	size_t touched, k, bad;

	touched = touched_gather(c->touched, c->window);
	k = c->vocab - best < touched ? c->vocab : best + touched;
	bad = select_best(logits, row->size, k, c->list, c->scratch);
	if (bad < row->size)
		return bad_logit(row, bad, err);
	c->kept = (struct candidates){c->list, k};
	if (c->list[0].logit == -INFINITY)
		return error_set(err, STATUS_FAILED,
		    "row %" PRIu64 ": no logit is finite%s: nothing to draw",
		    row->number,
		    row->mask != NULL ? " where the mask allows" : "");
	if (touched > 0) {
		if (!touched_change(c->touched, logits, c->window, err))
			return in_row(row, err);
		c->kept.size = touched_swap(c->touched, c->list, k);
		rank_candidates(c->list, c->kept.size, c->scratch);
	}
	if (c->kept.size > best)
		c->kept.size = best;
	c->listed = c->kept.size;
	return true;
}

/*
 * The same way through the stages, but past those that remove candidates.
 * What goes wrong here alone goes wrong with a token that is never drawn.
 */
static bool
run_whole(struct chain *c, const struct row *row, struct error *err)
{
	const struct sampling *set = c->settings;
	struct error unheard;

	if (!gather(c, row, c->vocab, err))
		return false;
	c->whole_known = true;
	for (size_t i = c->first; i < set->n_stages && c->whole_known; i++)
		if (set->stages[i]->shapes)
			c->whole_known = set->stages[i]->run(c, &unheard);
	for (size_t i = 0; i < c->kept.size; i++)
		c->whole[c->kept.list[i].id] = c->kept.list[i].logit;
	return true;
}

bool
chain_run(struct chain *c, const struct row *row, const struct window *window,
    struct error *err)
{
	const struct sampling *set = c->settings;

	/* The stages before the first work through the touched set. */
	c->window = window;
	apply_mask(c, row);
	if (set->traced && !run_whole(c, row, err))
		return false;
	if (!gather(c, row, c->select, err))
		return false;
	for (size_t i = 0; i < set->n_stages; i++) {
		if (i >= c->first && !set->stages[i]->run(c, err))
			return in_row(row, err);
		c->after[i] = i >= c->first ? c->kept.size : c->vocab;
	}
	if (set->greedy)
		c->kept.size = 1;
	if (c->kept.list[0].logit == -INFINITY)
		return error_set(err, STATUS_FAILED,
		    "row %" PRIu64 ": no token is left to draw: "
		    "biases and penalties ban every one",
		    row->number);
	return true;
}
