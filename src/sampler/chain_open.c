/* SPDX-License-Identifier: MIT */
/* Chains opened and closed: how much memory the stages can need. */
#include <errno.h>
#include <stdlib.h>

#include "../array.h"
#include "chain.h"
#include "dry.h"
#include "select.h"
#include "touched.h"

/*
 * The stages at the head that change the logits of a few ids, or do
 * nothing, come in the way of the touched set; this is the first other one.
 */
static size_t
first_stage(const struct sampling *s)
{
	size_t i = 0;

	while (i < s->n_stages &&
	    (!sampling_runs(s, i) || s->stages[i]->touch != NULL))
		i++;
	return i;
}

/* Greedy needs no stage if none changes which candidate is the best. */
static bool
takes_first(const struct sampling *s, size_t first)
{
	for (size_t i = first; i < s->n_stages; i++)
		if (sampling_runs(s, i) &&
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
		if (!sampling_runs(s, i))
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

static bool
allocate(struct chain *c)
{
	bool traced = c->settings->traced;
	bool order = sampling_has(c->settings, &stage_typ_p) ||
	    sampling_has(c->settings, &stage_adaptive_p);
	bool entire = traced || c->twin || c->select == c->vocab;
	size_t touched = touched_limit(c->touched), room;
	bool changed;

	changed = c->settings->masked || c->twin || (entire && touched > 0);
	room = chain_at_most(c->vocab, entire ? c->vocab : c->select, touched);
	room = select_room(c->vocab, room);
	room = chain_at_most(c->vocab, room, touched);
	c->list = array_new(room, sizeof(*c->list));
	c->scratch = array_new(room, sizeof(*c->scratch));
	if (order)
		c->order = array_new(room, sizeof(*c->order));
	c->after = calloc(c->settings->n_stages + 1, sizeof(*c->after));
	if (changed)
		c->changed = array_new(c->vocab, sizeof(*c->changed));
	if (entire)
		c->entire.weights = array_new(c->vocab, sizeof(float));
	if (traced) {
		c->whole = array_new(c->vocab, sizeof(*c->whole));
		c->view = array_new(room, sizeof(*c->view));
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

	s->generator->seed(&c->memory->coin, s->seed);
	c->memory->mu = 2 * s->mirostat_entropy;
	c->memory->weighted = s->adaptive_target / (1 - s->adaptive_decay);
	c->memory->weight = 1 / (1 - s->adaptive_decay);
}

bool
chain_open(struct chain *c, const struct sampling *settings, size_t vocab,
    size_t show, struct memory *memory, struct error *err)
{
	*c = (struct chain){.settings = settings,
	    .vocab = vocab,
	    .show = show,
	    .memory = memory};
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

bool
chain_open_twin(struct chain *c, const struct chain *of, struct error *err)
{
	*c = (struct chain){.settings = of->settings,
	    .vocab = of->vocab,
	    .show = of->show,
	    .memory = of->memory,
	    .first = of->first,
	    .select = of->select,
	    .dry = of->dry,
	    .touched = of->touched,
	    .twin = true};
	if (allocate(c))
		return true;
	chain_close(c);
	return error_system(
	    err, ENOMEM, "candidates of a row of %zu", c->vocab);
}

void
chain_close(struct chain *c)
{
	if (!c->twin) {
		dry_free(c->dry);
		touched_free(c->touched);
	}
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
