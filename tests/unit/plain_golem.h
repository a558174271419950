/* SPDX-License-Identifier: MIT */
/*
 * golem by the letter; tokpick(1), "golem": all tokens in a list that is
 * sorted whole whenever it is ranked, every sum in the order of the list.
 */
#ifndef TOKPICK_TEST_PLAIN_GOLEM_H
#define TOKPICK_TEST_PLAIN_GOLEM_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../../src/sampler/dmath.h"
#include "../../src/sampler/exp_array.h"
#include "../../src/sampler/policy.h"
#include "../../src/sampler/row.h"

enum {
	PLAIN_GOLEM_VOCAB_MAX = 6000,
	PLAIN_GOLEM_STAGES_MAX = 12,
	PLAIN_GOLEM_BIASES_MAX = 8,
	PLAIN_GOLEM_IDS_MAX = 256,
	PLAIN_GOLEM_FEW = 4096, /* up to so many are added up in rank order */
	PLAIN_GOLEM_BLOCK = 512,
};

/* What a command line asks for. */
struct plain_golem_settings {
	const struct generator *generator;
	uint64_t seed;
	bool greedy;
	char
	    stages[PLAIN_GOLEM_STAGES_MAX + 1]; /* their letters, as they run */
	struct bias biases[PLAIN_GOLEM_BIASES_MAX];
	size_t n_biases;
	int64_t last_n, top_k, min_keep;
	float repeat, frequency, presence;
	float top_p, min_p, temp;
};

struct plain_golem_token {
	uint32_t id;
	float logit;
	float rank; /* its logit, but that no temperature makes two alike */
	float p;
};

struct plain_golem {
	struct plain_golem_settings set;
	size_t vocab;
	struct rng rng;
	uint32_t ids[PLAIN_GOLEM_IDS_MAX]; /* the conversation */
	size_t n_ids;

	/* The row at hand. */
	struct plain_golem_token list[PLAIN_GOLEM_VOCAB_MAX];
	size_t n;
	bool ranked;  /* has a stage ranked what is left? */
	bool whole;   /* has none looked at single tokens yet? */
	bool divided; /* has a temperature been at a whole row? */
	bool refused;
	uint64_t step; /* what a generator by row goes by */
	uint32_t sequence, draws;
	const struct row *row;

	/* In a second draw: what the mask and a constraint allow. */
	const uint32_t *inside;
};

/* For qsort(): the higher first, equal ones (0 and -0 too) by lower id. */
static inline int
plain_golem_order(const void *first, const void *second)
{
	const struct plain_golem_token *a = first, *b = second;

	if (a->rank > b->rank)
		return -1;
	if (a->rank < b->rank)
		return 1;
	return a->id < b->id ? -1 : a->id > b->id;
}

static inline void
plain_golem_rank(struct plain_golem *g)
{
	if (!g->ranked)
		qsort(g->list, g->n, sizeof(*g->list), plain_golem_order);
	g->ranked = true;
	g->whole = false;
}

/* A stage needs tokens one by one.  Divided logits have been ranked. */
static inline void
plain_golem_list(struct plain_golem *g)
{
	if (g->whole && g->divided)
		plain_golem_rank(g);
	g->whole = false;
}

static inline float
plain_golem_max(const struct plain_golem *g)
{
	float max = -INFINITY;

	for (size_t i = 0; i < g->n; i++)
		if (g->list[i].logit > max)
			max = g->list[i].logit;
	return max;
}

/*
 * The sum over many, which has an order of its own.  What a lane adds up is
 * not exp to the last bit: the portable kernel says what it is.
 */
static inline double
plain_golem_sum_of_many(const struct plain_golem *g, float max)
{
	const struct exp_kernel *portable = exp_kernels;
	float x[PLAIN_GOLEM_BLOCK], unused[PLAIN_GOLEM_BLOCK];
	double sum = 0;
	size_t n;

	while (portable[1].run != NULL)
		portable++;
	for (size_t from = 0; from < g->n; from += n) {
		n = g->n - from < PLAIN_GOLEM_BLOCK ? g->n - from
		                                    : PLAIN_GOLEM_BLOCK;
		for (size_t i = 0; i < n; i++)
			x[i] = g->list[from + i].logit;
		sum += exp_floats_by(portable, x, max, unused, n);
	}
	return sum;
}

