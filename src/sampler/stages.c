/* SPDX-License-Identifier: MIT */
/* The stages that most chains have; see sigma.c, typical.c, xtc.c, dry.c. */
#include <math.h>

#include "chain.h"
#include "dmath.h"
#include "dry.h"
#include "touched.h"

static bool
penalties_on(const struct sampling *s)
{
	return s->repeat_last_n != 0 &&
	    (s->repeat_penalty != 1 || s->frequency_penalty != 0 ||
	        s->presence_penalty != 0);
}

static float
penalise(const struct chain *c, uint32_t id, float logit)
{
	uint32_t count = window_count(c->window, id);

	if (count == 0)
		return logit;
	return c->settings->policy->penalise(logit, count, c->settings);
}

const struct stage stage_penalties = {.name = "penalties",
    .aliases = "",
    .letter = 'e',
    .is_on = penalties_on,
    .touch = penalise};

static bool
dry_on(const struct sampling *s)
{
	return s->dry_multiplier != 0 && s->dry_last_n != 0;
}

static float
penalise_repeat(const struct chain *c, uint32_t id, float logit)
{
	return dry_penalise(c->dry, id, logit);
}

const struct stage stage_dry = {.name = "dry",
    .aliases = "",
    .letter = 'd',
    .is_on = dry_on,
    .touch = penalise_repeat};

static bool
top_k_on(const struct sampling *s)
{
	return s->top_k > 0;
}

/* Nothing has to be sorted to keep all, but later stages see the order. */
static bool
run_top_k(struct chain *c, struct error *err)
{
	uint64_t k = (uint64_t)c->settings->top_k;

	(void)err;
	chain_sort(c);
	if (k < c->kept.size)
		c->kept.size = c->settings->policy->exact_k
		    ? (size_t)k
		    : chain_keep(c, (size_t)k);
	return true;
}

const struct stage stage_top_k = {.name = "top_k",
    .aliases = " top-k ",
    .letter = 'k',
    .is_on = top_k_on,
    .run = run_top_k};

static bool
top_p_on(const struct sampling *s)
{
	return s->top_p < 1;
}

/*
 * The shortest prefix of n ranked candidates whose probabilities reach
 * top_p, by a running float sum; 0 if all of them don't.
 */
static size_t
nucleus(const struct chain *c, size_t n)
{
	float sum = 0;

	for (size_t i = 0; i < n; i++) {
		sum += c->kept.list[i].p;
		if (sum >= c->settings->top_p)
			return i + 1;
	}
	return 0;
}

/*
 * Holtzman et al., "The Curious Case of Neural Text Degeneration".  What
 * policies differ in is the softmax before it: golem's exponentials are
 * doubles, added up in rank order where they are few; llama.cpp's are floats,
 * added up in the order the list is in, which stages before this one made.
 * Ranking, the running sum and the cut are the same; strict has no top-p.
 */
static bool
run_top_p(struct chain *c, struct error *err)
{
	size_t least = c->settings->traced ? c->vocab : c->show;
	size_t ranked, n;

	(void)err;
	chain_softmax(c);
	ranked = chain_rank_prefix(
	    c, (double)c->settings->top_p, chain_keep(c, least));
	n = nucleus(c, ranked);
	if (n == 0 && ranked < c->kept.size) {
		chain_sort(c);
		n = nucleus(c, c->kept.size);
	}
	c->kept.size = chain_keep(c, n > 0 ? n : c->kept.size);
	c->sorted = true;
	c->entire.row = NULL; /* what is kept is listed */
	return true;
}

const struct stage stage_top_p = {.name = "top_p",
    .aliases = " top-p nucleus ",
    .letter = 'p',
    .entire = true,
    .is_on = top_p_on,
    .run = run_top_p};

static bool
min_p_on(const struct sampling *s)
{
	return s->min_p > 0;
}

static size_t
count_at_least(const struct chain *c, float floor)
{
	size_t n = 0;

	for (size_t i = 0; i < c->kept.size; i++)
		n += c->kept.list[i].logit >= floor;
	return n;
}

/*
 * min-p (Nguyen et al., "Turning Up the Heat") without a softmax: to be
 * min_p times as likely as the best is to be log(min_p) from its logit.
 */
