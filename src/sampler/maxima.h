/* SPDX-License-Identifier: MIT */
/* The highest logits of the parts of a row, and the checks that ride along. */
#ifndef TOKPICK_MAXIMA_H
#define TOKPICK_MAXIMA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cpu.h"
#include "halves.h"

/* The size of a part is a multiple of this: a word has a bit for each. */
enum { MAXIMA_STEP = 64 };

/*
 * Put the highest value of each of n parts, which follow each other in the
 * row and have `size` values each, into max.  False if one of those values is
 * NaN or +inf; with a NaN max means nothing.  Of -0 and 0 either may be the
 * higher.  For rows of bf16 there is the same.
 */
bool maxima_find(const float *row, size_t n, size_t size, float *max);
bool maxima_find_bf16(
    const struct bf16 *row, size_t n, size_t size, float *max);

/*
 * The same for a whole row of n > 0 values.  Returns the place of the first
 * that is NaN or +inf; n if none is.
 */
size_t maxima_of_row(const float *row, size_t n, float *max);

/* Bit i of the result: of MAXIMA_STEP values, is number i not <= floor? */
uint64_t maxima_above(const float *values, float floor);
uint64_t maxima_above_bf16(const struct bf16 *values, float floor);

/* The ways to do these; as exp_kernels in exp_array.h. */
struct maxima_kernel {
	const char *name;
	enum cpu needs;
	bool (*find)(const float *row, size_t n, size_t size, float *max);
	bool (*find_bf16)(
	    const struct bf16 *row, size_t n, size_t size, float *max);
	uint64_t (*above)(const float *values, float floor);
	uint64_t (*above_bf16)(const struct bf16 *values, float floor);
};
extern const struct maxima_kernel maxima_kernels[];

#endif
