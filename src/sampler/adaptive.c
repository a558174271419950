/* SPDX-License-Identifier: MIT */
/*
 * adaptive_p: draws are steered towards a wanted probability;
 * tokpick(1), "llama.cpp", "adaptive_p".
 */
#include <math.h>

#include "chain.h"
#include "llama.h"

/* The peak of the curve that replaces the logits, and how it falls off. */
static const float peak = 5, sharpness = 10, inverse_width = 1.0f / 0.3f;

static float
clamp_unit(float x)
{
	return x < 0 ? 0 : x > 1 ? 1 : x;
}

/* The probability to aim at so that the running mean comes to the target. */
static float
aim(const struct chain *c)
{
	float target = clamp_unit(c->settings->adaptive_target);

	if (c->memory->weight == 0)
		return target;
	return clamp_unit(2 * target - c->memory->weighted / c->memory->weight);
}

/* The probability before the change is kept behind the logits. */
static void
weigh(struct chain *c)
{
	struct candidate *list = c->kept.list;
	float wanted = aim(c), d;

	chain_softmax(c);
	if (c->settings->adaptive_target < 0)
		return;
	for (size_t i = 0; i < c->kept.size; i++) {
		c->order[i] = list[i];
		if (list[i].logit == -INFINITY)
			continue;
		d = fabsf((list[i].p - wanted) * inverse_width);
		list[i].logit = peak - sharpness * d * d / (1 + d);
	}
	chain_softmax(c);
}

static void
accept(struct chain *c, const struct decision *d)
{
	const struct candidate *drawn = c->order;
	float decay = c->settings->adaptive_decay;

	if (c->settings->adaptive_target < 0)
		return;
	while (drawn->id != d->id) /* it was drawn from these */
		drawn++;
	c->memory->weighted = drawn->p + decay * c->memory->weighted;
	c->memory->weight = 1 + decay * c->memory->weight;
}

const struct finish finish_adaptive_p = {.name = "adaptive_p",
    .weigh = weigh,
    .draw = llama_discrete,
    .accept = accept};
