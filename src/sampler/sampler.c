/* SPDX-License-Identifier: MIT */
/* The order of events for one row: weigh, draw. */
#include "sampler.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "chain.h"
#include "dmath.h"
#include "dry.h"
#include "strict.h"
#include "touched.h"

/* The policy's width says which of chain and strict is in use. */
struct sampler {
	const struct sampling *settings;
	const struct policy *policy;
	size_t show;
	struct chain chain;
	struct chain *looked_at; /* it, for who looks: it may rank then */
	struct strict strict;
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
	if (s->policy->wide)
		return strict_weigh(&s->strict, row, s->show, err);
	return chain_run(&s->chain, row, window, err);
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

/* Every stage leaves the best: the first that left too few removed it. */
static const char *
removed_by(const struct sampler *s, size_t rank)
{
	const struct sampling *set = s->settings;

	for (size_t i = 0; i < set->n_stages; i++)
		if (s->chain.after[i] <= rank)
			return set->stages[i]->name;
	return set->greedy ? "greedy" : set->finish->name;
}

struct listed
sampler_list(const struct sampler *s, size_t rank)
{
	struct listed l = {0};

	if (s->policy->wide) {
		l.id = s->strict.ranked[rank];
	} else {
		chain_look(s->looked_at, rank);
		l.id = s->chain.kept.list[rank].id;
	}
	if (rank >= sampler_kept(s))
		l.removed = removed_by(s, rank);
	else
		l.p = s->policy->wide
		    ? s->strict.p[l.id]
		    : (double)s->chain.kept.list[rank].p / s->chain.total;
	return l;
}

size_t
sampler_after(const struct sampler *s, size_t i)
{
	return s->chain.after[i];
}

/* exp((logit - max) / temp), where infinite ones mean what they should. */
static double
weight(double logit, double max, double temp)
{
	return logit == max ? 1 : math_exp((logit - max) / temp);
}

/* After masks, biases and penalties, before any stage. */
static double
changed_logit(const struct sampler *s, const struct row *row, uint32_t id)
{
	if (s->policy->wide)
		return row_allows(row, id) ? row->wide[id] : -INFINITY;
	return (double)touched_logit(
	    s->chain.touched, id, chain_logits(&s->chain, row)[id]);
}

static double
temperature(const struct sampler *s)
{
	if (s->settings->greedy)
		return 1;
	if (s->policy->wide)
		return s->settings->temp.wide;
	return sampling_has(s->settings, &stage_temperature)
	    ? (double)s->settings->temp.narrow
	    : 1;
}

double
sampler_retained_mass(const struct sampler *s, const struct row *row)
{
	double temp = temperature(s), max, all = 0, kept = 0;

	max = changed_logit(s, row, sampler_list(s, 0).id);
	for (uint32_t id = 0; id < row->size; id++)
		all += weight(changed_logit(s, row, id), max, temp);
	for (size_t i = 0; i < sampler_kept(s); i++)
		kept += weight(
		    changed_logit(s, row, sampler_list(s, i).id), max, temp);
	return kept / all;
}

struct rng *
sampler_rng(struct sampler *s)
{
	return &s->rng;
}
