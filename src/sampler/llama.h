/* SPDX-License-Identifier: MIT */
/*
 * llama.cpp's arithmetic; tokpick(1), "llama.cpp" is the source of every rule.
 * All of it is float unless it says double, sums run in the list's order.
 */
#ifndef TOKPICK_LLAMA_H
#define TOKPICK_LLAMA_H

#include <stddef.h>
#include <stdint.h>

#include "candidate.h"
#include "policy.h"

/* "penalties": frequency and presence are one value, subtracted once. */
float llama_penalise(float logit, uint32_t count, const struct sampling *);

/* "softmax", after the sorting: float sums, one by one, and quotients. */
double llama_add(double sum, const float *weights, size_t n, double exact);
void llama_share(struct candidate *, size_t n, double sum);

/* "A discrete draw"; fewer than two candidates use no random number. */
size_t llama_discrete(struct chain *, struct rng *, struct decision *);

#endif
