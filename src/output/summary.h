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
	const struct history *history;
	struct sampler *sampler; /* NULL if it never came to be */
};

/* Add the object and a line end to the buffer; the keys are in tokpick(1). */
bool summary_write(struct buffer *, const struct outcome *, struct error *);

#endif
