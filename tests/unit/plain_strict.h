/* SPDX-License-Identifier: MIT */
/* strict by the letter; tokpick(1), "strict": the rules, one after another. */
#ifndef TOKPICK_TEST_PLAIN_STRICT_H
#define TOKPICK_TEST_PLAIN_STRICT_H

#include <math.h>
#include <stdlib.h>

#include "../../src/sampler/dmath.h"
#include "../../src/sampler/rng.h"
#include "../../src/sampler/row.h"

enum { PLAIN_STRICT_VOCAB_MAX = 6000 };

/* What a command line asks for. */
struct plain_strict_settings {
	const struct generator *generator;
	uint64_t seed;
	bool greedy;
	double temp;
	bool k_given; /* all, unless it was */
	int64_t top_k;
};

struct plain_strict_token {
	uint32_t id;
	double logit;
};

struct plain_strict {
	struct plain_strict_settings set;
	size_t vocab;
	struct rng rng;

	/* The row at hand. */
	struct plain_strict_token
	    ranked[PLAIN_STRICT_VOCAB_MAX]; /* what may be drawn */
	size_t allowed, retained;
	double p[PLAIN_STRICT_VOCAB_MAX]; /* by id */
	uint64_t step;                    /* what a generator by row goes by */
	uint32_t sequence, draws;
};

/* For qsort(): higher logit first, equal ones by lower id. */
static inline int
plain_strict_order(const void *first, const void *second)
{
	const struct plain_strict_token *a = first, *b = second;

	if (a->logit > b->logit)
		return -1;
	if (a->logit < b->logit)
		return 1;
	return a->id < b->id ? -1 : a->id > b->id;
}

/* Kahan's sum. */
static inline double
plain_strict_sum(const double *values, size_t n)
{
	double s = 0, c = 0, y, t;

	for (size_t i = 0; i < n; i++) {
		y = values[i] - c;
		t = s + y;
		c = (t - s) - y;
		s = t;
	}
	return s;
}

static inline void
plain_strict_begin(struct plain_strict *p, size_t vocab)
{
	p->vocab = vocab;
	p->set.generator->seed(&p->rng, p->set.seed);
}

/* Rule 1. */
static inline bool
plain_strict_takes(const struct plain_strict *p, const struct row *row)
{
	for (size_t id = 0; id < p->vocab; id++)
		if (!isfinite(row->wide[id]))
			return false;
	if (!p->set.greedy && !(p->set.temp > 0))
		return false;
	return !p->set.k_given ||
	    (p->set.top_k >= 1 && (uint64_t)p->set.top_k <= p->vocab);
}

/* Rule 2. */
static inline void
plain_strict_rank(struct plain_strict *p, const struct row *row)
{
	p->allowed = 0;
	for (uint32_t id = 0; id < p->vocab; id++)
		if (row_allows(row, id))
			p->ranked[p->allowed++] = (struct plain_strict_token){
			    id, row->wide[id]};
	qsort(p->ranked, p->allowed, sizeof(*p->ranked), plain_strict_order);
	p->retained = p->allowed;
	if (p->set.k_given && (uint64_t)p->set.top_k < p->retained)
		p->retained = (size_t)p->set.top_k;
	if (p->set.greedy && p->retained > 1)
		p->retained = 1;
}

/* Rules 3 and 4. */
static inline void
plain_strict_probabilities(struct plain_strict *p)
{
	static double weights[PLAIN_STRICT_VOCAB_MAX];
	double max = p->ranked[0].logit, temp = p->set.temp, logit, sum;

	weights[0] = 1;
	for (size_t i = 1; i < p->retained; i++) {
		logit = p->ranked[i].logit;
		weights[i] = math_exp(temp < 1 ? (logit - max) / temp
		                               : logit / temp - max / temp);
	}
	sum = plain_strict_sum(weights, p->retained);
	for (size_t id = 0; id < p->vocab; id++)
		p->p[id] = 0;
	for (size_t i = 0; i < p->retained; i++)
		p->p[p->ranked[i].id] = weights[i] / sum;
}

/* Weigh a row; false if it must be refused.  Rule 5 is the last one. */
static inline bool
plain_strict_weigh(struct plain_strict *p, const struct row *row)
{
	double sum;

	p->step = row->step;
	p->sequence = row->sequence;
	p->draws = 0;
	if (!plain_strict_takes(p, row))
		return false;
	plain_strict_rank(p, row);
	if (p->allowed == 0)
		return false;
	plain_strict_probabilities(p);
	sum = plain_strict_sum(p->p, p->vocab);
	return sum >= 1 - 1e-10 && sum <= 1 + 1e-10;
}

/* What one draw from the row is. */
struct plain_strict_draw {
	uint32_t id;
	bool random;
	double unit, start, end;
};

/* Numbers by row: the first draw's purpose is 0, the next is 17, … */
static inline double
plain_strict_unit(struct plain_strict *p)
{
	if (p->set.generator->placed) {
		p->rng.low = p->step;
		p->rng.sequence = p->sequence;
		p->rng.purpose = p->draws == 0 ? 0 : 16 + p->draws;
	}
	return p->set.generator->unit(&p->rng);
}

/* Rules 6 and 7. */
static inline struct plain_strict_draw
plain_strict_draw(struct plain_strict *p)
{
	struct plain_strict_draw d = {.id = p->ranked[0].id, .end = 1};
	uint32_t last = 0;

	if (p->set.greedy)
		return d;
	d.random = true;
	d.unit = plain_strict_unit(p);
	p->draws++;
	for (uint32_t id = 0; id < p->vocab; id++)
		if (p->p[id] > 0)
			last = id;
	d.end = 0;
	for (d.id = 0;; d.id++) {
		if (p->p[d.id] <= 0)
			continue;
		d.start = d.end;
		d.end = d.start + p->p[d.id];
		if (d.end > 1 || d.id == last)
			d.end = 1;
		if (d.unit < d.end)
			return d;
	}
}

#endif
