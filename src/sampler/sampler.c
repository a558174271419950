/* SPDX-License-Identifier: MIT */
/* The order of events for one row: weigh, draw. */
#include "sampler.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "../constraint/constraint.h"
#include "chain.h"
#include "dry.h"
#include "inside.h"
#include "memory.h"
#include "strict.h"
#include "touched.h"

/* The policy's width says which of chain and strict is in use. */
struct sampler {
	const struct sampling *settings;
	const struct policy *policy;
	size_t show;
	struct chain chain;
	struct chain *looked_at; /* it or inside's, whichever was drawn from */
	struct inside inside;    /* where settings have a constraint */
	struct strict strict;
	struct mass mass; /* of the row last weighed, if traced */
	struct row row;   /* the one last weighed, … */
	const struct window *window;
	size_t draws; /* … and how often it was drawn from */
	struct memory memory;
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
	s->settings->generator->seed(&s->rng, settings->seed);
	if (!(s->policy->wide ? strict_open(&s->strict, settings, vocab, err)
	                      : chain_open(&s->chain, settings, vocab, show,
	                            &s->memory, err))) {
		free(s);
		return NULL;
	}
	if (settings->inside == NULL ||
	    inside_open(&s->inside, settings->inside,
	        s->policy->wide ? NULL : &s->chain, vocab, err))
		return s;
	sampler_free(s);
	return NULL;
}

void
sampler_free(struct sampler *s)
{
	if (s == NULL)
		return;
	inside_close(&s->inside);
	if (s->policy->wide)
		strict_close(&s->strict);
	else
		chain_close(&s->chain);
	free(s);
}

size_t
sampler_wants(const struct sampler *s)
{
	const struct chain *c = &s->chain;

	if (s->policy->wide || s->settings->masked || s->settings->traced ||
	    c->select == c->vocab)
		return 0;
	return chain_at_most(c->vocab, c->select, touched_limit(c->touched));
}

/* The next number is the one for this purpose, where that decides it. */
static void
place(const struct sampler *s, struct rng *rng, uint32_t purpose)
{
	if (!s->settings->generator->placed)
		return;
	rng->low = s->row.step;
	rng->sequence = s->row.sequence;
	rng->purpose = purpose;
}

/* The textbook ranks what is allowed alone, and draws once. */
static bool
weigh_strict(struct sampler *s, const struct row *row, struct error *err)
{
	struct row allowed = *row;

	if (s->settings->inside != NULL) {
		if (!inside_ask_all(&s->inside, row, err))
			return false;
		if (!s->inside.dead_end)
			allowed.mask = s->inside.allowed;
	}
	if (!strict_weigh(&s->strict, &allowed, s->show, err))
		return false;
	if (s->settings->traced)
		s->mass = mass_of_strict(&s->strict, &allowed);
	return true;
}

bool
sampler_weigh(struct sampler *s, const struct row *row,
    const struct window *window, struct error *err)
{
	s->row = *row;
	place(s, &s->memory.coin, PURPOSE_COIN);
	s->window = window;
	s->draws = 0;
	s->looked_at = &s->chain;
	inside_restart(&s->inside);
	if (s->policy->wide)
		return weigh_strict(s, row, err);
	if (!chain_run(&s->chain, row, window, err))
		return false;
	if (s->settings->traced)
		s->mass = mass_of_chain(&s->chain);
	return true;
}

bool
sampler_confine(struct sampler *s, bool *dead_end, struct error *err)
{
	struct inside *in = &s->inside;

	if (!s->policy->wide && !in->weighed) {
		if (!inside_weigh(in, &s->row, s->window, err))
			return false;
		if (s->settings->traced && !in->dead_end)
			in->mass = mass_of_chain(&in->chain);
	}
	*dead_end = in->dead_end;
	if (!in->dead_end && !s->policy->wide)
		s->looked_at = &in->chain;
	return true;
}

/* The textbook draws whenever it isn't greedy, also with one left. */
static void
draw_strict(struct sampler *s, struct decision *d)
{
	d->random = !s->settings->greedy;
	d->id = s->strict.ranked[0];
	if (d->random) {
		d->unit = s->settings->generator->unit(&s->rng);
		d->id = strict_draw(&s->strict, d->unit, &d->at);
	}
	d->p = s->strict.p[d->id];
}

