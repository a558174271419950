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
	chain_sort(c);
	chain_softmax(c);
}

/*
 * Rules 8 and 10: one that is left is taken; else a running float32 sum,
 * and the first candidate with float32(unit) below it, or the last one that
 * can be drawn at all.
 */
static size_t
draw(struct chain *c, struct rng *rng, struct decision *d)
{
	const struct candidate *list = c->kept.list;
	float r, sum = 0, before = 0;
	size_t i, n = c->kept.size;

	d->at = (struct interval){0, 1};
	d->random = n > 1;
	if (!d->random)
		return 0;
	d->unit = c->settings->policy->generator->unit(rng);
	r = (float)d->unit;
	/* r may be 1, and the sum may stay below it. */
	while (n > 1 && list[n - 1].logit == -INFINITY)
		n--;
	for (i = 0; i < n; i++) {
		before = sum;
		sum += list[i].p;
		if (r < sum)
			break;
	}
	d->at = (struct interval){(double)before, i < n ? (double)sum : 1};
	return i < n ? i : n - 1;
}

const struct finish finish_golem = {
    .name = "draw", .weigh = weigh, .draw = draw};
