/* SPDX-License-Identifier: MIT */
/* tokpick's own exp, log and pow, from IEEE basic operations alone. */

#include "dmath.h"

#include <math.h> /* INFINITY and NAN; no function */
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "dmath_tables.h"
#include "exact.h"

/*
 * Numbers wider than a double
 *
 * Some steps need more than 53 bits. They carry a value as the sum of two
 * doubles, hi the nearest one and lo what that lacks. But an operation whose
 * true result fits in 53 bits is exact, and much below is so arranged.
 */
struct pair {
	double hi;
	double lo;
};

enum { FRACTION_BITS = 52, EXPONENT_BIAS = 1023 };

static inline uint64_t
bits_of(double x)
{
	uint64_t bits;

	memcpy(&bits, &x, sizeof(bits));
	return bits;
}

static inline double
from_bits(uint64_t bits)
{
	double x;

	memcpy(&x, &bits, sizeof(x));
	return x;
}

/*
 * The first 26 significant bits of x; x - top_half(x) is exact and has 27 at
 * most. So top·top has 52 bits and top·rest 53: both products are exact.
 */
static inline double
top_half(double x)
{
	return from_bits(bits_of(x) & ~((UINT64_C(1) << 27) - 1));
}

/* a + b without error, for any a and b (Knuth). */
static inline struct pair
exact_sum(double a, double b)
{
	double sum = a + b;
	double b_taken = sum - a;
	double a_taken = sum - b_taken;

	return (struct pair){sum, (a - a_taken) + (b - b_taken)};
}

/* The same where |a| >= |b| or a is 0 (Dekker). */
static inline struct pair
ordered_sum(double a, double b)
{
	double sum = a + b;

	return (struct pair){sum, b - (sum - a)};
}

/*
 * exp
 *
 * With n the integer nearest to x·128/ln 2,
 *
 *	x = n·ln2/128 + r,	exp(x) = 2^(n/128)·exp(r),  |r| < 0.00271.
 *
 * 2^(n/128) is a table entry, of n mod 128, with floor(n/128) added to its
 * exponent. What an entry lacks of its true value, its rest, joins exp(r) - 1
 * in a small tail, so that one rounding is left that matters: the last sum of
 *
 *	exp(x) = power + power·tail.
 *
 * r: n has 18 bits and ln2/128 is cut to 35, so n·top is exact, and so is
 * x - n·top: both are multiples of 2^-61, and they differ by less than 2^-8.
 * exp(r) - 1 is its series to r^6; the next term is below 2^-71.
 *
 * Error, where the result lies in [1, 2), whose ulp is 2^-52: half an ulp for
 * the last sum. r and tail are below 2^-8, rounded by 2^-62 at most; times
 * power, below 2, that is 2^-61 each. So are the rounding of the product, and
 * rest·r, which is left out of tail. 4·2^-61 in all: 0.508 ulp.
 */
static const double ROUNDER = 0x1.8p52; /* x + ROUNDER has no fraction bits */

struct exp_parts {
	uint64_t n; /* modulo 2^19; what is above is not of n */
	double tail;
};

static inline struct exp_parts
exp_split(double hi, double lo)
{
	double rounded = hi * MATH_STEPS_PER_LN2 + ROUNDER;
	uint64_t n = bits_of(rounded);
	double count = rounded - ROUNDER;
	double r = (hi - count * MATH_LN2_STEP_TOP) +
	    (lo - count * MATH_LN2_STEP_REST);
	double r2 = r * r;
	double tail = math_exp_table[n % MATH_STEPS].rest +
	    r2 * (1.0 / 2 + r * (1.0 / 6)) +
	    r2 * r2 * (1.0 / 24 + r * (1.0 / 120) + r2 * (1.0 / 720));

	return (struct exp_parts){n, r + tail};
}

/* 2^(n/128), as the table has it. */
static inline double
exp_power(uint64_t n)
{
	return from_bits(bits_of(math_exp_table[n % MATH_STEPS].power) +
	    (n >> MATH_STEP_BITS << FRACTION_BITS));
}

/*
 * (power + power·tail)·2^-1022. A result that is not a normal number has the
 * bits that adding 1 before the scaling leaves: it is rounded there, once.
 */
static double
scale_down(double power, double tail)
{
	struct pair y = ordered_sum(power, power * tail), sum;

	if (y.hi >= 1)
		return y.hi * 0x1p-1022;
	sum = ordered_sum(1, y.hi);
	return (sum.hi + (sum.lo + y.lo) - 1) * 0x1p-1022;
}

