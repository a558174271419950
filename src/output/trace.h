/* SPDX-License-Identifier: MIT */
/* What traces, tables and comparisons say of a token in a row. */
#ifndef TOKPICK_TRACE_H
#define TOKPICK_TRACE_H

#include "sink.h"

/* The place of a token among the raw logits of its row, from 1. */
uint64_t trace_rank(const struct row *, uint32_t id);

/* Its probability in the distribution last weighed, 0 if it was removed. */
double trace_p(const struct sampler *, uint32_t id);

/* The entropy of that distribution, in nats. */
double trace_entropy(const struct sampler *);

/* The bytes of a token's piece, if the sink knows it. */
bool trace_piece(
    const struct sink *, uint32_t id, const char **bytes, size_t *n);

/* Room for a step's name, cut if it should be longer. */
enum { STEP_NAME = 32 };

/* The name of a step, with #2 behind it the second time, #3 the third, … */
void trace_step_name(const struct sampler *, size_t i, char name[STEP_NAME]);

/*
 * The name of what removed a listed candidate: the row's mask, which comes
 * before every step, or a step.  False if nothing did.
 */
bool trace_removal(const struct sampler *, const struct row *,
    const struct listed *, char name[STEP_NAME]);

#endif