static bool
run_min_p(struct chain *c, struct error *err)
{
	float floor = chain_max(c) + math_logf(c->settings->min_p);
	size_t least = (size_t)c->settings->min_keep, n = 1;

	(void)err;
	if (!c->sorted && count_at_least(c, floor) >= least) {
		c->kept.size = chain_partition(c, floor);
		return true;
	}
	chain_sort(c);
	while (n < c->kept.size && c->kept.list[n].logit >= floor)
		n++;
	c->kept.size = chain_keep(c, n);
	return true;
}

const struct stage stage_min_p = {.name = "min_p",
    .aliases = " min-p ",
    .letter = 'm',
    .is_on = min_p_on,
    .run = run_min_p};

static bool
temperature_on(const struct sampling *s)
{
	return s->temp.narrow != 1 || s->dynatemp_range > 0;
}

/* All but the first of the highest can no longer be drawn. */
static void
freeze(struct chain *c)
{
	struct candidate *list = c->kept.list;
	size_t best = 0;

	for (size_t i = 1; i < c->kept.size; i++)
		if (list[i].logit > list[best].logit)
			best = i;
	for (size_t i = 0; i < c->kept.size; i++)
		if (i != best)
			list[i].logit = -INFINITY;
}

/*
 * Divide by the temperature.  Where the best logit overflows, the limit for
 * temperatures towards 0 is taken: those equal to the best, evenly.
 */
static void
divide(struct chain *c, float temp)
{
	struct candidate *list = c->kept.list;
	float best = chain_max(c);
	bool overflows = best > -INFINITY && !isfinite(best / temp);

	for (size_t i = 0; i < c->kept.size; i++) {
		if (list[i].logit == -INFINITY) /* -inf / inf is NaN */
			continue;
		if (!overflows)
			list[i].logit /= temp;
		else
			list[i].logit = list[i].logit == best ? 0 : -INFINITY;
	}
}

/* A temperature within the range, higher the higher the entropy. */
static float
dynamic_temp(struct chain *c)
{
	const struct sampling *s = c->settings;
	float low = s->temp.narrow - s->dynatemp_range, p, entropy = 0;
	float high = s->temp.narrow + s->dynatemp_range;
	float most = -math_logf(1.0f / (float)c->kept.size);

	low = low > 0 ? low : 0;
	chain_sort(c);
	chain_softmax(c);
	for (size_t i = 0; i < c->kept.size; i++) {
		p = c->kept.list[i].p;
		if (p > 0)
			entropy -= p * math_logf(p);
	}
	return low +
	    (high - low) * math_powf(entropy / most, s->dynatemp_exponent);
}

/* May a row that is kept whole be divided when it is weighed? */
static bool
can_wait(const struct chain *c, float temp)
{
	return c->entire.row != NULL && c->settings->policy->ranked &&
	    c->settings->dynatemp_range <= 0 && temp > 0 &&
	    c->entire.temp == 1 && isfinite(c->entire.max / temp);
}

/* Logits that differ may become equal: who goes by rank ranks them before. */
static bool
run_temperature(struct chain *c, struct error *err)
{
	float temp = c->settings->temp.narrow;

	(void)err;
	if (c->settings->greedy)
		return true;
	if (can_wait(c, temp)) {
		c->entire.temp = temp;
		return true;
	}
	entire_list(c);
	if (c->settings->policy->ranked)
		chain_sort(c);
	if (c->settings->dynatemp_range > 0 && c->kept.size > 1)
		temp = c->dynamic_temp = dynamic_temp(c);
	if (temp <= 0)
		freeze(c);
	else
		divide(c, temp);
	return true;
}

const struct stage stage_temperature = {.name = "temperature",
    .aliases = " temp ",
    .letter = 't',
    .entire = true,
    .is_on = temperature_on,
    .run = run_temperature,
    .shapes = true};

/* Its work is done by finish_adaptive_p, wherever it stands in the list. */
static bool
never_on(const struct sampling *s)
{
	(void)s;
	return false;
}

const struct stage stage_adaptive_p = {.name = "adaptive_p",
    .aliases = " adaptive-p ",
    .letter = 'a',
    .is_on = never_on};
