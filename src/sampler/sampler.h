/* SPDX-License-Identifier: MIT */
/* The sampler: a row in, a decision out.  It knows no files, no options. */
#ifndef TOKPICK_SAMPLER_H
#define TOKPICK_SAMPLER_H

#include "policy.h"
#include "row.h"

struct sampler;

/* What was drawn from a row. */
struct decision {
	uint32_t id;
	float logit;  /* as the chain left it */
	float p;      /* among the candidates that were left */
	bool random;  /* was a random number used? */
	double unit;  /* that number, in [0, 1) */
	size_t kept;  /* candidates that were left */
};

/*
 * A sampler for rows of vocab values.  settings must outlive it.  All its
 * memory is taken here: a row costs no allocation.  NULL and err on failure.
 */
struct sampler *sampler_new(
    const struct sampling *settings, size_t vocab, struct error *);
void sampler_free(struct sampler *);

/*
 * Decide one row.  The window is read and left as it is.  A bad row (NaN,
 * +inf, nothing finite) is an error that names the row, the id and the
 * value, and leaves the random generator where it was.
 */
bool sampler_pick(struct sampler *, const struct row *,
    const struct window *, struct decision *, struct error *);

/* The random generator as it stands. */
const struct rng *sampler_rng(const struct sampler *);

#endif
