/* SPDX-License-Identifier: MIT */
/* tokpick's own exp, log and pow: the same bits on every machine. */

#ifndef TOKPICK_SAMPLER_DMATH_H
#define TOKPICK_SAMPLER_DMATH_H

/*
 * The ids that tokpick draws may not depend on the C library, and no two
 * libraries agree on the last bit of exp. So whatever decides an id calls
 * these. They are made of IEEE + - * / and integers alone: their bits depend
 * on nothing but the argument, given a compiler that does what it is told.
 * What that takes of a compiler is in exact.h.
 */

/*
 * Arguments and results are pure numbers; angles, bases and units play no
 * part, save that math_log2 counts in bits and the other logarithms in nats.
 * Special values are those of C17 annex F: exp(-inf) is 0, log(0) is -inf,
 * pow(x, 0) and pow(1, y) are 1 even for a NaN, and so on. A NaN that comes
 * back is always the positive quiet one without payload. Results underflow
 * gradually. errno, the exception flags and the rounding mode are not looked
 * after: round-to-nearest is assumed.
 *
 * The error is the distance from the true value, counted in units in the last
 * place of the result; 0.5 is a perfect rounding. tests/unit/test_dmath.c
 * holds these bounds against MPFR.
 */
double math_exp(double x);           /* below 0.51 */
double math_log(double x);           /* below 0.501 */
double math_log2(double x);          /* below 0.501 */
double math_pow(double x, double y); /* below 0.52 */

/*
 * The same, rounded once more, to float (the root is worked out in integers).
 * Rounding twice gives the float nearest to the true value but for a few
 * arguments. How many they are is known, since all 2^32 floats have been
 * tried; for the pairs of math_powf it is an estimate.
 */
float math_expf(float x);          /* correctly rounded */
float math_logf(float x);          /* but for 5 floats */
float math_log2f(float x);         /* correctly rounded */
float math_powf(float x, float y); /* but for about 1 pair in 2^30 */
float math_sqrtf(float x);         /* correctly rounded */

#endif
