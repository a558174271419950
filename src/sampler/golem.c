/* SPDX-License-Identifier: MIT */
/* golem's arithmetic; tokpick(1), "golem" is the source of every rule. */
#include "golem.h"

#include <math.h>

#include "chain.h"
#include "dmath.h"

float
golem_penalise(float logit, uint32_t count, const struct sampling *s)
{
	float often = (float)count * s->frequency_penalty;

	logit = logit <= 0 ? logit * s->repeat_penalty
	                   : logit / s->repeat_penalty;
	logit -= often;
	return logit - s->presence_penalty;
}

/* A penalty below 1 may raise a logit to +inf: it equals itself, evenly. */
static float
below(float logit, float max)
{
	return logit == max ? 0 : logit - max;
}

/*
 * What is stored of an exponential is rounded to float, what is summed is
 * not.  Both roundings show in the ids.
 */
void
golem_softmax(struct candidate *list, size_t n, float max)
{
	double e, sum = 0;

	for (size_t i = 0; i < n; i++) {
		e = math_exp((double)below(list[i].logit, max));
		list[i].p = (float)e;
		sum += e;
	}
	golem_share(list, n, sum);
}

/*
 * Of more candidates than golem_softmax() is for, the last bits of exp and of
 * the sum are let go: golem adds one by one in rank order, and exp_floats()
 * in an order of its own, but either way the quotients are rounded to float.
 * One in millions comes out next to golem's; an id follows only where the
 * random number falls in between.
 */
double
golem_add(double sum, const float *weights, size_t n, double exact)
{
	(void)weights;
	(void)n;
	return sum + exact;
}

void
golem_share(struct candidate *list, size_t n, double sum)
{
	for (size_t i = 0; i < n; i++)
		list[i].p = (float)((double)list[i].p / sum);
}

static void
weigh(struct chain *c)
{
	chain_softmax(c);
}

/*
 * The first of n whose running sum is above r, and what part of [0, 1) it
 * has: the last one all that the sum leaves, and nothing is above 1.
 */
static size_t
walk(const struct candidate *list, size_t n, float r, struct interval *at)
{
	float sum = 0, before = 0;
	size_t i;

	for (i = 0; i < n; i++) {
		before = sum;
		sum += list[i].p;
		if (r < sum)
			break;
	}
	*at = (struct interval){(double)before, 1};
	if (i + 1 < n && sum < 1)
		at->end = (double)sum;
	return i < n ? i : n - 1;
}

/* How many of n ranked candidates can be drawn at all, at least 1. */
static size_t
count_drawable(const struct candidate *list, size_t n)
{
	while (n > 1 && list[n - 1].logit == -INFINITY)
		n--;
	return n;
}

/*
 * Rules 8 and 10: one that is left is taken; else a running float32 sum,
 * and the first candidate with float32(unit) below it, or the last one that
 * can be drawn at all.  Which is the last, only a list of all can tell.
 */
static size_t
draw(struct chain *c, struct rng *rng, struct decision *d)
{
	size_t n, i;

	d->at = (struct interval){0, 1};
	d->random = c->kept.size > 1;
	if (d->random)
		d->unit = c->settings->generator->unit(rng);
	n = chain_rank_prefix(c, d->unit, 1);
	if (!d->random)
		return 0;
	n = count_drawable(c->kept.list, n);
	i = walk(c->kept.list, n, (float)d->unit, &d->at);
	if (i + 1 < n)
		return i;
	chain_sort(c);
	n = count_drawable(c->kept.list, c->kept.size);
	return walk(c->kept.list, n, (float)d->unit, &d->at);
}

const struct finish finish_golem = {
    .name = "draw", .weigh = weigh, .draw = draw};