static inline void
plain_golem_probabilities(struct plain_golem *g)
{
	float max = plain_golem_max(g), d;
	double sum = 0, e;

	for (size_t i = 0; i < g->n; i++) {
		d = g->list[i].logit == max ? 0 : g->list[i].logit - max;
		e = math_exp((double)d);
		g->list[i].p = (float)e;
		sum += e;
	}
	if (!g->ranked || g->n > PLAIN_GOLEM_FEW)
		sum = plain_golem_sum_of_many(g, max);
	for (size_t i = 0; i < g->n; i++)
		g->list[i].p = (float)((double)g->list[i].p / sum);
}

static inline void
plain_golem_refuse_nan(struct plain_golem *g)
{
	for (size_t i = 0; i < g->n; i++)
		if (isnan(g->list[i].logit))
			g->refused = true;
}

/* The stages. */

static inline float
plain_golem_penalty(
    const struct plain_golem_settings *s, float logit, uint32_t count)
{
	float repeat = s->repeat == 0 ? 1 : s->repeat;
	float often = (float)count * s->frequency;

	logit = logit <= 0 ? logit * repeat : logit / repeat;
	logit = logit - often;
	return logit - s->presence;
}

static inline void
plain_golem_penalties(struct plain_golem *g)
{
	const struct plain_golem_settings *s = &g->set;
	size_t from = 0;
	uint32_t count;

	plain_golem_list(g);
	if (s->last_n > 0 && g->n_ids > (uint64_t)s->last_n)
		from = g->n_ids - (size_t)s->last_n;
	for (size_t i = 0; i < g->n; i++) {
		count = 0;
		for (size_t j = from; j < g->n_ids; j++)
			count += g->ids[j] == g->list[i].id;
		if (count > 0)
			g->list[i].logit = plain_golem_penalty(
			    s, g->list[i].logit, count);
		g->list[i].rank = g->list[i].logit;
	}
	g->ranked = false;
	plain_golem_refuse_nan(g);
}

/* What a stage leaves, but no fewer than --min-keep. */
static inline void
plain_golem_keep(struct plain_golem *g, uint64_t count)
{
	uint64_t least = (uint64_t)g->set.min_keep;

	if (count < least)
		count = least;
	if (count < g->n)
		g->n = (size_t)count;
}

static inline void
plain_golem_top_k(struct plain_golem *g)
{
	plain_golem_rank(g);
	plain_golem_keep(g, (uint64_t)g->set.top_k);
}

static inline void
plain_golem_top_p(struct plain_golem *g)
{
	float sum = 0;
	size_t n = 0;

	plain_golem_probabilities(g);
	plain_golem_rank(g);
	while (n < g->n) {
		sum = sum + g->list[n].p;
		n++;
		if (sum >= g->set.top_p)
			break;
	}
	plain_golem_keep(g, n);
}

/* Where too few are above the floor, the next ones stay by rank. */
static inline void
plain_golem_min_p(struct plain_golem *g)
{
	float floor;
	size_t n = 0;

	plain_golem_list(g);
	floor = plain_golem_max(g) + (float)math_log((double)g->set.min_p);
	for (size_t i = 0; i < g->n; i++)
		n += g->list[i].logit >= floor;
	if (n < (uint64_t)g->set.min_keep) {
		plain_golem_rank(g);
		plain_golem_keep(g, n);
		return;
	}
	n = 0;
	for (size_t i = 0; i < g->n; i++)
		if (g->list[i].logit >= floor)
			g->list[n++] = g->list[i];
	g->n = n;
}

