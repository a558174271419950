/* SPDX-License-Identifier: MIT */
/* The chain: a row's candidates, and the stages they go through. */
#include "chain.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dry.h"
#include "maxima.h"
#include "select.h"
#include "touched.h"

static bool
is_on(const struct sampling *s, size_t i)
{
	return s->stages[i]->is_on(s);
}

/*
 * The stages at the head that change the logits of a few ids, or do
 * nothing, come in the way of the touched set; this is the first other one.
 */
static size_t
first_stage(const struct sampling *s)
{
	size_t i = 0;

	while (i < s->n_stages && (!is_on(s, i) || s->stages[i]->touch != NULL))
		i++;
	return i;
}

/* Greedy needs no stage if none changes which candidate is the best. */
static bool
takes_first(const struct sampling *s, size_t first)
{
	for (size_t i = first; i < s->n_stages; i++)
		if (is_on(s, i) &&
		    (s->stages[i]->touch != NULL || s->stages[i]->drops_best))
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

	if (first < s->n_stages && s->stages[first] == &stage_top_k)
		k = (uint64_t)s->top_k;
	if (!s->policy->exact_k && k < (uint64_t)s->min_keep)
		k = (uint64_t)s->min_keep;
	if (takes_first(s, first))
		k = 1;
	if (k < show)
		k = show;
	return k < vocab ? (size_t)k : vocab;
}

/* The most ids that the stages before the first can touch. */
static size_t
most_touched(const struct chain *c)
{
	const struct sampling *s = c->settings;
	uint64_t most = 0;

	for (size_t i = 0; i < c->first; i++) {
		if (!is_on(s, i))
			continue;
		if (s->stages[i] == &stage_dry)
			most += dry_limit(c->dry);
		else if (s->stages[i] == &stage_penalties)
			most += s->repeat_last_n < 0
			    ? c->vocab
			    : (uint64_t)s->repeat_last_n;
	}
	return most < c->vocab ? (size_t)most : c->vocab;
}

/* Two numbers below a third added up, but no more than that. */
static size_t
at_most(size_t most, size_t a, size_t b)
{
	return most - a < b ? most : a + b;
}

static bool
allocate(struct chain *c)
{
	bool traced = c->settings->traced;
	bool order = sampling_has(c->settings, &stage_typ_p) ||
	    sampling_has(c->settings, &stage_adaptive_p);
	bool entire = traced || c->select == c->vocab;
	size_t touched = touched_limit(c->touched), room;
	bool changed = c->settings->masked || (entire && touched > 0);

	room = at_most(c->vocab, entire ? c->vocab : c->select, touched);
	room = select_room(c->vocab, room);
	room = at_most(c->vocab, room, touched);
	if (room > SIZE_MAX / sizeof(*c->list))
		return false;
	c->list = malloc(room * sizeof(*c->list));
	c->scratch = malloc(room * sizeof(*c->scratch));
	if (order)
		c->order = malloc(room * sizeof(*c->order));
	c->after = calloc(c->settings->n_stages + 1, sizeof(*c->after));
	if (changed)
		c->changed = malloc(c->vocab * sizeof(*c->changed));
	if (entire)
		c->entire.weights = malloc(c->vocab * sizeof(float));
	if (traced) {
		c->whole = malloc(c->vocab * sizeof(*c->whole));
		c->view = malloc(room * sizeof(*c->view));
	}
	return c->list != NULL && c->after != NULL && c->scratch != NULL &&
	    (!order || c->order != NULL) && (!changed || c->changed != NULL) &&
	    (!entire || c->entire.weights != NULL) &&
	    (!traced || (c->whole != NULL && c->view != NULL));
}

/* tokpick(1), "llama.cpp", "Random numbers", "mirostat", "adaptive_p". */
static void
start_memory(struct chain *c)
{
	const struct sampling *s = c->settings;

	s->policy->generator->seed(&c->memory.coin, s->seed);
	c->memory.mu = 2 * s->mirostat_entropy;
	c->memory.weighted = s->adaptive_target / (1 - s->adaptive_decay);
	c->memory.weight = 1 / (1 - s->adaptive_decay);
}

