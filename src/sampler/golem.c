/* SPDX-License-Identifier: MIT */
/* golem's arithmetic; tokpick(1), "golem" is the source of every rule. */
#include "golem.h"

#include <math.h>

#include "chain.h"

float
golem_penalise(float logit, uint32_t count, const struct sampling *s)
{
	float often = (float)count * s->frequency_penalty;

	logit = logit <= 0 ? logit * s->repeat_penalty
	                   : logit / s->repeat_penalty;
	logit -= often;
	return logit - s->presence_penalty;
}

/*
 * What is stored of an exponential is rounded to float, what is summed is
 * not.  Both roundings show in the ids.  The last bits of exp and of the sum
 * do not: golem adds one by one in rank order, and exp_floats() in an order
 * of its own, but either way the quotients are rounded to float.
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

/* The first of n whose running sum is above r, and the sum before it. */
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
	*at = (struct interval){(double)before, (double)sum};
	return i;
}

/*
 * Rules 8 and 10: one that is left is taken; else a running float32 sum,
 * and the first candidate with float32(unit) below it, or the last one that
 * can be drawn at all.
 */
static size_t
draw(struct chain *c, struct rng *rng, struct decision *d)
{
	size_t n, i;
	float r;

	d->at = (struct interval){0, 1};
	d->random = c->kept.size > 1;
	if (!d->random) {
		chain_sort(c);
		return 0;
	}
	d->unit = c->settings->policy->generator->unit(rng);
	r = (float)d->unit;
	n = chain_rank_prefix(c, d->unit, 1);
	i = walk(c->kept.list, n, r, &d->at);
	if (i < n)
		return i;
	/* r may be 1, and the sum of all may stay below it. */
	chain_sort(c);
	n = c->kept.size;
	while (n > 1 && c->kept.list[n - 1].logit == -INFINITY)
		n--;
	i = walk(c->kept.list, n, r, &d->at);
	if (i < n)
		return i;
	d->at.end = 1;
	return n - 1;
}

const struct finish finish_golem = {
    .name = "draw", .by_rank = true, .weigh = weigh, .draw = draw};
