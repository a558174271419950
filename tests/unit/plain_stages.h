/* SPDX-License-Identifier: MIT */
/*
 * llama.cpp's stages by the letter: a list of all tokens, sorted whole
 * whenever it is sorted, every sum in the order of the list, floats where
 * nothing else is said.
 */
#ifndef TOKPICK_TEST_PLAIN_STAGES_H
#define TOKPICK_TEST_PLAIN_STAGES_H

#include "plain_dry.h"
#include "ranking.h"

#include "../../src/sampler/row.h"

enum {
	PLAIN_VOCAB_MAX = 6000,
	PLAIN_STAGES_MAX = 12,
	PLAIN_BIASES_MAX = 6,
	PLAIN_IDS_MAX = 256,
};

struct plain;

struct plain_stage {
	const char *names[6];
	char letter;
	void (*run)(struct plain *);
};

/* What a command line asks for. */
struct plain_settings {
	const struct generator *generator; /* NULL: llama.cpp's own */
	bool lone_draw, sigma_sorts;       /* what the rule sets differ in */
	bool greedy;
	int64_t mirostat;
	const struct plain_stage *stages[PLAIN_STAGES_MAX];
	size_t n_stages;
	struct bias biases[PLAIN_BIASES_MAX];
	size_t n_biases;
	int64_t last_n, top_k, min_keep;
	float repeat, frequency, presence;
	struct plain_dry dry;
	float n_sigma, typical, top_p, min_p;
	float xtc_probability, xtc_threshold;
	float temp, range, exponent;
	float rate, entropy;
	float target, decay;
};

/* What is remembered from row to row. */
struct plain_memory {
	struct rng rng, coin;
	float mu, sum, weight;
};

struct plain {
	struct plain_settings set;
	size_t vocab;
	struct plain_memory memory;
	uint32_t ids[PLAIN_IDS_MAX]; /* the conversation */
	size_t n_ids;

	/* The row at hand. */
	struct candidate list[PLAIN_VOCAB_MAX];
	size_t n;
	bool sorted;
	bool refused;
	float toss; /* xtc's, NaN for none */
	float heat; /* the last temperature in a range, NaN for none */
	bool adapts;
	float first_p[PLAIN_VOCAB_MAX]; /* adaptive_p's, before the change */
	double total;
	uint64_t step; /* what a generator by row goes by */
	uint32_t sequence, draws;

	/* In a second draw: what the mask and a constraint allow. */
	const uint32_t *inside;
};

/*
 * A number by row: purpose 1 is the coin's, 0, 17, 18, … are the draws', 2 and
 * 2^31 more than those are the second draws'.
 */
static inline void
plain_place(const struct plain *p, struct rng *rng, uint32_t purpose)
{
	if (!p->set.generator->placed)
		return;
	rng->low = p->step;
	rng->sequence = p->sequence;
	rng->purpose = purpose;
}

static inline float
plain_clamp(float x)
{
	return x < 0 ? 0 : x > 1 ? 1 : x;
}

static inline size_t
plain_least(const struct plain *p, size_t count)
{
	size_t least = (size_t)p->set.min_keep;

	count = count < least ? least : count;
	return count < p->n ? count : p->n;
}

static inline void
plain_sort(struct plain *p)
{
	if (!p->sorted)
		qsort(p->list, p->n, sizeof(*p->list), by_rank);
	p->sorted = true;
}

static inline float
plain_max(const struct plain *p)
{
	float max = p->list[0].logit;

	for (size_t i = 1; i < p->n && !p->sorted; i++)
		max = p->list[i].logit > max ? p->list[i].logit : max;
	return max;
}

/* Equal ones differ by 0, infinite ones too. */
static inline void
plain_weights(struct plain *p)
{
	float max = plain_max(p), logit;

	for (size_t i = 0; i < p->n; i++) {
		logit = p->list[i].logit;
		p->list[i].p = math_expf(logit == max ? 0 : logit - max);
	}
}

static inline void
plain_softmax(struct plain *p)
{
	float sum = 0;

	plain_weights(p);
	for (size_t i = 0; i < p->n; i++)
		sum = sum + p->list[i].p;
	for (size_t i = 0; i < p->n; i++)
		p->list[i].p = p->list[i].p / sum;
}

static inline void
plain_refuse_nan(struct plain *p)
{
	for (size_t i = 0; i < p->n; i++)
		if (isnan(p->list[i].logit))
			p->refused = true;
}

/* The stages. */