bool
chain_open(struct chain *c, const struct sampling *settings, size_t vocab,
    size_t show, struct error *err)
{
	*c = (struct chain){.settings = settings, .vocab = vocab, .show = show};
	c->first = first_stage(settings);
	if (takes_first(settings, c->first))
		c->first = settings->n_stages;
	c->select = selection_size(settings, c->first, vocab, show);
	start_memory(c);
	if (sampling_has(settings, &stage_dry) && stage_dry.is_on(settings) &&
	    (c->dry = dry_new(settings, vocab, err)) == NULL)
		return false;
	c->touched = touched_new(settings, vocab, most_touched(c), err);
	if (c->touched == NULL) {
		chain_close(c);
		return false;
	}
	if (allocate(c))
		return true;
	chain_close(c);
	return error_system(err, ENOMEM, "candidates of a row of %zu", vocab);
}

void
chain_close(struct chain *c)
{
	dry_free(c->dry);
	touched_free(c->touched);
	free(c->list);
	free(c->after);
	free(c->scratch);
	free(c->order);
	free(c->changed);
	free(c->entire.weights);
	free(c->whole);
	free(c->view);
	*c = (struct chain){0};
}

void
chain_sort(struct chain *c)
{
	entire_list(c);
	if (!c->sorted)
		rank_candidates(c->kept.list, c->kept.size, c->scratch);
	c->sorted = true;
}

void
chain_look(struct chain *c, size_t rank)
{
	if (c->entire.row != NULL ? rank >= c->listed
	                          : c->settings->policy->ranked)
		chain_sort(c);
}

float
chain_max(const struct chain *c)
{
	float max;

	if (c->entire.row != NULL)
		return c->entire.max / c->entire.temp;
	max = c->kept.list[0].logit;
	for (size_t i = 1; !c->sorted && i < c->kept.size; i++)
		if (c->kept.list[i].logit > max)
			max = c->kept.list[i].logit;
	return max;
}

void
chain_softmax(struct chain *c)
{
	const struct policy *policy = c->settings->policy;
	struct candidate *list = c->kept.list;
	size_t n = c->kept.size;

	c->total = 1;
	if (c->entire.row != NULL)
		entire_weigh(c);
	else if (policy->softmax_few != NULL && c->sorted && n <= SOFTMAX_FEW)
		policy->softmax_few(list, n, chain_max(c));
	else
		policy->share(list, n,
		    weigh_candidates(list, n, chain_max(c), policy->add));
}

size_t
chain_keep(const struct chain *c, size_t count)
{
	size_t least = (size_t)c->settings->min_keep;

	if (count < least)
		count = least;
	return count < c->kept.size ? count : c->kept.size;
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

static const float *
logits_of(const struct chain *c, const struct row *row)
{
	return row->mask != NULL ? c->changed : row->logits;
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
		c->changed[id] = logit < INFINITY && !row_allows(row, id)
		    ? -INFINITY
		    : logit;
	}
}

/* A touching stage that was not at the head changes what is left. */
static bool
run_stage(struct chain *c, size_t i, struct error *err)
{
	const struct stage *stage = c->settings->stages[i];
	struct candidate *list = c->kept.list;
	const uint32_t *ids;
	size_t n;

	if (!stage->entire)
		entire_list(c);
	if (stage->touch == NULL)
		return stage->run(c, err);
	if (stage == &stage_dry && !dry_prepare(c->dry, &ids, &n))
		return true;
	for (size_t j = 0; j < c->kept.size; j++) {
		list[j].logit = stage->touch(c, list[j].id, list[j].logit);
		if (touched_is_nan(list[j].id, list[j].logit, err))
			return false;
	}
	c->sorted = false;
	return true;
}

/* The ids that the stages before the first one touch in this row. */
static size_t
gather_touched(struct chain *c)
{
	const struct sampling *s = c->settings;
	const uint32_t *ids;
	size_t n;

	touched_restart(c->touched);
	for (size_t i = 0; i < c->first; i++) {
		n = 0;
		if (!is_on(s, i))
			continue;
		if (s->stages[i] == &stage_penalties)
			n = window_distinct(c->window, &ids);
		else if (s->stages[i] == &stage_dry)
			dry_prepare(c->dry, &ids, &n);
		if (n > 0)
			touched_add(c->touched, ids, n);
	}
	return touched_size(c->touched);
}

/* The k best others of the row, and the touched ones with new logits. */
static bool
select_some(struct chain *c, const struct row *row, const float *logits,
    struct error *err)
{
	size_t u = touched_size(c->touched), bad;
	struct scan scan;

