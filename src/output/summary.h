/* SPDX-License-Identifier: MIT */
/* The summary: what a run did, as one JSON object. */
#ifndef TOKPICK_SUMMARY_H
#define TOKPICK_SUMMARY_H

#include "../history.h"
#include "../sampler/sampler.h"
#include "buffer.h"

/* What is known at the end. */
struct outcome {
	uint64_t rows;
	enum stop stop;
	const struct error *error; /* with STOP_ERROR, else NULL */
	bool looped;               /* there was a model to call */
	uint64_t model_calls;
	size_t vocab;
	size_t limit; /* how many of its ids count */
	const struct sampling *settings;
	uint64_t prompt;         /* ids in it */
	uint64_t tokens;         /* drawn, in earlier runs too */
	uint64_t sequences;      /* that there were, 0: one alone */
	struct sampler *sampler; /* NULL: several, or it never came to be */
};

/* Add the object and a line end to the buffer; the keys are in tokpick(1). */
bool summary_write(struct buffer *, const struct outcome *, struct error *);

#endif
