/* SPDX-License-Identifier: MIT */
/* exp of many floats at once, several to an instruction. */
#include "exp_array.h"

#include <math.h> /* INFINITY and NAN; no function */
#include <stdint.h>
#include <string.h>

#include "dmath.h"
#include "dmath_tables.h"
#include "exact.h"

/*
 * With n the integer nearest to x/ln 2,
 *
 *	x = n·ln 2 + r,		exp(x) = 2^n·exp(r),	|r| < 0.3466.
 *
 * dmath.c looks 2^(n/128) up, so that r is small and its series short; but
 * a vector has no cheap way to look things up.  Here the series goes to r^13
 * (the next term is below 2^-57), in an order that leaves few operations
 * waiting for another.
 *
 * n·ln 2: n has 10 bits and the first part of ln 2 has 42, so their product
 * is exact, and so is what is left of x.  Of r, of r + tail and of the last
 * sum, at most 2^-55, 2^-55 and 2^-53 are rounded off, and of the parts of
 * tail less than 2^-56 in all: below 0.85 ulp of the result, a double.  That
 * the float it is rounded to is always the one that math_expf() gives is no
 * consequence of this: all 2^32 arguments have been tried, and
 * tests/unit/test_exp_array.c can do it again.
 */
static const double ROUNDER = 0x1.8p52; /* x + ROUNDER has no fraction bits */

/* exp(±200) is 0 or infinite as a float; n·2^52 stays in the exponent. */
static const float FAR = 200;

/* A step makes two numbers for each lane of the sum. */
enum { LANES = 16, STEP = 2 * LANES, FRACTION_BITS = 52 };

/* Loops of fixed length without a branch are what compilers make vectors of. */
#if defined(__GNUC__)
#define TEMPLATE static inline __attribute__((always_inline))
#else
#define TEMPLATE static inline
#endif

TEMPLATE double
exp_near(float x)
{
	double rounded = (double)x * MATH_INV_LN2 + ROUNDER;
	double count = rounded - ROUNDER;
	double r = ((double)x - count * MATH_LN2_TOP) - count * MATH_LN2_REST;
	double r2 = r * r, r4 = r2 * r2;
	double tail = (1.0 / 2 + r * (1.0 / 6)) +
	    r2 * (1.0 / 24 + r * (1.0 / 120)) +
	    r4 *
	        ((1.0 / 720 + r * (1.0 / 5040)) +
	            r2 * (1.0 / 40320 + r * (1.0 / 362880)) +
	            r4 *
	                ((1.0 / 3628800 + r * (1.0 / 39916800)) +
	                    r2 * (1.0 / 479001600 + r * (1.0 / 6227020800))));
	double y = 1 + (r + r2 * tail);
	uint64_t n, bits;

	memcpy(&n, &rounded, sizeof(n));
	memcpy(&bits, &y, sizeof(bits));
	bits += n << FRACTION_BITS;
	memcpy(&y, &bits, sizeof(y));
	return y;
}

TEMPLATE void
exp_step(
    const float *restrict x, float max, float *restrict e, double *restrict sum)
{
	float gap[STEP], near[STEP];
	double y[STEP];

	for (size_t i = 0; i < STEP; i++) {
		gap[i] = x[i] - max;
		near[i] = gap[i] < -FAR ? -FAR : gap[i];
		near[i] = near[i] > FAR ? FAR : near[i];
	}
	for (size_t i = 0; i < STEP; i++) {
		y[i] = exp_near(near[i]);
		e[i] = (float)y[i];
	}
	for (size_t i = 0; i < LANES; i++)
		sum[i] = (sum[i] + y[i]) + y[LANES + i];
	for (size_t i = 0; i < STEP; i++)
		e[i] = gap[i] == gap[i] ? e[i] : (float)NAN;
}

/* Where the maximum is infinite, what equals it has no difference from it. */
static double
exp_infinite(const float *x, float max, float *e, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++) {
		e[i] = x[i] == max ? 1 : math_expf(x[i] - max);
		sum += (double)e[i];
	}
	return sum;
}

TEMPLATE double
exp_array(const float *restrict x, float max, float *restrict e, size_t n)
{
	double sum[LANES] = {0};
	float last_x[STEP], last_e[STEP];
	size_t i;

	if (max == INFINITY || max == -INFINITY)
		return exp_infinite(x, max, e, n);
	for (i = 0; i + STEP <= n; i += STEP)
		exp_step(x + i, max, e + i, sum);
	if (i < n) {
		for (size_t j = 0; j < STEP; j++)
			last_x[j] = i + j < n ? x[i + j] : -INFINITY;
		exp_step(last_x, max, last_e, sum);
		memcpy(e + i, last_e, (n - i) * sizeof(*e));
	}
	for (size_t half = LANES / 2; half > 0; half /= 2)
		for (size_t j = 0; j < half; j++)
			sum[j] += sum[j + half];
	return sum[0];
}

static double
exp_portable(const float *x, float max, float *e, size_t n)
{
	return exp_array(x, max, e, n);
}

#if CPU_X86
__attribute__((target("avx2"))) static double
exp_avx2(const float *x, float max, float *e, size_t n)
{
	return exp_array(x, max, e, n);
}

__attribute__((target("avx512f"))) static double
exp_avx512(const float *x, float max, float *e, size_t n)
{
	return exp_array(x, max, e, n);
}
#endif

const struct exp_kernel exp_kernels[] = {
#if CPU_X86
    {"avx512", CPU_AVX512, exp_avx512},
    {"avx2", CPU_AVX2, exp_avx2},
#endif
    {"portable", CPU_ANY, exp_portable},
    {NULL, CPU_ANY, NULL},
};

double
exp_floats(const float *x, float max, float *e, size_t n)
{
	const struct exp_kernel *kernel = exp_kernels;

	while (!cpu_has(kernel->needs))
		kernel++;
	return kernel->run(x, max, e, n);
}
