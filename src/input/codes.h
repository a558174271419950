/* SPDX-License-Identifier: MIT */
/* Log-probabilities as codes of 16 bits: the rows of a `_logits_` file. */
#ifndef TOKPICK_CODES_H
#define TOKPICK_CODES_H

#include <stdbool.h>
#include <stddef.h>

/* The scale and the lowest log-probability, an F32 each. */
enum { CODES_HEAD = 8 };

/* Bytes of a row of n: that, n codes, and one more if n is odd. */
size_t codes_size(size_t n);

/*
 * A row of n at from as log-probabilities: lowest + scale * code, in float32,
 * the product rounded before the sum.  A code of 0 stands for all that is as
 * low or lower: mask makes it -inf, unless the scale is 0, where every code
 * is 0 and all are alike.
 */
void codes_to_float(const unsigned char *from, size_t n, bool mask, float *to);

/* The same values as doubles. */
void codes_to_double(
    const unsigned char *from, size_t n, bool mask, double *to);

#endif
