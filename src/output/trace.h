/* SPDX-License-Identifier: MIT */
/* What traces, tables and comparisons say of a token in a row. */
#ifndef TOKPICK_TRACE_H
#define TOKPICK_TRACE_H

#include "../sampler/sampler.h"

/* The place of a token among the raw logits of its row, from 1. */
uint64_t trace_rank(const struct row *, uint32_t id);

/* Its probability in the distribution last weighed, 0 if it was removed. */
double trace_p(const struct sampler *, uint32_t id);

/* The entropy of that distribution, in nats. */
double trace_entropy(const struct sampler *);

#endif
