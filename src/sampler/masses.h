/* SPDX-License-Identifier: MIT */
/* How far down from the best a wanted part of all probability reaches. */
#ifndef TOKPICK_MASSES_H
#define TOKPICK_MASSES_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/*
 * A histogram of probability over the logarithm of the probability of one:
 * an octave has 32 bins, which the exponent of a float and 5 bits behind it
 * number.  It decides nothing: it only finds a floor, and what is above a
 * floor is always a prefix of the ranking.
 */
enum {
	MASS_BITS = 5,
	MASS_BINS = 64 << MASS_BITS,
	MASS_ONE = 127 << MASS_BITS /* the first bits of 1.0f */
};

struct masses {
	double bin[MASS_BINS]; /* the one of 1 first */
};

/*
 * More than rounding hides in nearly all sums of float probabilities.  Where it
 * hides more, whoever adds them up goes on to the last candidate.
 */
#define MASS_SLACK 1e-3

/* Weights are from 0 to 1; the smallest go together. */
static inline void
masses_add(struct masses *m, float weight)
{
	uint32_t bits, b;

	memcpy(&bits, &weight, sizeof(bits));
	b = MASS_ONE - (bits >> (23 - MASS_BITS));
	m->bin[b < MASS_BINS ? b : MASS_BINS - 1] += (double)weight;
}

/* The best bins that have that mass together are above this. */
float masses_floor(const struct masses *, double mass);

#endif
