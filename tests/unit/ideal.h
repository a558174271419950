/* SPDX-License-Identifier: MIT */
/*
 * What stages do to a distribution, by their definitions: sets of ids and
 * real numbers, worked out in double.  Of the sampler's own code there is exp
 * and log alone.
 */
#ifndef TOKPICK_TEST_IDEAL_H
#define TOKPICK_TEST_IDEAL_H

#include "helper.h"

#include "../../src/sampler/dmath.h"

enum { IDEAL_VOCAB = 16 };

struct ideal {
	double logit[IDEAL_VOCAB];
	bool gone[IDEAL_VOCAB];
	unsigned count[IDEAL_VOCAB]; /* how often each stands in the window */
	bool tossed;                 /* did xtc's coin say to cut? */
};

/* One stage with its setting. */
struct ideal_step {
	void (*run)(struct ideal *, double setting);
	double setting;
};

static inline double
ideal_power(double base, double exponent)
{
	return base > 0 ? math_exp(exponent * math_log(base)) : 0;
}

/* Newton's iteration, from above. */
static inline double
ideal_root(double square)
{
	double root = square > 1 ? square : 1, next;

	while ((next = (root + square / root) / 2) < root)
		root = next;
	return root;
}

/* The softmax of what is left. */
static inline void
ideal_softmax(const struct ideal *x, double p[IDEAL_VOCAB])
{
	double sum = 0;

	for (size_t id = 0; id < IDEAL_VOCAB; id++) {
		p[id] = x->gone[id] ? 0 : math_exp(x->logit[id]);
		sum += p[id];
	}
	for (size_t id = 0; id < IDEAL_VOCAB; id++)
		p[id] /= sum;
}

/* Does the first come before the second? */
static inline bool
ideal_before(const double *value, size_t a, size_t b)
{
	return value[a] > value[b] || (value[a] == value[b] && a < b);
}

/* How many that are left come before it, and what they have of p. */
static inline size_t
ideal_rank(const struct ideal *x, const double *value, size_t id,
    const double *p, double *above)
{
	size_t rank = 0;

	*above = 0;
	for (size_t other = 0; other < IDEAL_VOCAB; other++) {
		if (x->gone[other] || !ideal_before(value, other, id))
			continue;
		*above += p[other];
		rank++;
	}
	return rank;
}

static inline double
ideal_entropy(const double *p)
{
	double h = 0;

	for (size_t id = 0; id < IDEAL_VOCAB; id++)
		h -= p[id] > 0 ? p[id] * math_log(p[id]) : 0;
	return h;
}

static inline size_t
ideal_left(const struct ideal *x)
{
	size_t n = 0;

	for (size_t id = 0; id < IDEAL_VOCAB; id++)
		n += !x->gone[id];
	return n;
}

static inline double
ideal_max(const struct ideal *x)
{
	double max = -INFINITY;

	for (size_t id = 0; id < IDEAL_VOCAB; id++)
		if (!x->gone[id] && x->logit[id] > max)
			max = x->logit[id];
	return max;
}

/* Those that no more than so many come before, with so much of p. */
static inline void
ideal_keep(struct ideal *x, const double *value, double mass, double most)
{
	double p[IDEAL_VOCAB], above;
	bool goes[IDEAL_VOCAB];
	size_t rank;

	ideal_softmax(x, p);
	for (size_t id = 0; id < IDEAL_VOCAB; id++) {
		rank = ideal_rank(x, value, id, p, &above);
		goes[id] = above >= mass || (double)rank >= most;
	}
	for (size_t id = 0; id < IDEAL_VOCAB; id++)
		x->gone[id] = x->gone[id] || goes[id];
}

static inline void
ideal_top_k(struct ideal *x, double k)
{
	ideal_keep(x, x->logit, 2, k);
}

static inline void
ideal_top_p(struct ideal *x, double mass)
{
	ideal_keep(x, x->logit, mass, IDEAL_VOCAB);
}

/* The nearest to the entropy first. */
static inline void
ideal_typical(struct ideal *x, double mass)
{
	double p[IDEAL_VOCAB], nearness[IDEAL_VOCAB], h;

	ideal_softmax(x, p);
	h = ideal_entropy(p);
	for (size_t id = 0; id < IDEAL_VOCAB; id++)
		nearness[id] = p[id] > 0 ? -fabs(-math_log(p[id]) - h)
		                         : -INFINITY;
	ideal_keep(x, nearness, mass, IDEAL_VOCAB);
}

/* Those at least so likely, the likeliest being one. */
static inline void
ideal_at_least(struct ideal *x, double floor)
{
	double p[IDEAL_VOCAB], best = ideal_max(x);

	ideal_softmax(x, p);
	for (size_t id = 0; id < IDEAL_VOCAB; id++)
		x->gone[id] = x->gone[id] ||
		    (p[id] < floor && x->logit[id] < best);
}