/* exp(hi + lo) where a power or a product may leave the normal range. */
static double
exp_edge(double hi, double lo)
{
	struct exp_parts parts;
	double power;

	if (hi != hi)
		return NAN;
	if (hi >= 710) /* 1024·ln 2 is 709.78 */
		return INFINITY;
	if (hi <= -746) /* -1075·ln 2 is -745.13 */
		return 0;
	parts = exp_split(hi, lo);
	if (hi < 0)
		return scale_down(
		    exp_power(parts.n + 1022 * MATH_STEPS), parts.tail);
	power = exp_power(parts.n - MATH_STEPS);
	return (power + power * parts.tail) * 2;
}

/* exp(hi + lo); lo is below 2^-14. */
static inline double
exp_pair(double hi, double lo)
{
	struct exp_parts parts;
	double power;

	/* Above 2^-960 the product is a normal number, and so rounded well. */
	if (!(hi > -665 && hi < 709))
		return exp_edge(hi, lo);
	parts = exp_split(hi, lo);
	power = exp_power(parts.n);
	return power + power * parts.tail;
}

double
math_exp(double x)
{
	return exp_pair(x, 0);
}

/*
 * log
 *
 * x = 2^k·m with m in [0.705, 1.41), an octave cut so that 1 lies inside it
 * and no sum below cancels. The octave is in 128 intervals, each with a
 * number of 26 bits near to the inverse of its middle:
 *
 *	ln m = -ln(inverse) + ln(1 + r),	r = m·inverse - 1,  |r| <= 2^-8.
 *
 * r is exact as a pair: both halves of m times inverse are exact products,
 * and 1 is taken from one that is near to it. Around 1, inverse is 1 and its
 * logarithm 0, so that ln m is good to its last bit however small.
 *
 * ln(1 + r) = r - r^2/2 + r^3/3 - …: r and the square of its top half are
 * exact and are summed exactly; the rest is below 2^-17·r, so that a double
 * knows it to 2^-70·r. The series goes to r^9; the next term is below 2^-75·r.
 * So the relative error of hi + lo is about 2^-69, that is 2^-16 ulp.
 */

/* Carries the first significand of the octave, 1 less 75.5 intervals, to 1. */
static const uint64_t OCTAVE_SHIFT = (UINT64_C(2) * MATH_LOG_ONE + 1)
    << (FRACTION_BITS - MATH_STEP_BITS - 1);

struct log_parts {
	double k; /* the value is 2^k·exp(ln.hi + ln.lo) */
	struct pair ln;
};

/* m·inverse - 1 */
static inline struct pair
log_residue(double m, double inverse)
{
	double top = top_half(m);

	return exact_sum(top * inverse - 1, (m - top) * inverse);
}

/* -ln(inverse) + ln(1 + r) */
static inline struct pair
log_sum(const struct math_log_step *step, struct pair r)
{
	double top = top_half(r.hi), rest = r.hi - top;
	double r2 = r.hi * r.hi;
	double cubic = r2 * r.hi *
	    ((1.0 / 3 - r.hi * (1.0 / 4)) + r2 * (1.0 / 5 - r.hi * (1.0 / 6)) +
	        r2 * r2 * (1.0 / 7 - r.hi * (1.0 / 8) + r2 * (1.0 / 9)));
	struct pair first = ordered_sum(step->hi, r.hi);
	struct pair second = ordered_sum(first.hi, -0.5 * (top * top));
	double square_rest = -0.5 * (rest * (top + r.hi));
	double r_rest = r.lo * (1 - r.hi + r2); /* r.lo / (1 + r.hi) */

	return ordered_sum(second.hi,
	    first.lo + second.lo +
	        (square_rest + (step->lo + (r_rest + cubic))));
}

/* x is positive and finite. */
static inline struct log_parts
log_split(double x)
{
	const struct math_log_step *step;
	uint64_t bits, shifted, exponent;
	int scaled = 0;
	double m;

	if (x < DBL_MIN) {
		x *= 0x1p52;
		scaled = 52;
	}
	bits = bits_of(x);
	shifted = bits + OCTAVE_SHIFT;
	exponent = shifted >> FRACTION_BITS;
	m = from_bits(bits - ((exponent - EXPONENT_BIAS) << FRACTION_BITS));
	step = &math_log_table[(shifted >> (FRACTION_BITS - MATH_STEP_BITS)) %
	    MATH_STEPS];
	return (struct log_parts){(int)exponent - EXPONENT_BIAS - scaled,
	    log_sum(step, log_residue(m, step->inverse))};
}

/* ln x; k has 11 bits and the first part of ln 2 has 42: an exact product. */
static inline struct pair
log_pair(double x)
{
	struct log_parts parts = log_split(x);
	struct pair sum = ordered_sum(parts.k * MATH_LN2_TOP, parts.ln.hi);

	sum.lo += parts.ln.lo + parts.k * MATH_LN2_REST;
	return sum;
}