	c->entire.row = NULL;
	c->kept.list = c->list;
	bad = select_scan(
	    &scan, logits, row->size, at_most(c->vocab, c->select, u));
	if (bad < row->size)
		return bad_logit(row, bad, err);
	select_others(&scan, c->select, touched_read(c->touched, logits), u,
	    &c->kept, c->scratch);
	if (u > 0) {
		if (!touched_change(c->touched, c, err))
			return in_row(row, err);
		c->kept.size = touched_swap(
		    c->touched, c->list, c->kept.size, c->select);
	}
	c->sorted = false;
	chain_sort(c);
	return true;
}

/* The row itself, or a copy that has the touched ones' new logits. */
static bool
take_row(struct chain *c, const struct row *row, const float *logits,
    struct error *err)
{
	float max;
	size_t bad = maxima_of_row(logits, row->size, &max);

	if (bad < row->size)
		return bad_logit(row, bad, err);
	if (touched_size(c->touched) > 0) {
		touched_read(c->touched, logits);
		if (!touched_change(c->touched, c, err))
			return in_row(row, err);
		if (logits != c->changed)
			memcpy(c->changed, logits, row->size * sizeof(float));
		logits = c->changed;
		touched_put(c->touched, c->changed);
		maxima_of_row(logits, row->size, &max);
	}
	entire_take(c, logits, max);
	return true;
}

/*
 * All candidates through the stages, but past those that remove some.  What
 * goes wrong here alone goes wrong with a token that is never drawn.
 */
static bool
run_whole(struct chain *c, const struct row *row, struct error *err)
{
	const struct sampling *s = c->settings;
	struct error unheard;

	gather_touched(c);
	if (!take_row(c, row, logits_of(c, row), err))
		return false;
	c->whole_known = true;
	for (size_t i = c->first; i < s->n_stages && c->whole_known; i++)
		if (is_on(s, i) &&
		    (s->stages[i]->touch != NULL || s->stages[i]->shapes))
			c->whole_known = run_stage(c, i, &unheard);
	entire_list(c);
	for (size_t i = 0; i < c->kept.size; i++)
		c->whole[c->kept.list[i].id] = c->kept.list[i].logit;
	return true;
}

static bool
gather(struct chain *c, const struct row *row, struct error *err)
{
	const float *logits = logits_of(c, row);
	size_t touched = gather_touched(c);

	if (c->select == c->vocab ? !take_row(c, row, logits, err)
	                          : !select_some(c, row, logits, err))
		return false;
	if (c->settings->policy->softmax_few != NULL && c->vocab <= SOFTMAX_FEW)
		chain_sort(c);
	if (c->kept.size > c->select)
		c->kept.size = c->select;
	if (c->entire.row == NULL)
		c->listed = c->kept.size;
	if (chain_max(c) == -INFINITY)
		return error_set(err, STATUS_FAILED,
		    "row %" PRIu64
		    ": no logit is finite%s%s: there is nothing to draw",
		    row->number,
		    row->mask != NULL ? " where the mask allows" : "",
		    touched > 0 ? " after biases and penalties" : "");
	return true;
}

bool
chain_run(struct chain *c, const struct row *row, const struct window *window,
    struct error *err)
{
	const struct sampling *set = c->settings;

	c->window = window;
	c->coin = NAN;
	apply_mask(c, row);
	if (set->traced) {
		if (!run_whole(c, row, err))
			return false;
		apply_mask(c, row); /* what was changed besides is undone */
	}
	c->dynamic_temp = NAN;
	if (!gather(c, row, err))
		return false;
	/* The stages before the first have worked through the touched set. */
	for (size_t i = 0; i < set->n_stages; i++) {
		if (i >= c->first && is_on(set, i) && !run_stage(c, i, err))
			return in_row(row, err);
		c->after[i] = i >= c->first ? c->kept.size : c->vocab;
	}
	if (chain_max(c) == -INFINITY)
		return error_set(err, STATUS_FAILED,
		    "row %" PRIu64 ": no token is left to draw: "
		    "biases and penalties ban every one",
		    row->number);
	if (set->greedy) {
		chain_sort(c);
		c->kept.size = 1;
		chain_softmax(c);
	} else {
		if (!set->policy->ranked)
			entire_list(c);
		set->finish->weigh(c);
	}
	if (set->traced) {
		chain_look(c, c->vocab);
		chain_view(c);
	}
	return true;
}