static inline void
ideal_min_p(struct ideal *x, double part)
{
	double p[IDEAL_VOCAB], best = 0;

	ideal_softmax(x, p);
	for (size_t id = 0; id < IDEAL_VOCAB; id++)
		best = p[id] > best ? p[id] : best;
	ideal_at_least(x, part * best);
}

static inline void
ideal_sigma(struct ideal *x, double deviations)
{
	double n = (double)ideal_left(x), mean = 0, square = 0, d, floor;

	for (size_t id = 0; id < IDEAL_VOCAB; id++)
		mean += x->gone[id] ? 0 : x->logit[id] / n;
	for (size_t id = 0; id < IDEAL_VOCAB; id++) {
		d = x->logit[id] - mean;
		square += x->gone[id] ? 0 : d * d / n;
	}
	floor = ideal_max(x) - deviations * ideal_root(square);
	for (size_t id = 0; id < IDEAL_VOCAB; id++)
		x->gone[id] = x->gone[id] || x->logit[id] < floor;
}

/* If the coin says so, all go that are likelier than the last likely one. */
static inline void
ideal_xtc(struct ideal *x, double likely)
{
	double p[IDEAL_VOCAB], least = 2;

	ideal_softmax(x, p);
	for (size_t id = 0; id < IDEAL_VOCAB; id++)
		if (p[id] >= likely && p[id] < least)
			least = p[id];
	for (size_t id = 0; x->tossed && id < IDEAL_VOCAB; id++)
		x->gone[id] = x->gone[id] || p[id] > least;
}

static inline void
ideal_temperature(struct ideal *x, double temp)
{
	for (size_t id = 0; id < IDEAL_VOCAB; id++)
		x->logit[id] /= temp;
}

/* Half a unit on either side of the temperature, with exponent 1.5. */
static inline void
ideal_dynamic(struct ideal *x, double temp)
{
	double p[IDEAL_VOCAB], part;

	ideal_softmax(x, p);
	part = ideal_entropy(p) / math_log((double)ideal_left(x));
	ideal_temperature(x, temp - 0.5 + ideal_power(part, 1.5));
}

static inline void
ideal_repeat(struct ideal *x, double factor)
{
	for (size_t id = 0; id < IDEAL_VOCAB; id++)
		if (x->count[id] > 0)
			x->logit[id] *= x->logit[id] > 0 ? 1 / factor : factor;
}

static inline void
ideal_frequency(struct ideal *x, double each)
{
	for (size_t id = 0; id < IDEAL_VOCAB; id++)
		x->logit[id] -= each * x->count[id];
}

static inline void
ideal_presence(struct ideal *x, double once)
{
	for (size_t id = 0; id < IDEAL_VOCAB; id++)
		x->logit[id] -= x->count[id] > 0 ? once : 0;
}

/* The first row of mirostat 2: no more bits of surprise than these. */
static inline void
ideal_surprise(struct ideal *x, double bits)
{
	ideal_at_least(x, ideal_power(2, -bits));
}

/*
 * The first row of mirostat 1: the exponent of Zipf's law, by least squares
 * through the origin, and the rank that has so many bits of surprise.
 */
static inline void
ideal_zipf(struct ideal *x, double bits)
{
	double by_rank[IDEAL_VOCAB], tb = 0, tt = 0, t, above, s, e;
	double p[IDEAL_VOCAB];

	ideal_softmax(x, p);
	for (size_t id = 0; id < IDEAL_VOCAB; id++)
		by_rank[ideal_rank(x, x->logit, id, p, &above)] = p[id];
	for (size_t i = 0; i + 1 < IDEAL_VOCAB; i++) {
		t = math_log((double)(i + 2) / (double)(i + 1));
		tb += t * math_log(by_rank[i] / by_rank[i + 1]);
		tt += t * t;
	}
	s = tb / tt;
	e = s - 1;
	t = ideal_power(
	    e * ideal_power(2, bits) / (1 - ideal_power(IDEAL_VOCAB, -e)),
	    1 / s);
	ideal_top_k(x, (double)(int)t);
}

/* The first row of adaptive_p aims at its target. */
static inline void
ideal_aim(struct ideal *x, double target)
{
	double p[IDEAL_VOCAB], d;

	ideal_softmax(x, p);
	for (size_t id = 0; id < IDEAL_VOCAB; id++) {
		d = fabs(p[id] - target) / 0.3;
		x->logit[id] = 5 - 10 * d * d / (1 + d);
	}
}

#endif
