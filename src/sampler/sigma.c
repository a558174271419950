/* SPDX-License-Identifier: MIT */
/*
 * top-n-sigma (Tang et al., "Top-nσ"): what lies more than n standard
 * deviations below the best; tokpick(1), "llama.cpp", "top_n_sigma".
 */
#include <math.h>

#include "chain.h"
#include "dmath.h"

static bool
is_on(const struct sampling *s)
{
	return s->top_nsigma > 0;
}

/* Logits of -inf are left out; widths and orders are upstream's. */
static float
deviation(const struct candidates *kept)
{
	float sum = 0, square = 0, mean;
	size_t count = 0;
	double d;

	for (size_t i = 0; i < kept->size; i++)
		if (kept->list[i].logit > -INFINITY) {
			sum += kept->list[i].logit;
			count++;
		}
	mean = sum / (float)count;
	for (size_t i = 0; i < kept->size; i++)
		if (kept->list[i].logit > -INFINITY) {
			d = (double)(kept->list[i].logit - mean);
			square = (float)((double)square + d * d);
		}
	return math_sqrtf(square / (float)count);
}

/* What is cut off stays in the list as what can't be drawn. */
static bool
run(struct chain *c, struct error *err)
{
	struct candidate *list = c->kept.list;
	float max = -INFINITY, floor;

	(void)err;
	if (c->kept.size < 2)
		return true;
	for (size_t i = 0; i < c->kept.size; i++)
		if (list[i].logit > max)
			max = list[i].logit;
	floor = max - c->settings->top_nsigma * deviation(&c->kept);
	for (size_t i = 0; i < c->kept.size; i++)
		if (list[i].logit < floor)
			list[i].logit = -INFINITY;
	if (c->settings->policy->sigma_sorts) {
		c->sorted = false;
		chain_sort(c);
	}
	return true;
}

const struct stage stage_top_n_sigma = {.name = "top_n_sigma",
    .aliases = " top-n-sigma ",
    .letter = 's',
    .is_on = is_on,
    .run = run};
