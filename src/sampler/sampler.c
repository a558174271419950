/* SPDX-License-Identifier: MIT */
/* The order of events for one row: weigh, draw. */
#include "sampler.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "chain.h"
#include "dry.h"
#include "memory.h"
#include "strict.h"

/* The policy's width says which of chain and strict is in use. */
struct sampler {
	const struct sampling *settings;
	const struct policy *policy;
	size_t show;
	struct chain chain;
	struct chain *looked_at; /* it, for who looks: it may rank then */
	struct strict strict;
	struct mass mass; /* of the row last weighed, if traced */
	struct rng rng;
	struct rng marked_rng; /* as they were at sampler_mark() */
	struct memory marked_memory;
};

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
sampler_new(const struct sampling *settings, size_t vocab, size_t show,
    struct error *err)
{
	struct sampler *s;

	if (!biases_fit(settings, vocab, err))
		return NULL;
	s = calloc(1, sizeof(*s));
	if (s == NULL) {
		error_system(err, ENOMEM, "the sampler");
		return NULL;
	}
	s->settings = settings;
	s->policy = settings->policy;
	s->show = show;
	s->looked_at = &s->chain;
	s->policy->generator->seed(&s->rng, settings->seed);
	if (s->policy->wide ? strict_open(&s->strict, settings, vocab, err)
	                    : chain_open(&s->chain, settings, vocab, show, err))
		return s;
	free(s);
	return NULL;
}

void
sampler_free(struct sampler *s)
{
	if (s == NULL)
		return;
	if (s->policy->wide)
		strict_close(&s->strict);
	else
		chain_close(&s->chain);
	free(s);
}

bool
sampler_weigh(struct sampler *s, const struct row *row,
    const struct window *window, struct error *err)
{
	if (s->policy->wide ? !strict_weigh(&s->strict, row, s->show, err)
	                    : !chain_run(&s->chain, row, window, err))
		return false;
	if (s->settings->traced)
		s->mass = s->policy->wide ? mass_of_strict(&s->strict, row)
		                          : mass_of_chain(&s->chain);
	return true;
}

/* The textbook draws whenever it isn't greedy, also with one left. */
static void
draw_strict(struct sampler *s, struct decision *d)
{
	d->random = !s->settings->greedy;
	d->id = s->strict.ranked[0];
	if (d->random) {
		d->unit = s->policy->generator->unit(&s->rng);
		d->id = strict_draw(&s->strict, d->unit, &d->at);
	}
	d->p = s->strict.p[d->id];
}

void
sampler_draw(struct sampler *s, struct decision *d)
{
	const struct candidate *drawn = s->chain.kept.list;

	*d = (struct decision){.at = {0, 1}};
	if (s->policy->wide) {
		draw_strict(s, d);
		return;
	}
	if (!s->settings->greedy)
		drawn += s->settings->finish->draw(&s->chain, &s->rng, d);
	d->id = drawn->id;
	d->p = (double)drawn->p / s->chain.total;
}

void
sampler_accept(struct sampler *s, const struct decision *d)
{
	if (s->settings->finish != NULL && !s->settings->greedy &&
	    s->settings->finish->accept != NULL)
		s->settings->finish->accept(&s->chain, d);
}

void
sampler_join(struct sampler *s, uint32_t id)
{
	if (s->chain.dry != NULL)
		dry_join(s->chain.dry, id);
}

size_t
sampler_kept(const struct sampler *s)
{
	return s->policy->wide ? s->strict.retained : s->chain.kept.size;
}

size_t
sampler_listed(const struct sampler *s)
{
	if (s->policy->wide)
		return s->strict.listed;
	return s->chain.entire.row != NULL ? s->chain.kept.size
	                                   : s->chain.listed;
}

const double *
sampler_by_id(const struct sampler *s)
{
	return s->policy->wide ? s->strict.p : NULL;
}

/* The steps before greedy's. */
static size_t
stages(const struct sampler *s)
{
	if (s->policy->wide)
		return s->settings->greedy ? 0 : 1;
	return s->settings->n_stages;
}

size_t
sampler_steps(const struct sampler *s)
{
	const struct sampling *set = s->settings;
	bool more = set->greedy || (!s->policy->wide && set->finish->cuts);

	return stages(s) + (more ? 1 : 0);
}

struct step
sampler_step(const struct sampler *s, size_t i)
{
	const struct sampling *set = s->settings;
	struct step step = {.time = 1};

	if (i >= stages(s) || s->policy->wide) {
		step.name = stage_top_k.name;
		if (i >= stages(s))
			step.name = set->greedy ? "greedy" : set->finish->name;
		step.left = sampler_kept(s);
		return step;
	}
	step.name = set->stages[i]->name;
	step.left = s->chain.after[i];
	for (size_t before = 0; before < i; before++)
		step.time += set->stages[before] == set->stages[i];
	return step;
}

/* What is removed stays where it was: the first that left too few did it. */
static size_t
removed_by(const struct sampler *s, size_t rank)
{
	size_t i = 0;

	if (!s->policy->wide)
		while (i < stages(s) && s->chain.after[i] > rank)
			i++;
	return i;
}

struct listed
sampler_list(const struct sampler *s, size_t rank)
{
	struct listed l = {.removed = rank >= sampler_kept(s)};
	const struct candidate *c;

	if (s->policy->wide) {
		l.id = s->strict.ranked[rank];
		l.p = s->strict.p[l.id];
	} else {
		chain_look(s->looked_at, rank);
		c = s->chain.view != NULL ? &s->chain.view[rank]
		                          : &s->chain.kept.list[rank];
		l.id = c->id;
		l.p = l.removed ? 0 : (double)c->p / s->chain.total;
	}
	if (l.removed)
		l.removal = removed_by(s, rank);
	return l;
}

struct steering
sampler_steering(const struct sampler *s)
{
	const struct sampling *set = s->settings;
	const struct chain *c = &s->chain;
	struct steering t = {NAN, NAN, NAN, NAN, NAN};

	if (s->policy->wide || set->greedy)
		return t;
	if (set->dynatemp_range > 0)
		t.dynamic_temp = c->dynamic_temp;
	if (sampling_has(set, &stage_xtc))
		t.coin = c->coin;
	if (set->finish->cuts)
		t.mu = c->memory.mu;
	if (set->finish == &finish_adaptive_p && set->adaptive_target >= 0) {
		t.weighted = c->memory.weighted;
		t.weight = c->memory.weight;
	}
	return t;
}

struct mass
sampler_mass(const struct sampler *s)
{
	return s->mass;
}

struct rng *
sampler_rng(struct sampler *s)
{
	return &s->rng;
}

void
sampler_mark(struct sampler *s)
{
	s->marked_rng = s->rng;
	s->marked_memory = s->chain.memory;
}

void
sampler_back(struct sampler *s)
{
	s->rng = s->marked_rng;
	s->chain.memory = s->marked_memory;
}

bool
sampler_remember(const struct sampler *s, struct pairs *to, struct error *err)
{
	return memory_print(s->settings, &s->rng, &s->chain, to, err);
}

bool
sampler_recall(
    struct sampler *s, const struct pair *p, bool reseeded, struct error *err)
{
	return memory_parse(s->settings, &s->rng, &s->chain, p, reseeded, err);
}