static inline void
plain_penalties(struct plain *p)
{
	const struct plain_settings *s = &p->set;
	size_t from = 0;
	uint32_t count;
	float logit;

	if (s->last_n <= 0 ||
	    (s->repeat == 1 && s->frequency == 0 && s->presence == 0))
		return;
	if (p->n_ids > (uint64_t)s->last_n)
		from = p->n_ids - (size_t)s->last_n;
	for (size_t i = 0; i < p->n; i++) {
		count = 0;
		for (size_t j = from; j < p->n_ids; j++)
			count += p->ids[j] == p->list[i].id;
		if (count == 0)
			continue;
		logit = p->list[i].logit;
		logit = logit <= 0 ? logit * s->repeat : logit / s->repeat;
		p->list[i].logit = logit -
		    ((float)count * s->frequency + s->presence);
	}
	p->sorted = false;
	plain_refuse_nan(p);
}

static inline void
plain_dry(struct plain *p)
{
	static size_t repeats[PLAIN_VOCAB_MAX];
	const struct plain_dry *d = &p->set.dry;
	struct candidate *c;

	if (d->multiplier == 0 || d->last_n == 0 ||
	    !plain_dry_repeats(d, p->ids, p->n_ids, repeats, p->vocab))
		return;
	for (size_t i = 0; i < p->n; i++) {
		c = &p->list[i];
		c->logit = plain_dry_logit(d, c->id, repeats[c->id], c->logit);
	}
	p->sorted = false;
	plain_refuse_nan(p);
}

/* The deviation of the logits, but those of -inf. */
static inline float
plain_deviation(const struct plain *p)
{
	float sum = 0, square = 0, mean;
	size_t count = 0;
	double d;

	for (size_t i = 0; i < p->n; i++) {
		if (p->list[i].logit == -INFINITY)
			continue;
		sum = sum + p->list[i].logit;
		count++;
	}
	mean = sum / (float)count;
	for (size_t i = 0; i < p->n; i++) {
		if (p->list[i].logit == -INFINITY)
			continue;
		d = (double)(p->list[i].logit - mean);
		square = (float)((double)square + d * d);
	}
	return math_sqrtf(square / (float)count);
}

static inline void
plain_top_n_sigma(struct plain *p)
{
	float max = -INFINITY, floor;

	if (p->set.n_sigma <= 0 || p->n < 2)
		return;
	for (size_t i = 0; i < p->n; i++)
		max = p->list[i].logit > max ? p->list[i].logit : max;
	floor = max - p->set.n_sigma * plain_deviation(p);
	for (size_t i = 0; i < p->n; i++)
		if (p->list[i].logit < floor)
			p->list[i].logit = -INFINITY;
	if (p->set.sigma_sorts) {
		p->sorted = false;
		plain_sort(p);
	}
}

static inline void
plain_top_k(struct plain *p)
{
	if (p->set.top_k <= 0)
		return;
	plain_sort(p);
	if ((uint64_t)p->set.top_k < p->n)
		p->n = (size_t)p->set.top_k;
}

/* The best score is the lowest, and by_rank() puts the highest first. */
static inline void
plain_by_score(struct plain *p, struct candidate *order, float h)
{
	for (size_t i = 0; i < p->n; i++)
		order[i] = (struct candidate){(uint32_t)i,
		    -fabsf(-math_logf(p->list[i].p) - h), p->list[i].p};
	qsort(order, p->n, sizeof(*order), by_rank);
}

static inline void
plain_typ_p(struct plain *p)
{
	static struct candidate order[PLAIN_VOCAB_MAX], was[PLAIN_VOCAB_MAX];
	size_t n = 0;
	float h = 0, sum = 0;

	if (p->set.typical >= 1)
		return;
	plain_sort(p);
	plain_softmax(p);
	for (size_t i = 0; i < p->n; i++)
		if (p->list[i].p > 0)
			h = h + -p->list[i].p * math_logf(p->list[i].p);
	plain_by_score(p, order, h);
	while (n < p->n) {
		sum = sum + order[n].p;
		n++;
		if (sum > p->set.typical &&
		    (p->set.min_keep == 0 || n >= (size_t)p->set.min_keep))
			break;
	}
	memcpy(was, p->list, p->n * sizeof(*was));
	for (size_t i = 0; i < n; i++)
		p->list[i] = was[order[i].id];
	p->n = n;
	p->sorted = false;
}

