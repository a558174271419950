/* SPDX-License-Identifier: MIT */
/* One row of logits, as the sampler sees it. */
#ifndef TOKPICK_ROW_H
#define TOKPICK_ROW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "halves.h"

struct candidates;

/*
 * Logits as they came.  Of most rows but few are ever wanted as floats, and to
 * write down all of them takes longer than to find those.
 */
struct bf16_row {
	const struct bf16 *values; /* [V] */
	float *floats;             /* [V] the same, … */
	bool is_filled;            /* … if somebody has asked for them */
};

struct row {
	uint64_t number;       /* 1 for the first */
	size_t size;           /* V, the vocabulary; there may be more in it */
	uint64_t step;         /* the same, in its own sequence */
	uint32_t sequence;     /* 0 for the first */
	const float *logits;   /* V of them, the token id is the index … */
	struct bf16_row *bf16; /* … or these, where it is not NULL … */
	const double *wide;    /* … or these, where the policy is wide */
	const uint32_t *mask;  /* bit id % 32 of word id / 32: allowed;
	                          NULL allows all */
	bool is_recorded;      /* did the input have an id with it? … */
	uint32_t recorded;     /* … that was drawn or read in its place */
	const uint32_t *context; /* with the first row of a sequence, what the
	                            input has before it */
	size_t n_context;

	/* Its best, ranked, where somebody has found them; else NULL. */
	const struct candidates *best;
};

/* May this id be drawn, as far as the mask goes? */
static inline bool
row_allows(const struct row *row, size_t id)
{
	return row->mask == NULL || (row->mask[id / 32] >> id % 32 & 1) != 0;
}

/* All its logits as floats, where the policy is not wide; one of them. */
const float *row_floats(const struct row *);

static inline float
row_float(const struct row *row, size_t id)
{
	return row->bf16 == NULL ? row->logits[id]
	                         : bf16_float(row->bf16->values[id]);
}

/* The logit as it came, whichever its width. */
static inline double
row_logit(const struct row *row, size_t id)
{
	return row->wide != NULL ? row->wide[id] : (double)row_float(row, id);
}

#endif
