/* SPDX-License-Identifier: MIT */
/* The order of events for one row: weigh, draw. */
#include "sampler.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "chain.h"
#include "strict.h"

/* The policy's width says which of chain and strict is in use. */
struct sampler {
	const struct sampling *settings;
	const struct policy *policy;
	size_t show;
	struct chain chain;
	struct strict strict;
	struct mass mass; /* of the row last weighed, if traced */
	struct rng rng;
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
	bool traced = s->settings->traced;

	if (s->policy->wide) {
		if (!strict_weigh(&s->strict, row, s->show, err))
			return false;
		if (traced)
			s->mass = mass_of_strict(&s->strict, row);
		return true;
	}
	if (!chain_run(&s->chain, row, window, err))
		return false;
	s->policy->softmax(s->chain.kept.list, s->chain.kept.size);
	if (traced)
		s->mass = mass_of_chain(&s->chain);
	return true;
}

/* The textbook draws whenever it isn't greedy, the chain if it can choose. */
static bool
wants_random(const struct sampler *s)
{
	return !s->settings->greedy &&
	    (s->policy->wide || s->chain.kept.size > 1);
}

void
sampler_draw(struct sampler *s, struct decision *d)
{
	const struct candidates *kept = &s->chain.kept;
	size_t drawn;

	*d = (struct decision){.random = wants_random(s), .at = {0, 1}};
	if (d->random)
		d->unit = s->policy->generator->unit(&s->rng);
	if (s->policy->wide) {
		d->id = d->random ? strict_draw(&s->strict, d->unit, &d->at)
		                  : s->strict.ranked[0];
		d->p = s->strict.p[d->id];
		return;
	}
	drawn = d->random
	    ? s->policy->draw(kept->list, kept->size, d->unit, &d->at)
	    : 0;
	d->id = kept->list[drawn].id;
	d->p = (double)kept->list[drawn].p;
}

size_t
sampler_kept(const struct sampler *s)
{
	return s->policy->wide ? s->strict.retained : s->chain.kept.size;
}

size_t
sampler_listed(const struct sampler *s)
{
	return s->policy->wide ? s->strict.listed : s->chain.listed;
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
	return stages(s) + (s->settings->greedy ? 1 : 0);
}

struct step
sampler_step(const struct sampler *s, size_t i)
{
	const struct sampling *set = s->settings;
	struct step step = {.time = 1};

	if (i >= stages(s) || s->policy->wide) {
		step.name = i >= stages(s) ? "greedy" : stage_top_k.name;
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
		c = &s->chain.kept.list[rank];
		l.id = c->id;
		l.p = l.removed ? 0 : (double)c->p;
	}
	if (l.removed)
		l.removal = removed_by(s, rank);
	return l;
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
