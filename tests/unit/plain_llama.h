/* SPDX-License-Identifier: MIT */
/* llama.cpp's chain by the letter: a row through the stages, and the draw. */
#ifndef TOKPICK_TEST_PLAIN_LLAMA_H
#define TOKPICK_TEST_PLAIN_LLAMA_H

#include "plain_stages.h"

/* What the chain ends with. */

static inline void
plain_mirostat_1(struct plain *p)
{
	float tb = 0, tt = 0, t, b, s, e, k;

	for (size_t i = 0; i < 99 && i + 1 < p->n; i++) {
		t = math_logf((float)(i + 2) / (float)(i + 1));
		b = math_logf(p->list[i].p / p->list[i + 1].p);
		tb = tb + t * b;
		tt = tt + t * t;
	}
	s = tb / tt;
	e = s - 1;
	k = math_powf((e * math_powf(2, p->memory.mu)) /
	        (1 - math_powf((float)p->vocab, -e)),
	    1 / s);
	if (isnan(k) || k < 1 || k >= 2147483648.0f)
		k = 1;
	if (k < (float)p->n)
		p->n = (size_t)k;
}

static inline void
plain_mirostat_2(struct plain *p)
{
	for (size_t i = 1; i < p->n; i++)
		if (-math_log2f(p->list[i].p) > p->memory.mu)
			p->n = i;
}

static inline void
plain_adapt(struct plain *p)
{
	float x, d;

	for (size_t i = 0; i < p->n; i++)
		p->first_p[i] = p->list[i].p;
	x = plain_clamp(
	    2 * plain_clamp(p->set.target) - p->memory.sum / p->memory.weight);
	for (size_t i = 0; i < p->n; i++) {
		if (p->list[i].logit == -INFINITY)
			continue;
		d = fabsf((p->first_p[i] - x) * (1.0f / 0.3f));
		p->list[i].logit = 5.0f - 10.0f * d * d / (1.0f + d);
	}
	plain_softmax(p);
}

/* The probabilities of what is left. */
static inline void
plain_finish(struct plain *p)
{
	p->total = 1;
	if (p->set.mirostat > 0) {
		plain_sort(p);
		plain_softmax(p);
		if (p->set.mirostat == 1)
			plain_mirostat_1(p);
		else
			plain_mirostat_2(p);
		plain_softmax(p);
	} else if (p->adapts) {
		plain_softmax(p);
		if (p->set.target >= 0)
			plain_adapt(p);
	} else {
		plain_weights(p);
		p->total = 0;
		for (size_t i = 0; i < p->n; i++)
			p->total += (double)p->list[i].p;
	}
}

/* What one draw from the row is. */
struct plain_draw {
	size_t index; /* in the list */
	bool random;
	double unit, start, end;
};

static inline bool
plain_is_discrete(const struct plain *p)
{
	return p->set.mirostat > 0 || p->adapts;
}

static inline uint32_t
plain_purpose(const struct plain *p)
{
	bool again = p->inside != NULL;

	if (p->draws == 0)
		return again ? 2 : 0;
	return 16 + p->draws + (again ? UINT32_C(1) << 31 : 0);
}

/* The first place where the running sum reaches the random number. */
static inline struct plain_draw
plain_draw(struct plain *p)
{
	bool discrete = plain_is_discrete(p);
	struct plain_draw d = {.end = 1};
	double all = 0, sum = 0, goal;

	d.random = !p->set.greedy &&
	    (p->n > 1 || (!discrete && p->set.lone_draw));
	plain_place(p, &p->memory.rng, plain_purpose(p));
	p->draws++;
	if (d.random)
		d.unit = p->set.generator->unit(&p->memory.rng);
	if (p->n < 2)
		return d;
	for (size_t i = 0; i < p->n; i++)
		all += (double)p->list[i].p;
	goal = discrete ? d.unit : all * d.unit;
	for (d.index = 0;; d.index++) {
		d.start = sum;
		sum += discrete ? (double)p->list[d.index].p / all
		                : (double)p->list[d.index].p;
		if (discrete && d.index == p->n - 1)
			sum = 1;
		if (sum >= goal && (discrete || p->list[d.index].p > 0))
			break;
	}
	d.end = sum;
	if (!discrete) {
		d.start /= all;
		d.end /= all;
	}
	return d;
}

