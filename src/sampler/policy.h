/* SPDX-License-Identifier: MIT */
/* Policies and stages: whose rules, as data. */
#ifndef TOKPICK_POLICY_H
#define TOKPICK_POLICY_H

#include <stddef.h>
#include <stdint.h>

#include "../message.h"
#include "candidate.h"
#include "rng.h"
#include "weigh.h"

struct sampling;
struct chain;
struct constraint;

/* A part of [0, 1): start is in it, end is not. */
struct interval {
	double start;
	double end;
};

/* What was drawn from a row. */
struct decision {
	uint32_t id;
	double p;           /* among the candidates that were left */
	bool random;        /* was a random number used? */
	double unit;        /* that number, in [0, 1) */
	struct interval at; /* what part of [0, 1) draws this id */

	/* A constraint refused what was drawn first; this was drawn next. */
	bool again;
	struct refused {
		uint32_t id;
		double p;
		bool random;
		double unit;
	} refused;

	/* It allows nothing: this is what was drawn without asking it. */
	bool dead_end;
};

/*
 * One stage of the chain.  It removes candidates or changes logits; what it
 * removes it moves behind those that stay.  It does not ask which policy it
 * serves: arithmetic that policies differ in is called through the policy.
 */
struct stage {
	const char *name;    /* as in --samplers; llama.cpp's names */
	const char *aliases; /* other spellings, blanks around each */
	char letter;         /* as in --sampler-seq */

	/* Do the settings make it do anything?  If not it never runs. */
	bool (*is_on)(const struct sampling *);

	/* Does it know what to do where a row is kept whole? entire.h */
	bool entire;

	/* It works on all candidates together … */
	bool (*run)(struct chain *, struct error *);
	bool shapes;     /* it changes logits and removes no candidate */
	bool drops_best; /* it may remove the best candidate */

	/* … or changes the logits of a few ids, each by itself: touched.h. */
	float (*touch)(const struct chain *, uint32_t id, float logit);
};

/* How a chain ends: what is drawn from the candidates that are left. */
struct finish {
	const char *name;
	bool cuts; /* does weighing remove candidates? */

	/* Make the distribution: p of each candidate, and their total. */
	void (*weigh)(struct chain *);

	bool learns; /* does a refused draw move what is remembered? */

	/* Fill a decision; returns the index drawn. */
	size_t (*draw)(struct chain *, struct rng *, struct decision *);

	/* The decision was taken; NULL where nothing is remembered. */
	void (*accept)(struct chain *, const struct decision *);
};

enum { SOFTMAX_FEW = 4096 };

/* Everything that makes one policy differ from another. */
struct policy {
	const char *name;
	const struct generator *generator;
	bool wide;   /* rows are float64 and strict.h decides; no stages */
	bool ranked; /* logits that dividing makes equal keep their ranks */
	bool cold_greedy; /* a temperature of 0 or less is --greedy */
	bool short_seed;  /* seeds have 32 bits */
	bool bounded;     /* a negative repeat-last-n is none, not all */
	bool exact_k;     /* top_k pays no heed to --min-keep */
	bool lone_draw;   /* one candidate left uses up a random number */
	bool lifts_bans;  /* a constraint that allows nothing else goes before
	                     a row's -inf */
	bool sigma_sorts; /* top_n_sigma leaves the list ranked */
	const struct stage *const
	    *order; /* its stages as they run, NULL last */
	const struct stage *const *extra; /* those that it has only if asked */

	/* The logit of a token that stands count > 0 times in the window. */
	float (*penalise)(float logit, uint32_t count, const struct sampling *);

	/*
	 * The softmax of up to SOFTMAX_FEW ranked candidates, where it is to
	 * be as it is upstream to the last bit; NULL: as for more.
	 */
	void (*softmax_few)(struct candidate *, size_t n, float max);

	/* The softmax: how to add weights up, and to divide by their sum. */
	weigh_add *add;
	void (*share)(struct candidate *, size_t n, double sum);

	const struct finish *finish;
};

/* A temperature in both widths. */
struct temp {
	float narrow;
	double wide;
};

/* The settings of a run; tokpick(1) says what each means and its defaults. */
struct sampling {
	const struct policy *policy;
	const struct stage **stages; /* the stages to run, in order */
	size_t n_stages;
	const struct generator *generator; /* the policy's, unless … */
	uint64_t seed;
	const struct finish *finish; /* the policy's, unless settings say */
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

	/* llama.cpp's; tokpick(1), "llama.cpp", "Settings". */
	float typical;
	float top_nsigma;
	float xtc_probability;
	float xtc_threshold;
	float dynatemp_range;
	float dynatemp_exponent;
	float dry_multiplier;
	float dry_base;
	int64_t dry_allowed_length;
	int64_t dry_last_n; /* negative: dry_most */
	int64_t dry_most;
	struct breaker *breakers;
	size_t n_breakers;
	float mirostat_rate;
	float mirostat_entropy;
	float adaptive_target;
	float adaptive_decay;

	bool masked;               /* will rows come with a mask? */
	struct constraint *inside; /* what must allow a draw, or NULL */
	bool traced;               /* will sampler_mass() be asked for? */
	struct bias *biases; /* sorted by id, same ids in the order given */
	size_t n_biases;
};

/* Where a repetition ends for dry: a head, and what must follow it. */
struct breaker {
	uint32_t *ids; /* head first */
	size_t size;
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

/* Does one of its biases ban this token? */
bool sampling_bans(const struct sampling *, uint32_t id);

/* Do the settings make its stage i do anything? */
bool sampling_runs(const struct sampling *, size_t i);

extern const struct stage stage_penalties;
extern const struct stage stage_dry;
extern const struct stage stage_top_n_sigma;
extern const struct stage stage_top_k;
extern const struct stage stage_typ_p;
extern const struct stage stage_top_p;
extern const struct stage stage_min_p;
extern const struct stage stage_xtc;
extern const struct stage stage_temperature;
extern const struct stage stage_adaptive_p;

extern const struct finish finish_golem;
extern const struct finish finish_llama;
extern const struct finish finish_mirostat_1;
extern const struct finish finish_mirostat_2;
extern const struct finish finish_adaptive_p;

#endif
