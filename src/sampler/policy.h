/* SPDX-License-Identifier: MIT */
/* Policies and stages: whose rules, as data. */
#ifndef TOKPICK_POLICY_H
#define TOKPICK_POLICY_H

#include <stddef.h>
#include <stdint.h>

#include "../message.h"
#include "candidate.h"
#include "rng.h"

struct sampling;
struct chain;

/*
 * One stage of the chain: it removes candidates or changes their logits and
 * leaves those that stay best first.  It does not ask which policy it
 * serves; arithmetic that policies differ in is called through the policy.
 */
struct stage {
	const char *name;    /* as in --samplers; llama.cpp's names */
	const char *aliases; /* other spellings, blanks around each */
	bool (*run)(struct chain *, struct error *);
	bool shapes; /* it changes logits and removes no candidate */
};

/* A part of [0, 1): start is in it, end is not. */
struct interval {
	double start;
	double end;
};

/* Everything that makes one policy differ from another. */
struct policy {
	const char *name;
	const struct generator *generator;
	bool wide; /* rows are float64 and strict.h decides; no stages */
	const struct stage *const
	    *order; /* its stages as they run, NULL last */

	/* The logit of a token that stands count > 0 times in the window. */
	float (*penalise)(float logit, uint32_t count, const struct sampling *);

	/* Give each of n > 0 candidates, best first, its p. */
	void (*softmax)(struct candidate *, size_t n);

	/* The length of the shortest prefix whose p reach top_p, else n. */
	size_t (*nucleus)(const struct candidate *, size_t n, float top_p);

	/* The index that unit falls on, and the part of [0, 1) it has. */
	size_t (*draw)(
	    const struct candidate *, size_t n, double unit, struct interval *);
};

/* A temperature in both widths. */
struct temp {
	float narrow;
	double wide;
};

/* The settings of a run; cli.md says what each means and its defaults. */
struct sampling {
	const struct policy *policy;
	const struct stage **stages; /* the stages to run, in order */
	size_t n_stages;
	uint64_t seed;
	bool greedy; /* the best candidate, drawing no random number */
	struct temp temp;
	int64_t top_k;
	bool top_k_given; /* strict: keep all unless it was */
	float top_p;
	float min_p;
	int64_t repeat_last_n;
	float repeat_penalty;
	float frequency_penalty;
	float presence_penalty;
	int64_t min_keep;
	bool masked;         /* will rows come with a mask? */
	bool traced;         /* will sampler_mass() be asked for? */
	struct bias *biases; /* sorted by id, same ids in the order given */
	size_t n_biases;
};

/* Add to the logit of one token; -INFINITY bans it. */
struct bias {
	uint32_t id;
	float add;
};

/* The policies, and their names in the same order; NULL ends both. */
extern const struct policy *const policies[];
extern const char *const policy_names[];

/* The stage of that name or alias that the policy has, or NULL. */
const struct stage *policy_stage(
    const struct policy *, const char *name, size_t length);

/* Does the chain have this stage? */
bool sampling_has(const struct sampling *, const struct stage *);

/* Do the penalties, as set, change anything? */
bool sampling_penalises(const struct sampling *);

extern const struct stage stage_penalties;
extern const struct stage stage_top_k;
extern const struct stage stage_top_p;
extern const struct stage stage_min_p;
extern const struct stage stage_temperature;

#endif