/* That draw was taken. */
static inline void
plain_accept(struct plain *p, const struct plain_draw *d)
{
	struct plain_memory *m = &p->memory;
	float surprise;

	if (p->set.greedy)
		return;
	if (p->set.mirostat > 0) {
		surprise = -math_log2f(p->list[d->index].p);
		m->mu = m->mu - p->set.rate * (surprise - p->set.entropy);
	} else if (p->adapts && p->set.target >= 0) {
		m->sum = p->first_p[d->index] + p->set.decay * m->sum;
		m->weight = 1 + p->set.decay * m->weight;
	}
}

/* A row. */

static inline void
plain_take(struct plain *p, const struct row *row)
{
	p->n = p->vocab;
	p->sorted = p->refused = p->adapts = false;
	p->toss = p->heat = NAN;
	p->step = row->step;
	p->sequence = row->sequence;
	p->draws = 0;
	for (uint32_t id = 0; id < p->vocab; id++) {
		p->list[id] = (struct candidate){id, row->logits[id], 0};
		if (!(row->logits[id] < INFINITY))
			p->refused = true;
		if (!row_allows(row, id))
			p->list[id].logit = -INFINITY;
	}
	for (size_t i = 0; i < p->set.n_biases; i++)
		p->list[p->set.biases[i].id].logit += p->set.biases[i].add;
	plain_refuse_nan(p);
}

static inline void
plain_begin(struct plain *p, size_t vocab, uint64_t seed)
{
	p->vocab = vocab;
	if (p->set.generator == NULL)
		p->set.generator = &generator_mt19937;
	p->set.generator->seed(&p->memory.rng, seed);
	p->memory.coin = p->memory.rng;
	p->memory.mu = 2 * p->set.entropy;
	p->memory.sum = p->set.target / (1 - p->set.decay);
	p->memory.weight = 1 / (1 - p->set.decay);
	p->n_ids = 0;
}

/* Is a stage one that removes no token, or one that is off? */
static inline bool
plain_is_head(const struct plain *p, const struct plain_stage *stage)
{
	const struct plain_settings *s = &p->set;

	switch (stage->letter) {
	case 's':
		return s->n_sigma <= 0;
	case 'k':
		return s->top_k <= 0;
	case 'y':
		return s->typical >= 1;
	case 'p':
		return s->top_p >= 1;
	case 'm':
		return s->min_p <= 0;
	case 'x':
		return s->xtc_probability <= 0 || s->xtc_threshold > 0.5f;
	case 't':
		return s->temp == 1 && s->range <= 0;
	default: /* penalties and dry, and adaptive_p, which comes last */
		return true;
	}
}

/* Of what is refused or banned there is no more talk; the rest is ranked. */
static inline void
plain_confine(struct plain *p)
{
	size_t n = 0;
	uint32_t id;

	for (size_t i = 0; i < p->n; i++) {
		id = p->list[i].id;
		if ((p->inside[id / 32] >> id % 32 & 1) != 0 &&
		    p->list[i].logit > -INFINITY)
			p->list[n++] = p->list[i];
	}
	p->n = n;
	p->sorted = false;
	plain_sort(p);
}

/* The stages; a second draw is confined before one removes a token. */
static inline void
plain_run(struct plain *p)
{
	bool head = p->inside != NULL;

	for (size_t i = 0; i < p->set.n_stages && !p->refused; i++) {
		if (head && !plain_is_head(p, p->set.stages[i])) {
			head = false;
			plain_confine(p);
		}
		p->set.stages[i]->run(p);
	}
	if (head && !p->refused)
		plain_confine(p);
}

/*
 * Weigh a row; false if it must be refused, or if nothing is left.  Nothing
 * has moved then, but for a coin before a second draw.
 */
static inline bool
plain_weigh(struct plain *p, const struct row *row)
{
	struct plain_memory before = p->memory;

	plain_take(p, row);
	plain_run(p);
	if (p->refused || p->n == 0 ||
	    p->list[plain_best(p)].logit == -INFINITY) {
		if (p->inside == NULL)
			p->memory = before;
		return false;
	}
	if (!p->set.greedy) {
		plain_finish(p);
		return true;
	}
	plain_sort(p);
	p->n = 1;
	p->total = 1;
	plain_softmax(p);
	return true;
}

#endif
