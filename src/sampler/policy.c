/* SPDX-License-Identifier: MIT */
/* The policies, each one table, and how to find things in them. */
#include "policy.h"

#include <math.h>
#include <string.h>

#include "golem.h"
#include "llama.h"

static const struct stage *const none[] = {NULL};

static const struct stage *const golem_order[] = {
    &stage_penalties,
    &stage_top_k,
    &stage_top_p,
    &stage_min_p,
    &stage_temperature,
    NULL,
};

/* tokpick(1), "golem": the sample package of golem, in Go. */
static const struct policy golem = {
    .name = "golem",
    .generator = &generator_pcg,
    .ranked = true,
    .cold_greedy = true,
    .lifts_bans = true,
    .order = golem_order,
    .extra = none,
    .penalise = golem_penalise,
    .softmax_few = golem_softmax,
    .add = golem_add,
    .share = golem_share,
    .finish = &finish_golem,
};

/* tokpick(1), "strict": the textbook sampler in float64. */
static const struct policy strict = {
    .name = "strict",
    .generator = &generator_splitmix64,
    .wide = true,
    .order = none,
    .extra = none,
};

static const struct stage *const llama_order[] = {
    &stage_penalties,
    &stage_dry,
    &stage_top_n_sigma,
    &stage_top_k,
    &stage_typ_p,
    &stage_top_p,
    &stage_min_p,
    &stage_xtc,
    &stage_temperature,
    NULL,
};
static const struct stage *const llama_extra[] = {&stage_adaptive_p, NULL};

/* tokpick(1), "llama.cpp": one chain, and what three rule sets do with it. */
#define LLAMA                                                                 \
	.generator = &generator_mt19937, .short_seed = true, .exact_k = true, \
	.bounded = true, .order = llama_order, .extra = llama_extra,          \
	.penalise = llama_penalise, .add = llama_add, .share = llama_share,   \
	.finish = &finish_llama

static const struct policy llama = {
    .name = "llama.cpp", LLAMA, .lone_draw = true};
static const struct policy llama_2026_07 = {.name = "llama.cpp-2026-07", LLAMA};
static const struct policy llama_2026_05 = {
    .name = "llama.cpp-2026-05", LLAMA, .sigma_sorts = true};

const struct policy *const policies[] = {
    &golem, &strict, &llama, &llama_2026_07, &llama_2026_05, NULL};
const char *const policy_names[] = {"golem", "strict", "llama.cpp",
    "llama.cpp-2026-07", "llama.cpp-2026-05", NULL};

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

static const struct stage *
find(const struct stage *const *stage, const char *name, size_t length)
{
	for (; *stage != NULL; stage++)
		if (is_named(*stage, name, length))
			return *stage;
	return NULL;
}

const struct stage *
policy_stage(const struct policy *policy, const char *name, size_t length)
{
	const struct stage *stage = find(policy->order, name, length);

	return stage != NULL ? stage : find(policy->extra, name, length);
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
sampling_runs(const struct sampling *s, size_t i)
{
	return s->stages[i]->is_on(s);
}

bool
sampling_bans(const struct sampling *s, uint32_t id)
{
	for (size_t i = 0; i < s->n_biases; i++)
		if (s->biases[i].id == id && s->biases[i].add == -INFINITY)
			return true;
	return false;
}
