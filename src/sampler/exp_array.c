/* SPDX-License-Identifier: MIT */
/* exp of many floats at once, several to an instruction. */
#include "exp_array.h"

#include <math.h> /* INFINITY; no function */
#include <stdint.h>
#include <string.h>

#include "dmath.h"
#include "dmath_tables.h"
#include "exact.h"
#include "unroll.h"

#if CPU_X86
#include <immintrin.h>
#endif

/*
 * With n the integer nearest to 16·x/ln 2,
 *
 *	x = n·(ln 2)/16 + r,	exp(x) = 2^(n/16)·exp(r),	|r| < 0.0217.
 *
 * The whole part of n/16 goes into an exponent, and 16 powers are few enough
 * to lie in two of the widest registers.  The series goes to r^7: the next
 * term is below 2^-59.
 *
 * n·(ln 2)/16: n has 13 bits and the first part of ln 2 has 35, so their
 * product is exact, and so is what is left of x.  The power that is looked up
 * is off by at most 2^-54 of itself, exp(r) - 1 by less than 2^-57, and the
 * last sum is rounded: below 1.1 ulp of the result, a double.  That the float
 * it is rounded to is always the one that math_expf() gives is no consequence
 * of this: all floats have been tried, and tests/unit/test_exp_array.c can do
 * it again.
 */
enum { STEP_BITS = 4, STEPS = 1 << STEP_BITS, FRACTION_BITS = 52 };

#define STEPS_PER_LN2 (MATH_STEPS_PER_LN2 * STEPS / MATH_STEPS)
#define STEP_TOP (MATH_LN2_STEP_TOP * MATH_STEPS / STEPS)
#define STEP_REST (MATH_LN2_STEP_REST * MATH_STEPS / STEPS)

/* x + ROUNDER has no fraction bits, and its last bits are those of n. */
#define ROUNDER 0x1.8p52

/* exp(-200) is 0 as a float; n stays small. */
#define FAR 200.0f

/* 2^(i/16) */
static const double powers_of_2[STEPS] = {0x1p+0, 0x1.0b5586cf9890fp+0,
    0x1.172b83c7d517bp+0, 0x1.2387a6e756238p+0, 0x1.306fe0a31b715p+0,
    0x1.3dea64c123422p+0, 0x1.4bfdad5362a27p+0, 0x1.5ab07dd485429p+0,
    0x1.6a09e667f3bcdp+0, 0x1.7a11473eb0187p+0, 0x1.8ace5422aa0dbp+0,
    0x1.9c49182a3f09p+0, 0x1.ae89f995ad3adp+0, 0x1.c199bdd85529cp+0,
    0x1.d5818dcfba487p+0, 0x1.ea4afa2a490dap+0};

/* One number at a time: this defines the answer. */
#define KERNEL exp_portable
#define TARGET
#define WIDTH 1
#define DOUBLES double
#define FLOATS float
#define BITS uint64_t
#define WIDEN(x) ((double)(x))
#define NARROW(x) ((float)(x))
#define POWERS const double *
#define GET_POWERS powers_of_2
#define LOOK_UP(powers, i) ((powers)[(i) % STEPS])
#include "exp_kernel.h"

#if CPU_X86 || CPU_ARM
/* Vectors as GNU C has them: operators work on all numbers in them. */
#define VECTOR(type, n) type __attribute__((vector_size((n) * sizeof(type))))

typedef VECTOR(double, 2) doubles_2;
typedef VECTOR(float, 2) floats_2;
typedef VECTOR(uint64_t, 2) bits_2;
#define KERNEL exp_two
#define TARGET
#define WIDTH 2
#define DOUBLES doubles_2
#define FLOATS floats_2
#define BITS bits_2
#define WIDEN(x) __builtin_convertvector(x, doubles_2)
#define NARROW(x) __builtin_convertvector(x, floats_2)
#define POWERS const double *
#define GET_POWERS powers_of_2
#define LOOK_UP(p, i) ((doubles_2){(p)[(i)[0] % STEPS], (p)[(i)[1] % STEPS]})
#include "exp_kernel.h"
#endif

#if CPU_X86
typedef VECTOR(double, 4) doubles_4;
typedef VECTOR(float, 4) floats_4;
typedef VECTOR(uint64_t, 4) bits_4;
#define KERNEL exp_avx2
#define TARGET __attribute__((target("avx2")))
#define WIDTH 4
#define DOUBLES doubles_4
#define FLOATS floats_4
#define BITS bits_4
#define WIDEN(x) __builtin_convertvector(x, doubles_4)
#define NARROW(x) __builtin_convertvector(x, floats_4)
#define POWERS const double *
#define GET_POWERS powers_of_2
#define LOOK_UP(p, i)                                          \
	((doubles_4){(p)[(i)[0] % STEPS], (p)[(i)[1] % STEPS], \
	    (p)[(i)[2] % STEPS], (p)[(i)[3] % STEPS]})
#include "exp_kernel.h"

typedef VECTOR(double, 8) doubles_8;
typedef VECTOR(float, 8) floats_8;
typedef VECTOR(uint64_t, 8) bits_8;
struct two_registers {
	__m512d low, high;
};
#define KERNEL exp_avx512
#define TARGET __attribute__((target("avx512f")))
#define WIDTH 8
#define DOUBLES doubles_8
#define FLOATS floats_8
#define BITS bits_8
#define WIDEN(x) ((doubles_8)_mm512_cvtps_pd((__m256)(x)))
#define NARROW(x) ((floats_8)_mm512_cvtpd_ps((__m512d)(x)))
#define POWERS struct two_registers
#define GET_POWERS                                       \
	{                                                \
		_mm512_loadu_pd(powers_of_2),            \
		    _mm512_loadu_pd(powers_of_2 + WIDTH) \
	}
#define LOOK_UP(p, i) \
	((doubles_8)_mm512_permutex2var_pd((p).low, (__m512i)(i), (p).high))
#include "exp_kernel.h"
#endif

const struct exp_kernel exp_kernels[] = {
#if CPU_X86
    {"avx512", CPU_AVX512, exp_avx512},
    {"avx2", CPU_AVX2, exp_avx2},
    {"sse2", CPU_SSE2, exp_two},
#elif CPU_ARM
    {"neon", CPU_NEON, exp_two},
#endif

    {"portable", CPU_ANY, exp_portable},
    {NULL, CPU_ANY, NULL},
};

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

double
exp_floats_by(const struct exp_kernel *kernel, const float *x, float max,
    float *e, size_t n)
{
	double lanes[EXP_LANES] = {0};
	float last_x[EXP_STEP], last_e[EXP_STEP];
	size_t rest = n % EXP_STEP;

	if (max == INFINITY || max == -INFINITY)
		return exp_infinite(x, max, e, n);
	n -= rest;
	kernel->run(x, max, e, n, lanes);
	if (rest > 0) {
		for (size_t i = 0; i < EXP_STEP; i++)
			last_x[i] = i < rest ? x[n + i] : -INFINITY;
		kernel->run(last_x, max, last_e, EXP_STEP, lanes);
		memcpy(e + n, last_e, rest * sizeof(*e));
	}
	for (size_t half = EXP_LANES / 2; half > 0; half /= 2)
		for (size_t i = 0; i < half; i++)
			lanes[i] += lanes[i + half];
	return lanes[0];
}

double
exp_floats(const float *x, float max, float *e, size_t n)
{
	const struct exp_kernel *kernel = exp_kernels;

	while (!cpu_has(kernel->needs))
		kernel++;
	return exp_floats_by(kernel, x, max, e, n);
}
