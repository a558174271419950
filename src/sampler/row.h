/* SPDX-License-Identifier: MIT */
/* One row of logits, as the sampler sees it. */
#ifndef TOKPICK_ROW_H
#define TOKPICK_ROW_H

#include <stddef.h>
#include <stdint.h>

struct row {
	uint64_t number;     /* 1 for the first */
	size_t size;         /* V, the vocabulary */
	const float *logits; /* V of them, the token id is the index */
};

#endif