/* May a whole row be divided before it is ranked? */
static inline bool
plain_golem_waits(const struct plain_golem *g)
{
	return g->whole && !g->divided &&
	    isfinite(plain_golem_max(g) / g->set.temp);
}

static inline void
plain_golem_temperature(struct plain_golem *g)
{
	float temp = g->set.temp, best = plain_golem_max(g), *logit;

	if (g->set.greedy) /* it divides nothing, but ends the head */
		return;
	if (plain_golem_waits(g))
		g->divided = true;
	else
		plain_golem_rank(g);
	for (size_t i = 0; i < g->n && best > -INFINITY; i++) {
		logit = &g->list[i].logit;
		if (isfinite(best / temp))
			*logit = *logit / temp;
		else /* the limit for temperatures towards 0 */
			*logit = *logit == best ? 0 : -INFINITY;
	}
}

struct plain_golem_stage {
	char letter;
	bool (*is_on)(const struct plain_golem_settings *);
	void (*run)(struct plain_golem *);
};

static inline bool
plain_golem_penalties_on(const struct plain_golem_settings *s)
{
	return s->last_n != 0 &&
	    ((s->repeat != 1 && s->repeat != 0) || s->frequency != 0 ||
	        s->presence != 0);
}

static inline bool
plain_golem_top_k_on(const struct plain_golem_settings *s)
{
	return s->top_k > 0;
}

static inline bool
plain_golem_top_p_on(const struct plain_golem_settings *s)
{
	return s->top_p < 1;
}

static inline bool
plain_golem_min_p_on(const struct plain_golem_settings *s)
{
	return s->min_p > 0;
}

static inline bool
plain_golem_temperature_on(const struct plain_golem_settings *s)
{
	return s->temp != 1;
}

static const struct plain_golem_stage plain_golem_penalties_stage = {
    'e', plain_golem_penalties_on, plain_golem_penalties};
static const struct plain_golem_stage plain_golem_stages[] = {
    {'k', plain_golem_top_k_on, plain_golem_top_k},
    {'p', plain_golem_top_p_on, plain_golem_top_p},
    {'m', plain_golem_min_p_on, plain_golem_min_p},
    {'t', plain_golem_temperature_on, plain_golem_temperature},
};

/* The stage of that letter, or NULL if the settings leave it nothing to do. */
static inline const struct plain_golem_stage *
plain_golem_find(const struct plain_golem *g, char letter)
{
	const struct plain_golem_stage *stage = &plain_golem_penalties_stage;

	for (size_t i = 0; stage->letter != letter; i++)
		stage = &plain_golem_stages[i];
	return stage->is_on(&g->set) ? stage : NULL;
}

/* A row. */

static inline void
plain_golem_begin(struct plain_golem *g, size_t vocab)
{
	g->vocab = vocab;
	g->set.generator->seed(&g->rng, g->set.seed);
	g->n_ids = 0;
	if (g->set.temp <= 0 && strchr(g->set.stages, 't') != NULL)
		g->set.greedy = true;
}

/* The mask's -inf, then the biases; a bad value is one under a mask, too. */
static inline void
plain_golem_take(struct plain_golem *g, const struct row *row)
{
	float logit;

	g->n = g->vocab;
	g->ranked = g->divided = g->refused = false;
	g->whole = true;
	for (uint32_t id = 0; id < g->vocab; id++) {
		logit = row->logits[id];
		if (!(logit < INFINITY))
			g->refused = true;
		if (!row_allows(row, id))
			logit = -INFINITY;
		for (size_t i = 0; i < g->set.n_biases; i++)
			if (g->set.biases[i].id == id)
				logit = logit + g->set.biases[i].add;
		g->list[id] = (struct plain_golem_token){id, logit, logit, 0};
	}
	plain_golem_refuse_nan(g);
}

/* A ban that is the row's own is lifted where nothing else can be drawn. */
static inline bool
plain_golem_is_banned(
    const struct plain_golem *g, const struct plain_golem_token *token)
{
	for (size_t i = 0; i < g->set.n_biases; i++)
		if (g->set.biases[i].id == token->id &&
		    g->set.biases[i].add == -INFINITY)
			return true;
	return token->logit == -INFINITY &&
	    g->row->logits[token->id] > -INFINITY;
}