static void
draw_chain(struct sampler *s, struct chain *c, struct decision *d)
{
	const struct candidate *drawn = c->kept.list;

	if (!s->settings->greedy)
		drawn += s->settings->finish->draw(c, &s->rng, d);
	d->id = drawn->id;
	d->p = (double)drawn->p / c->total;
}

/* What was drawn is refused: draw once more, from what is allowed. */
static bool
draw_again(struct sampler *s, struct decision *d, struct error *err)
{
	struct refused refused = {d->id, d->p, d->random, d->unit};
	const struct finish *finish = s->settings->finish;
	struct chain *looked_at = s->looked_at;

	if (finish->learns && !s->settings->greedy)
		finish->accept(&s->chain, d);
	if (!sampler_confine(s, &d->dead_end, err))
		return false;
	if (s->draws > 1)
		s->looked_at = looked_at;
	place(s, &s->rng, PURPOSE_AGAIN(s->draws - 1));
	if (d->dead_end)
		return true;
	*d = (struct decision){.at = {0, 1}, .again = true, .refused = refused};
	draw_chain(s, &s->inside.chain, d);
	return true;
}

bool
sampler_draw(struct sampler *s, struct decision *d, struct error *err)
{
	bool allowed = true;

	*d = (struct decision){.at = {0, 1}};
	place(s, &s->rng, PURPOSE_DRAW(s->draws));
	s->draws++;
	if (s->policy->wide) {
		draw_strict(s, d);
		d->dead_end = s->inside.dead_end;
		return true;
	}
	draw_chain(s, &s->chain, d);
	if (s->settings->inside != NULL &&
	    !constraint_ask(s->settings->inside, d->id, &allowed, err))
		return chain_in_row(&s->row, err);
	return allowed || draw_again(s, d, err);
}

void
sampler_accept(struct sampler *s, const struct decision *d)
{
	if (s->settings->finish != NULL && !s->settings->greedy &&
	    s->settings->finish->accept != NULL)
		s->settings->finish->accept(
		    d->again ? &s->inside.chain : &s->chain, d);
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
	return s->policy->wide ? s->strict.retained : s->looked_at->kept.size;
}

size_t
sampler_listed(const struct sampler *s)
{
	if (s->policy->wide)
		return s->strict.listed;
	return s->looked_at->entire.row != NULL ? s->looked_at->kept.size
	                                        : s->looked_at->listed;
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
	step.left = s->looked_at->after[i];
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
		while (i < stages(s) && s->looked_at->after[i] > rank)
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
		c = s->looked_at->view != NULL ? &s->looked_at->view[rank]
		                               : &s->looked_at->kept.list[rank];
		l.id = c->id;
		l.p = l.removed ? 0 : (double)c->p / s->looked_at->total;
	}
	if (l.removed)
		l.removal = removed_by(s, rank);
	return l;
}

struct steering
sampler_steering(const struct sampler *s)
{
	const struct sampling *set = s->settings;
	const struct chain *c = s->looked_at;
	struct steering t = {NAN, NAN, NAN, NAN, NAN};

	if (s->policy->wide || set->greedy)
		return t;
	if (set->dynatemp_range > 0)
		t.dynamic_temp = c->dynamic_temp;
	if (sampling_has(set, &stage_xtc))
		t.coin = c->coin;
	if (set->finish->cuts)
		t.mu = s->memory.mu;
	if (set->finish == &finish_adaptive_p && set->adaptive_target >= 0) {
		t.weighted = s->memory.weighted;
		t.weight = s->memory.weight;
	}
	return t;
}

struct mass
sampler_mass(const struct sampler *s)
{
	return s->looked_at == &s->chain ? s->mass : s->inside.mass;
}

struct rng *
sampler_rng(struct sampler *s)
{
	return &s->rng;
}

/* The coin is like the generator that draws, and only xtc tosses it. */
static void
copy_memory(
    const struct sampler *s, struct memory *to, const struct memory *from)
{
	to->mu = from->mu;
	to->weighted = from->weighted;
	to->weight = from->weight;
	if (sampling_has(s->settings, &stage_xtc))
		rng_copy(s->settings->generator, &to->coin, &from->coin);
}

void
sampler_mark(struct sampler *s)
{
	rng_copy(s->settings->generator, &s->marked_rng, &s->rng);
	copy_memory(s, &s->marked_memory, &s->memory);
}

void
sampler_back(struct sampler *s)
{
	rng_copy(s->settings->generator, &s->rng, &s->marked_rng);
	copy_memory(s, &s->memory, &s->marked_memory);
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