static inline void
plain_top_p(struct plain *p)
{
	float sum = 0;

	if (p->set.top_p >= 1)
		return;
	plain_softmax(p);
	plain_sort(p);
	for (size_t i = 0; i < p->n; i++) {
		sum = sum + p->list[i].p;
		if (sum >= p->set.top_p && i + 1 >= (size_t)p->set.min_keep) {
			p->n = i + 1;
			return;
		}
	}
}

static inline void
plain_min_p(struct plain *p)
{
	float floor;
	size_t n = 0;

	if (p->set.min_p <= 0)
		return;
	floor = plain_max(p) + math_logf(p->set.min_p);
	for (size_t i = 0; i < p->n; i++)
		n += p->list[i].logit >= floor;
	if (!p->sorted && n >= (size_t)p->set.min_keep) {
		n = 0;
		for (size_t i = 0; i < p->n; i++)
			if (p->list[i].logit >= floor)
				p->list[n++] = p->list[i];
		p->n = n;
		return;
	}
	plain_sort(p);
	n = 1;
	while (n < p->n && p->list[n].logit >= floor)
		n++;
	p->n = plain_least(p, n);
}

static inline void
plain_xtc(struct plain *p)
{
	size_t n = 0;

	if (p->set.xtc_probability <= 0 || p->set.xtc_threshold > 0.5f ||
	    p->n < 2)
		return;
	plain_place(p, &p->memory.coin, 1);
	p->toss = p->set.generator->coin(&p->memory.coin);
	if (p->toss > p->set.xtc_probability)
		return;
	plain_sort(p);
	plain_softmax(p);
	while (n < p->n && p->list[n].p >= p->set.xtc_threshold)
		n++;
	if (n < 2 || p->n - (n - 1) < (size_t)p->set.min_keep)
		return;
	p->n -= n - 1;
	memmove(p->list, p->list + (n - 1), p->n * sizeof(*p->list));
}

/* A temperature that moves with the entropy. */
static inline float
plain_heat(struct plain *p)
{
	const struct plain_settings *s = &p->set;
	float low = s->temp - s->range, high = s->temp + s->range;
	float most = -math_logf(1.0f / (float)p->n), h = 0, q;

	if (low < 0)
		low = 0;
	plain_sort(p);
	plain_softmax(p);
	for (size_t i = 0; i < p->n; i++) {
		q = p->list[i].p;
		if (q > 0)
			h = h - q * math_logf(q);
	}
	return low + (high - low) * math_powf(h / most, s->exponent);
}

/* The first of the highest. */
static inline size_t
plain_best(const struct plain *p)
{
	size_t best = 0;

	for (size_t i = 1; i < p->n; i++)
		if (p->list[i].logit > p->list[best].logit)
			best = i;
	return best;
}

static inline void
plain_temperature(struct plain *p)
{
	float temp = p->set.temp, best;
	size_t first;

	if (p->set.greedy || (p->set.temp == 1 && p->set.range <= 0))
		return;
	if (p->set.range > 0 && p->n > 1)
		temp = p->heat = plain_heat(p);
	first = plain_best(p);
	best = p->list[first].logit;
	for (size_t i = 0; i < p->n; i++) {
		if (temp <= 0)
			p->list[i].logit = i == first ? best : -INFINITY;
		else if (p->list[i].logit == -INFINITY)
			continue; /* -inf / inf is NaN */
		else if (best == -INFINITY || isfinite(best / temp))
			p->list[i].logit = p->list[i].logit / temp;
		else /* the limit for temperatures towards 0 */
			p->list[i].logit = p->list[i].logit == best ? 0
			                                            : -INFINITY;
	}
}

static inline void
plain_adaptive_p(struct plain *p)
{
	p->adapts = true;
}

enum { PLAIN_TOP_N_SIGMA = 2, PLAIN_TEMPERATURE = 8, PLAIN_STAGES = 10 };
static const struct plain_stage plain_stages[PLAIN_STAGES] = {
    {{"penalties"}, 'e', plain_penalties},
    {{"dry"}, 'd', plain_dry},
    {{"top_n_sigma", "top-n-sigma"}, 's', plain_top_n_sigma},
    {{"top_k", "top-k"}, 'k', plain_top_k},
    {{"typ_p", "typical", "typical-p", "typ-p", "typ"}, 'y', plain_typ_p},
    {{"top_p", "top-p", "nucleus"}, 'p', plain_top_p},
    {{"min_p", "min-p"}, 'm', plain_min_p},
    {{"xtc"}, 'x', plain_xtc},
    {{"temperature", "temp"}, 't', plain_temperature},
    {{"adaptive_p", "adaptive-p"}, 'a', plain_adaptive_p},
};

#endif