/* The logarithms of what is not positive and finite. */
static double
log_edge(double x)
{
	return x == 0 ? -INFINITY : x > 0 ? INFINITY : NAN;
}

double
math_log(double x)
{
	struct pair ln;

	if (!(x > 0 && x <= DBL_MAX))
		return log_edge(x);
	ln = log_pair(x);
	return ln.hi + ln.lo;
}

/* k + ln m/ln 2, by halves as in pow below; k alone for a power of 2. */
double
math_log2(double x)
{
	struct log_parts parts;
	struct pair sum;
	double top, rest;

	if (!(x > 0 && x <= DBL_MAX))
		return log_edge(x);
	parts = log_split(x);
	top = top_half(parts.ln.hi);
	rest = parts.ln.hi - top + parts.ln.lo;
	sum = ordered_sum(parts.k, top * MATH_INV_LN2_TOP);
	return sum.hi +
	    (sum.lo + (top * MATH_INV_LN2_REST + rest * MATH_INV_LN2));
}

/*
 * pow
 *
 * x^y = exp(y·ln x). An error in the exponent is a relative error of the
 * result, and the exponent may be 710: hence the pair. Its product with y is
 * the exact product of the top halves, and a rest below 2^-25 of it whose
 * rounding is below 2^-78 of it. With the 2^-69 of ln x that is an error of
 * 710·2^-69 = 2^-59.5, or 0.01 ulp, above that of exp.
 */

/* x is positive and finite, y finite. */
static double
pow_positive(double x, double y)
{
	struct pair ln = log_pair(x);
	double ln_top = top_half(ln.hi), ln_rest = ln.hi - ln_top + ln.lo;
	double y_top = top_half(y), y_rest = y - y_top;

	return exp_pair(y_top * ln_top, y_rest * ln_top + y * ln_rest);
}

/* The limit where x >= 0 is 0 or infinite, or y is infinite. */
static double
pow_limit(double x, double y)
{
	if (x == 1)
		return 1;
	return (x > 1) == (y > 0) ? INFINITY : 0;
}

/* From 2^53 on every double is an integer, and an even one. */
static bool
is_integer(double y)
{
	return !(y > -0x1p53 && y < 0x1p53) || (double)(int64_t)y == y;
}

static bool
is_odd(double y)
{
	return is_integer(y) && !is_integer(y / 2);
}

double
math_pow(double x, double y)
{
	bool negative = bits_of(x) >> 63 != 0;
	double size = negative ? -x : x;
	double result;

	if (y == 0 || x == 1)
		return 1;
	if (x != x || y != y)
		return NAN;
	if (size == 0 || size > DBL_MAX || y < -DBL_MAX || y > DBL_MAX)
		result = pow_limit(size, y);
	else if (negative && !is_integer(y))
		return NAN;
	else
		result = pow_positive(size, y);
	return negative && is_odd(y) ? -result : result;
}

/*
 * float
 *
 * The double is off by little more than half its ulp, which is 2^-29 of a
 * float's: rounding it gives the correctly rounded float, unless the true
 * value lies that near to the middle between two floats.
 */
float
math_expf(float x)
{
	return (float)math_exp((double)x);
}

float
math_logf(float x)
{
	return (float)math_log((double)x);
}

float
math_log2f(float x)
{
	return (float)math_log2((double)x);
}

float
math_powf(float x, float y)
{
	return (float)math_pow((double)x, (double)y);
}

/* The integer part of the square root of a square below 2^50. */
static uint64_t
integer_root(uint64_t square)
{
	uint64_t root = 0, bit, longer;

	for (bit = UINT64_C(1) << 24; bit != 0; bit >>= 1) {
		longer = root | bit;
		if (longer * longer <= square)
			root = longer;
	}
	return root;
}

/*
 * A float is m·2^(e - 23) with m an integer of 24 bits. Moved up by 25 bits,
 * or 26 for an odd e, m has a root of 25 bits: the result's and the one that
 * rounds it. It is never just half-way, an odd number: its square would be odd.
 */
float
math_sqrtf(float x)
{
	uint64_t bits, m, root, half;
	int e, odd;

	if (!(x >= 0))
		return (float)NAN;
	if (x == 0 || x > FLT_MAX)
		return x;
	bits = bits_of((double)x); /* normal, as a double */
	e = (int)(bits >> FRACTION_BITS) - EXPONENT_BIAS;
	odd = e % 2 != 0;
	m = (bits << 11 | UINT64_C(1) << 63) >> (64 - 24);
	root = integer_root(m << (25 + odd));
	half = (uint64_t)((e - odd) / 2 - 23 + EXPONENT_BIAS) << FRACTION_BITS;
	return (float)((int)((root + 1) / 2) * from_bits(half));
}
