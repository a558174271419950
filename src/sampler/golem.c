/* SPDX-License-Identifier: MIT */
/* golem's arithmetic; policies.md "golem" is the source of every rule. */
#include "golem.h"

#include <math.h>

#include "dmath.h"
#include "policy.h"

float
golem_penalise(float logit, uint32_t count, const struct sampling *s)
{
	float repeat = s->repeat_penalty == 0 ? 1 : s->repeat_penalty;
	float often = (float)count * s->frequency_penalty;

	logit = logit <= 0 ? logit * repeat : logit / repeat;
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
 * not.  Both roundings show in the ids; the last bit of exp does not.
 */
void
golem_softmax(struct candidate *list, size_t n)
{
	float max = list[0].logit;
	double e, sum = 0;

	for (size_t i = 0; i < n; i++) {
		e = math_exp((double)below(list[i].logit, max));
		list[i].p = (float)e;
		sum += e;
	}
	for (size_t i = 0; i < n; i++)
		list[i].p = (float)((double)list[i].p / sum);
}

size_t
golem_nucleus(const struct candidate *list, size_t n, float top_p)
{
	float sum = 0;

	for (size_t i = 0; i < n; i++) {
		sum += list[i].p;
		if (sum >= top_p)
			return i + 1;
	}
	return n;
}

size_t
golem_draw(
    const struct candidate *list, size_t n, double unit, struct interval *at)
{
	float r = (float)unit, sum = 0, before = 0;
	size_t i;

	/* float(unit) may be 1, and the sum may stay below it. */
	while (n > 1 && list[n - 1].logit == -INFINITY)
		n--;
	for (i = 0; i < n; i++) {
		before = sum;
		sum += list[i].p;
		if (r < sum)
			break;
	}
	/* The last one has all that the sum leaves, and nothing is above 1. */
	*at = (struct interval){(double)before, 1};
	if (i + 1 < n && sum < 1)
		at->end = (double)sum;
	return i < n ? i : n - 1;
}
