/* SPDX-License-Identifier: MIT */
/* The policies, each one table, and how to find things in them. */
#include "policy.h"

#include <string.h>

#include "golem.h"

static const struct stage *const golem_order[] = {
    &stage_penalties,
    &stage_top_k,
    &stage_top_p,
    &stage_min_p,
    &stage_temperature,
    NULL,
};

/* policies.md "golem": the sample package of golem, in Go. */
static const struct policy golem = {
    .name = "golem",
    .generator = &generator_pcg,
    .order = golem_order,
    .penalise = golem_penalise,
    .softmax = golem_softmax,
    .nucleus = golem_nucleus,
    .draw = golem_draw,
};

static const struct stage *const no_stages[] = {NULL};

/* policies.md "strict": the textbook sampler in float64. */
static const struct policy strict = {
    .name = "strict",
    .generator = &generator_splitmix64,
    .wide = true,
    .order = no_stages,
};

const struct policy *const policies[] = {&golem, &strict, NULL};
const char *const policy_names[] = {"golem", "strict", NULL};

static bool
is_named(const struct stage *stage, const char *name, size_t length)
{
	const char *at = stage->aliases;

	if (strlen(stage->name) == length &&
	    memcmp(stage->name, name, length) == 0)
		return true;
	if (length == 0 || memchr(name, ' ', length) != NULL)
		return false;
	for (; strlen(at) > length; at++)
		if (at[0] == ' ' && at[length + 1] == ' ' &&
		    memcmp(at + 1, name, length) == 0)
			return true;
	return false;
}

const struct stage *
policy_stage(const struct policy *policy, const char *name, size_t length)
{
	const struct stage *const *stage;

	for (stage = policy->order; *stage != NULL; stage++)
		if (is_named(*stage, name, length))
			return *stage;
	return NULL;
}

bool
sampling_has(const struct sampling *s, const struct stage *stage)
{
	for (size_t i = 0; i < s->n_stages; i++)
		if (s->stages[i] == stage)
			return true;
	return false;
}

bool
sampling_penalises(const struct sampling *s)
{
	return s->repeat_last_n != 0 &&
	    ((s->repeat_penalty != 1 && s->repeat_penalty != 0) ||
	        s->frequency_penalty != 0 || s->presence_penalty != 0);
}
