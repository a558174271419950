/* SPDX-License-Identifier: MIT */
/* The stages, each one function over the candidates that are left. */
#include <math.h>

#include "chain.h"
#include "dmath.h"
#include "touched.h"

/* The larger of a stage's own count and --min-keep, at most all. */
static size_t
keep_at_least(const struct chain *chain, size_t count)
{
	size_t least = (size_t)chain->settings->min_keep;

	if (count < least)
		count = least;
	return count < chain->kept.size ? count : chain->kept.size;
}

/*
 * Penalties anywhere but at the head of the chain, where the touched set
 * does their work before selection.
 */
static bool
run_penalties(struct chain *chain, struct error *err)
{
	struct candidate *c = chain->kept.list;
	uint32_t count;

	if (!sampling_penalises(chain->settings))
		return true;
	for (size_t i = 0; i < chain->kept.size; i++) {
		count = window_count(chain->window, c[i].id);
		if (count == 0)
			continue;
		c[i].logit = chain->settings->policy->penalise(
		    c[i].logit, count, chain->settings);
		if (touched_is_nan(c[i].id, c[i].logit, err))
			return false;
	}
	rank_candidates(c, chain->kept.size, chain->scratch);
	return true;
}

static bool
run_top_k(struct chain *chain, struct error *err)
{
	int64_t k = chain->settings->top_k;

	(void)err;
	if (k > 0 && (uint64_t)k < chain->kept.size)
		chain->kept.size = keep_at_least(chain, (size_t)k);
	return true;
}

/* Holtzman et al., "The Curious Case of Neural Text Degeneration". */
static bool
run_top_p(struct chain *chain, struct error *err)
{
	const struct policy *policy = chain->settings->policy;
	struct candidates *kept = &chain->kept;
	float top_p = chain->settings->top_p;

	(void)err;
	if (top_p >= 1 || kept->size < 2)
		return true;
	policy->softmax(kept->list, kept->size);
	kept->size = keep_at_least(
	    chain, policy->nucleus(kept->list, kept->size, top_p));
	return true;
}

/*
 * min-p (Nguyen et al., "Turning Up the Heat") without a softmax: p at
 * least min_p of the best is a logit at least log(min_p) above... the best.
 */
static bool
run_min_p(struct chain *chain, struct error *err)
{
	const struct candidate *c = chain->kept.list;
	float min_p = chain->settings->min_p, floor;
	size_t n = 1;

	(void)err;
	if (min_p <= 0 || chain->kept.size < 2)
		return true;
	floor = c[0].logit + (float)math_log((double)min_p);
	while (n < chain->kept.size && c[n].logit >= floor)
		n++;
	chain->kept.size = keep_at_least(chain, n);
	return true;
}

/*
 * Divide by the temperature.  Where the best logit overflows, the limit for
 * temperatures towards 0 is taken: those equal to the best, evenly.
 */
static bool
run_temperature(struct chain *chain, struct error *err)
{
	struct candidate *c = chain->kept.list;
	float temp = chain->settings->temp.narrow, best = c[0].logit;
	bool overflows = !isfinite(best / temp);

	(void)err;
	if (chain->settings->greedy)
		return true;
	for (size_t i = 0; i < chain->kept.size; i++) {
		if (!overflows)
			c[i].logit /= temp;
		else
			c[i].logit = c[i].logit == best ? 0 : -INFINITY;
	}
	return true;
}

const struct stage stage_penalties = {"penalties", "", run_penalties, true};
const struct stage stage_top_k = {"top_k", " top-k ", run_top_k, false};
const struct stage stage_top_p = {"top_p", " top-p nucleus ", run_top_p, false};
const struct stage stage_min_p = {"min_p", " min-p ", run_min_p, false};
const struct stage stage_temperature = {
    "temperature", " temp ", run_temperature, true};
