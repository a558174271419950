/* SPDX-License-Identifier: MIT */
/* The chain: a row's candidates, and the stages they go through. */
#include "chain.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "dry.h"
#include "maxima.h"
#include "select.h"
#include "touched.h"

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

bool
chain_bad_logit(const struct row *row, size_t id, struct error *err)
{
	return error_set(err, STATUS_FAILED,
	    "row %" PRIu64 ": logit of token %zu is %s: "
	    "logits are finite, or -inf for a token that can't be drawn",
	    row->number, id, isnan(row_float(row, id)) ? "NaN" : "+inf");
}

bool
chain_in_row(const struct row *row, struct error *err)
{
	struct error inner = *err;

	return error_set(
	    err, inner.status, "row %" PRIu64 ": %s", row->number, inner.text);
}

/* A copy of the row with -inf where the mask forbids; faults stay. */
static void
apply_mask(struct chain *c, const struct row *row)
{
	const float *logits;
	float logit;

	if (row->mask == NULL)
		return;
	logits = row_floats(row);
	for (size_t id = 0; id < row->size; id++) {
		logit = logits[id];
		c->changed[id] = logit < INFINITY && !row_allows(row, id)
		    ? -INFINITY
		    : logit;
	}
}

/* The row with its mask, which was applied. */
static struct row
masked(const struct chain *c, const struct row *row)
{
	struct row masked = *row;

	if (row->mask != NULL) {
		masked.logits = c->changed;
		masked.bf16 = NULL;
	}
	return masked;
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
		if (!sampling_runs(s, i))
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

/*
 * Are as many of the best known as hold the k best others?  Of a row with a
 * mask none are: see sampler_wants().
 */
static bool
are_known(const struct chain *c, const struct row *row, size_t k)
{
	return row->best != NULL &&
	    chain_at_most(c->vocab, k, touched_size(c->touched)) <=
	    row->best->size;
}

/* The k best others, and some more, at the head of the list. */
static bool
find_best(struct chain *c, const struct row *row, size_t k, struct error *err)
{
	size_t u = touched_size(c->touched), bad;
	struct scan scan;

	c->kept.list = c->list;
	if (are_known(c, row, k)) {
		touched_read(c->touched, row);
		c->kept.size = chain_at_most(c->vocab, k, u);
		memcpy(
		    c->list, row->best->list, c->kept.size * sizeof(*c->list));
		c->sorted = u == 0;
		return true;
	}
	bad = select_scan(&scan, row, chain_at_most(c->vocab, k, u));
	if (bad < row->size)
		return chain_bad_logit(row, bad, err);
	select_others(
	    &scan, k, touched_read(c->touched, row), u, &c->kept, c->scratch);
	c->sorted = false;
	return true;
}

/* The k best others of the row, and the touched ones with new logits. */
static bool
select_some(struct chain *c, const struct row *row, size_t k, struct error *err)
{
	c->entire.row = NULL;
	if (!find_best(c, row, k, err))
		return false;
	if (touched_size(c->touched) > 0) {
		if (!touched_change(c->touched, c, row, err))
			return chain_in_row(row, err);
		c->kept.size = touched_swap(
		    c->touched, c->list, c->kept.size, k);
		c->sorted = false;
	}
	chain_sort(c);
	return true;
}

/* The row itself, or a copy that has the touched ones' new logits. */
static bool
take_row(struct chain *c, const struct row *row, struct error *err)
{
	const float *logits = row_floats(row);
	float max;
	size_t bad = maxima_of_row(logits, row->size, &max);

	if (bad < row->size)
		return chain_bad_logit(row, bad, err);
	if (touched_size(c->touched) > 0) {
		touched_read(c->touched, row);
		if (!touched_change(c->touched, c, row, err))
			return chain_in_row(row, err);
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
	struct row changed = masked(c, row);
	struct error unheard;

	gather_touched(c);
	if (!take_row(c, &changed, err))
		return false;
	c->whole_known = true;
	for (size_t i = c->first; i < s->n_stages && c->whole_known; i++)
		if (sampling_runs(s, i) &&
		    (s->stages[i]->touch != NULL || s->stages[i]->shapes))
			c->whole_known = run_stage(c, i, &unheard);
	entire_list(c);
	for (size_t i = 0; i < c->kept.size; i++)
		c->whole[c->kept.list[i].id] = c->kept.list[i].logit;
	return true;
}

/*
 * Is it one of a twin's candidates?  A ban is lifted only if it is the row's
 * own and the policy does so.
 */
static bool
may_come(
    const struct chain *c, const struct row *row, const struct candidate *one)
{
	if (!row_allows(row, one->id))
		return false;
	return one->logit > -INFINITY ||
	    (c->settings->policy->lifts_bans &&
	        row_float(row, one->id) == -INFINITY &&
	        !sampling_bans(c->settings, one->id));
}

/*
 * What the mask of a twin's row refuses is no candidate at all.  Where it
 * allows none but tokens that the row bans, one of these it has to be, as
 * golem has it; several are alike.
 */
static void
drop_refused(struct chain *c, const struct row *row)
{
	struct candidate *list = c->kept.list;
	float max = -INFINITY;
	size_t n = 0;

	for (size_t i = 0; i < c->kept.size; i++) {
		if (!may_come(c, row, &list[i]))
			continue;
		if (list[i].logit > max)
			max = list[i].logit;
		list[n++] = list[i];
	}
	for (size_t i = 0; i < n && max == -INFINITY; i++)
		list[i].logit = 0;
	c->kept.size = n;
}

/*
 * All that a twin's row allows, best first.  The row was checked before, with
 * all that is changed in it: nothing that is allowed is NaN now.
 */
static void
list_allowed(struct chain *c, const struct row *row)
{
	const float *logits = row_floats(row);
	struct candidate *list = c->list;
	struct error unheard;
	size_t n = 0;

	for (size_t id = 0; id < row->size; id++) {
		if (row->mask[id / 32] >> id % 32 == 0)
			id |= 31; /* nor are the others of this word */
		else if (row_allows(row, id))
			list[n++] = (struct candidate){
			    (uint32_t)id, logits[id], 0};
	}
	c->entire.row = NULL;
	c->kept = (struct candidates){list, n};
	if (touched_size(c->touched) > 0) {
		touched_read(c->touched, row);
		touched_change(c->touched, c, row, &unheard);
		c->kept.size = touched_swap(c->touched, list, n, c->select);
	}
	drop_refused(c, row);
	c->sorted = false;
	chain_sort(c);
}

static bool
gather(struct chain *c, const struct row *row, struct error *err)
{
	struct row changed = masked(c, row);
	size_t touched = gather_touched(c);

	if (c->twin)
		list_allowed(c, row);
	else if (c->select == c->vocab
	        ? !take_row(c, &changed, err)
	        : !select_some(c, &changed, c->select, err))
		return false;
	if (c->settings->policy->softmax_few != NULL && c->vocab <= SOFTMAX_FEW)
		chain_sort(c);
	if (c->kept.size > c->select)
		c->kept.size = c->select;
	if (c->entire.row == NULL)
		c->listed = c->kept.size;
	c->empty = c->kept.size == 0 || chain_max(c) == -INFINITY;
	if (c->empty)
		return error_set(err, STATUS_FAILED,
		    "row %" PRIu64
		    ": no logit is finite%s%s: there is nothing to draw",
		    row->number,
		    row->mask != NULL ? " where the mask allows" : "",
		    touched > 0 ? " after biases and penalties" : "");
	return true;
}

void
chain_best(struct chain *c, const struct row *row, const struct window *window,
    size_t n)
{
	struct row changed = masked(c, row);
	struct error unheard; /* nothing: the row was checked before */

	c->window = window;
	apply_mask(c, row);
	gather_touched(c);
	select_some(c, &changed, n, &unheard);
}

bool
chain_run(struct chain *c, const struct row *row, const struct window *window,
    struct error *err)
{
	const struct sampling *set = c->settings;

	c->window = window;
	c->coin = NAN;
	c->empty = false;
	if (!c->twin || set->traced)
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
		if (i >= c->first && sampling_runs(set, i) &&
		    !run_stage(c, i, err))
			return chain_in_row(row, err);
		c->after[i] = i >= c->first ? c->kept.size : c->vocab;
	}
	c->empty = chain_max(c) == -INFINITY;
	if (c->empty)
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
