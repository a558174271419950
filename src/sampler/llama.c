/* SPDX-License-Identifier: MIT */
/* llama.cpp's arithmetic; tokpick(1), "llama.cpp" has every rule. */
#include "llama.h"

#include "chain.h"

float
llama_penalise(float logit, uint32_t count, const struct sampling *s)
{
	float seen = (float)count * s->frequency_penalty + s->presence_penalty;

	logit = logit <= 0 ? logit * s->repeat_penalty
	                   : logit / s->repeat_penalty;
	return logit - seen;
}

double
llama_add(double sum, const float *weights, size_t n, double exact)
{
	float narrow = (float)sum;

	(void)exact;
	for (size_t i = 0; i < n; i++)
		narrow += weights[i];
	return (double)narrow;
}

void
llama_share(struct candidate *list, size_t n, double sum)
{
	for (size_t i = 0; i < n; i++)
		list[i].p /= (float)sum;
}

/* "final draw" adds in double what has been rounded to float. */
static double
add_wide(double sum, const float *weights, size_t n, double exact)
{
	(void)exact;
	for (size_t i = 0; i < n; i++)
		sum += (double)weights[i];
	return sum;
}

/* The exponentials stay as they are; their sum is the total. */
static void
weigh(struct chain *c)
{
	c->total = weigh_candidates(
	    c->kept.list, c->kept.size, chain_max(c), add_wide);
}

/* "final draw": the first whose running sum reaches the target. */
static size_t
draw(struct chain *c, struct rng *rng, struct decision *d)
{
	const struct policy *policy = c->settings->policy;
	double target, sum = 0, before = 0;
	size_t i, last = c->kept.size - 1;

	d->at = (struct interval){0, 1};
	d->random = c->kept.size > 1 || policy->lone_draw;
	if (d->random)
		d->unit = c->settings->generator->unit(rng);
	if (last == 0)
		return 0;
	target = c->total * d->unit;
	for (i = 0;; i++) {
		before = sum;
		sum += (double)c->kept.list[i].p;
		if (i == last || (sum >= target && c->kept.list[i].p > 0))
			break;
	}
	d->at = (struct interval){before / c->total, sum / c->total};
	return i;
}

const struct finish finish_llama = {
    .name = "draw", .weigh = weigh, .draw = draw};

size_t
llama_discrete(struct chain *c, struct rng *rng, struct decision *d)
{
	const struct candidate *list = c->kept.list;
	double total = 0, sum = 0, before = 0;
	size_t i, last = c->kept.size - 1;

	d->at = (struct interval){0, 1};
	d->random = c->kept.size > 1;
	if (!d->random)
		return 0;
	d->unit = c->settings->generator->unit(rng);
	for (i = 0; i <= last; i++)
		total += (double)list[i].p;
	for (i = 0; i < last; i++) {
		before = sum;
		sum += (double)list[i].p / total;
		if (sum >= d->unit)
			break;
	}
	d->at = i < last ? (struct interval){before, sum}
	                 : (struct interval){sum, 1};
	return i;
}
