/* SPDX-License-Identifier: MIT */
/* exp of many floats at once, several to an instruction. */
#ifndef TOKPICK_EXP_ARRAY_H
#define TOKPICK_EXP_ARRAY_H

#include <stddef.h>

#include "cpu.h"

/*
 * Put math_expf(x[i] - max), to the bit, into e[i]; what equals max is 0 from
 * it, be both infinite.  No x[i] is NaN or above max; the arrays don't overlap.
 * Returns the sum of the exponentials as they were before they were rounded
 * to float, each within 1.1 ulp of a double.  The sum is taken in 16 lanes, so
 * that it is the same on every processor: numbers i, i + 16, … one after
 * another, then lane j + 8 is added to lane j, j + 4 to j, and so on.  What is
 * below e^-200 counts as that, and so does what n lacks to a multiple of 32.
 */
double exp_floats(const float *x, float max, float *e, size_t n);

/*
 * The ways to do it, best first; exp_floats() takes the first one whose
 * instructions are there.  The last needs none; a run of NULL ends the list.
 * A run is for a finite max and an n that is a multiple of EXP_STEP, and adds
 * what it sums to what is in the lanes.
 */
enum { EXP_LANES = 16, EXP_STEP = 2 * EXP_LANES };

struct exp_kernel {
	const char *name;
	enum cpu needs;
	void (*run)(const float *restrict x, float max, float *restrict e,
	    size_t n, double *restrict lanes);
};
extern const struct exp_kernel exp_kernels[];

/* exp_floats() by a kernel of one's choice. */
double exp_floats_by(
    const struct exp_kernel *, const float *x, float max, float *e, size_t n);

#endif
