/* SPDX-License-Identifier: MIT */
/* golem's arithmetic; tokpick(1), "golem" is the source of every rule. */
#ifndef TOKPICK_GOLEM_H
#define TOKPICK_GOLEM_H

#include <stddef.h>
#include <stdint.h>

#include "candidate.h"

struct sampling;

/*
 * Rule 3.  A logit above zero is divided by the repeat penalty, any other
 * multiplied; then count times the frequency penalty and the presence
 * penalty are subtracted, each operation rounded to float.
 */
float golem_penalise(float logit, uint32_t count, const struct sampling *);

/*
 * "Softmax": float32 differences and results, float64 exponentials and sum;
 * in golem's order for a few candidates, by weigh.h's for more.
 */
void golem_softmax(struct candidate *, size_t n, float max);
double golem_add(double sum, const float *weights, size_t n, double exact);
void golem_share(struct candidate *, size_t n, double sum);

#endif
