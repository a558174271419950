/* SPDX-License-Identifier: MIT */
/* Weights: exponentials of logits below the highest one. */
#ifndef TOKPICK_WEIGH_H
#define TOKPICK_WEIGH_H

#include <stddef.h>

#include "candidate.h"

/*
 * Weights are made a block at a time, so that what is done to them is done
 * while they are in the nearest cache.
 */
enum { WEIGH_BLOCK = 512 };

/*
 * How weights are added up: returns the sum of those before, to which n more
 * are added.  exact is what exp_floats() said of these: their sum, in an
 * order that it fixes, before they were rounded to float.
 */
typedef double weigh_add(
    double sum, const float *weights, size_t n, double exact);

/*
 * Give each of n candidates the p exp(logit - max), in float but for the
 * exponential, which is rounded to float; what equals max, be it infinite,
 * gets 1.  Returns the sum of them all.
 */
double weigh_candidates(
    struct candidate *, size_t n, float max, weigh_add *add);

#endif