/* Of what is refused there is no more talk; the rest is ranked. */
static inline void
plain_golem_confine(struct plain_golem *g)
{
	size_t n = 0;
	uint32_t id;

	for (size_t i = 0; i < g->n; i++) {
		id = g->list[i].id;
		if ((g->inside[id / 32] >> id % 32 & 1) != 0 &&
		    !plain_golem_is_banned(g, &g->list[i]))
			g->list[n++] = g->list[i];
	}
	g->n = n;
	if (plain_golem_max(g) == -INFINITY)
		for (size_t i = 0; i < n; i++)
			g->list[i].logit = g->list[i].rank = 0;
	plain_golem_rank(g);
}

static inline void
plain_golem_begin_list(struct plain_golem *g)
{
	g->whole = true;
	if (g->inside != NULL)
		plain_golem_confine(g);
	if (g->vocab <= PLAIN_GOLEM_FEW)
		plain_golem_rank(g);
}

/*
 * The stages that do something, in order.  Penalties at their head leave a
 * row whole; then few tokens are ranked, before anything removes one.
 */
static inline void
plain_golem_run(struct plain_golem *g)
{
	const struct plain_golem_stage *stage;
	bool head = true;

	for (const char *at = g->set.stages; *at != '\0' && !g->refused; at++) {
		stage = plain_golem_find(g, *at);
		if (stage == NULL)
			continue;
		if (head && stage != &plain_golem_penalties_stage) {
			head = false;
			plain_golem_begin_list(g);
		}
		stage->run(g);
	}
	if (head)
		plain_golem_begin_list(g);
}

/* Weigh a row; false if it must be refused. */
static inline bool
plain_golem_weigh(struct plain_golem *g, const struct row *row)
{
	g->step = row->step;
	g->sequence = row->sequence;
	g->draws = 0;
	g->row = row;
	plain_golem_take(g, row);
	plain_golem_run(g);
	if (g->refused || plain_golem_max(g) == -INFINITY)
		return false;
	if (g->set.greedy) {
		plain_golem_rank(g);
		g->n = 1;
	}
	plain_golem_probabilities(g);
	plain_golem_rank(g);
	return true;
}

/* What one draw from the row is. */
struct plain_golem_draw {
	size_t index; /* in the list, which is ranked */
	bool random;
	double unit, start, end;
};

/*
 * Numbers by row: the first draw's purpose is 0, the next is 17, …; those of
 * the second draws are 2, and 2^31 more than theirs.
 */
static inline double
plain_golem_unit(struct plain_golem *g)
{
	bool again = g->inside != NULL;

	if (g->set.generator->placed) {
		g->rng.low = g->step;
		g->rng.sequence = g->sequence;
		g->rng.purpose = g->draws == 0 ? (again ? 2 : 0)
		                               : 16 + g->draws;
		if (again && g->draws > 0)
			g->rng.purpose += UINT32_C(1) << 31;
	}
	return g->set.generator->unit(&g->rng);
}

static inline struct plain_golem_draw
plain_golem_draw(struct plain_golem *g)
{
	struct plain_golem_draw d = {.end = 1};
	size_t last = g->n - 1;
	float sum = 0, r;

	d.random = !g->set.greedy && g->n > 1;
	if (d.random)
		d.unit = plain_golem_unit(g);
	g->draws++;
	if (!d.random)
		return d;
	r = (float)d.unit;
	while (last > 0 && g->list[last].logit == -INFINITY)
		last--;
	for (d.index = 0;; d.index++) {
		d.start = (double)sum;
		sum = sum + g->list[d.index].p;
		if (r < sum || d.index == last)
			break;
	}
	d.end = d.index == last || sum > 1 ? 1 : (double)sum;
	return d;
}

#endif
