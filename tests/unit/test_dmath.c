/* SPDX-License-Identifier: MIT */
/* dmath.c against MPFR: error bounds, special values, and the very bits. */

/*
 * TOKPICK_TEST_SCALE (percent, 100 if unset) scales the number of points, for
 * emulators. With TOKPICK_TEST_EVERY_FLOAT set, the float functions of one
 * argument are tried on all 2^32 floats, which takes minutes.
 */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <mpfr.h>

#include "../../src/sampler/dmath.h"

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

static uint64_t
bits_of(double x)
{
	uint64_t bits;

	memcpy(&bits, &x, sizeof(bits));
	return bits;
}

static double
from_bits(uint64_t bits)
{
	double x;

	memcpy(&x, &bits, sizeof(x));
	return x;
}

static uint32_t
float_bits(float x)
{
	uint32_t bits;

	memcpy(&bits, &x, sizeof(bits));
	return bits;
}

static float
float_from_bits(uint32_t bits)
{
	float x;

	memcpy(&x, &bits, sizeof(x));
	return x;
}

/*
 * x rounded to float. gcc 12 forgets that rounding where it makes one vector
 * of two such numbers: hence volatile.
 */
static double
narrowed(double x)
{
	volatile float narrow = (float)x;

	return (double)narrow;
}

/* Random numbers: SplitMix64, from a seed that is always the same. */

static uint64_t
next(uint64_t *state)
{
	uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

/* Ways to draw a number, from low and high on. */

static double
between(uint64_t *state, double low, double high)
{
	return low + (double)(next(state) >> 11) * 0x1p-53 * (high - low);
}

static double
whole(uint64_t *state, double low, double high)
{
	return low + (double)(next(state) % (uint64_t)(high - low + 1));
}

static double
half_whole(uint64_t *state, double low, double high)
{
	return whole(state, low * 2, high * 2) / 2;
}

/* Any significand, 2^low <= |x| < 2^high, either sign. */
static double
sized(uint64_t *state, double low, double high)
{
	uint64_t bits = next(state) & ~(UINT64_C(0x7ff) << 52);
	uint64_t exponent = (uint64_t)(whole(state, low, high - 1) + 1023);

	return from_bits(bits | exponent << 52);
}

static double
positive(uint64_t *state, double low, double high)
{
	return fabs(sized(state, low, high));
}

static double
one_plus(uint64_t *state, double low, double high)
{
	return 1 + sized(state, low, high);
}

/* Of low to high bits. */
static double
denormal(uint64_t *state, double low, double high)
{
	unsigned bits = (unsigned)whole(state, low, high);

	return from_bits((next(state) | UINT64_C(1) << 63) >> (64 - bits));
}

/* Half-way between two entries of exp's table, or a neighbour of that. */
static double
exp_edge(uint64_t *state, double low, double high)
{
	double edge = (whole(state, low, high) + 0.5) * 0x1.62e42fefa39efp-8;

	return from_bits(bits_of(edge) + next(state) % 5 - 2);
}

/* An edge between two intervals of log's table, or a neighbour of that. */
static double
log_edge(uint64_t *state, double low, double high)
{
	uint64_t edge = (uint64_t)(whole(state, low, high) + 1023 * 256);

	return from_bits((edge << 44) + next(state) % 5 - 2);
}

/* A part of the domain to try a function in. */
struct zone {
	double (*draw)(uint64_t *state, double low, double high);
	double low;
	double high;
	/* For pow; with `reach`, y is what makes x^y a power of 2 so drawn. */
	double (*draw_y)(uint64_t *state, double low, double high);
	double low_y;
	double high_y;
	bool reach;
};

struct point {
	double x;
	double y;
};

static struct point
draw(const struct zone *zone, bool as_float, uint64_t *state)
{
	struct point point = {zone->draw(state, zone->low, zone->high), 0};

	if (as_float)
		point.x = narrowed(point.x);
	if (zone->draw_y != NULL)
		point.y = zone->draw_y(state, zone->low_y, zone->high_y);
	if (zone->reach)
		point.y /= math_log2(point.x);
	if (as_float)
		point.y = narrowed(point.y);
	return point;
}

#define X_ONLY NULL, 0, 0, false

static const struct zone exp_zones[] = {
    {between, -746, 710, X_ONLY},
    {between, -30, 0, X_ONLY},
    {between, -1, 1, X_ONLY},
    {sized, -60, 10, X_ONLY},
    {between, 708.5, 709.79, X_ONLY},
    {between, -745.2, -708, X_ONLY}, /* denormal results */
    {between, -668, -662, X_ONLY},   /* where exp_edge() takes over */
    {exp_edge, -137000, 131000, X_ONLY},
};
static const struct zone expf_zones[] = {
    {between, -104, 89, X_ONLY},
    {between, -104, -87, X_ONLY},
    {between, 88.5, 88.8, X_ONLY},
    {sized, -30, 7, X_ONLY},
};
static const struct zone log_zones[] = {
    {positive, -1022, 1024, X_ONLY},
    {between, 0.5, 2, X_ONLY},
    {between, 0.99, 1.01, X_ONLY},
    {one_plus, -53, -6, X_ONLY},
    {denormal, 1, 52, X_ONLY},
    {between, DBL_MAX / 2, DBL_MAX, X_ONLY},
    {between, 0, 1, X_ONLY},
    {log_edge, -256, 255, X_ONLY},
};
static const struct zone logf_zones[] = {
    {positive, -149, 128, X_ONLY},
    {between, 0.5, 2, X_ONLY},
    {one_plus, -24, -3, X_ONLY},
    {between, 0, 1, X_ONLY},
};
static const struct zone pow_zones[] = {
    {positive, -1022, 1024, between, -1076, 1024.1, true},
    {positive, -1022, 1024, between, 1022, 1024.01, true},
    {positive, -1022, 1024, between, -1075.1, -1020, true},
    {one_plus, -50, -3, between, -1076, 1024.1, true},
    /* r is largest where the logarithm is smallest. */
    {between, 1.002, 1.0044, between, 1000, 1024, true},
    {between, 0.5, 2, between, -10, 10, false},
    {whole, -100, 100, whole, -20, 20, false}, /* many exact */
    {positive, -400, 400, half_whole, -4, 4, false},
    {denormal, 1, 52, between, -1, 1, false},
    {positive, -1022, 1024, sized, -70, -50, false}, /* near 1 */
};
static const struct zone powf_zones[] = {
    {positive, -149, 128, between, -150, 128.1, true},
    {one_plus, -22, -3, between, -150, 128.1, true},
    {between, 0.5, 2, between, -10, 10, false},
    {whole, -100, 100, whole, -20, 20, false},
    {positive, -40, 40, half_whole, -4, 4, false},
};

/* The functions, brought to one shape, with what dmath.h says of them. */
struct function {
	const char *name;
	double (*ours)(double x, double y);
	float (*ours_float)(float x, float y);
	int (*exact)(mpfr_t out, const mpfr_t x, const mpfr_t y);
	double bound;         /* on the error, in ulp */
	uint64_t wrong_count; /* of floats not correctly rounded */
	uint64_t points;
	const struct zone *zones;
	uint64_t zone_count;
	const struct zone *float_zones;
	uint64_t float_zone_count;
	uint64_t digest; /* for check_bits() */
	uint64_t float_digest;
};

#define ONE_ARGUMENT(name)                                                  \
	static double our_##name(double x, double y)                        \
	{                                                                   \
		(void)y;                                                    \
		return math_##name(x);                                      \
	}                                                                   \
	static float our_##name##f(float x, float y)                        \
	{                                                                   \
		(void)y;                                                    \
		return math_##name##f(x);                                   \
	}                                                                   \
	static int exact_##name(mpfr_t out, const mpfr_t x, const mpfr_t y) \
	{                                                                   \
		(void)y;                                                    \
		return mpfr_##name(out, x, MPFR_RNDN);                      \
	}
ONE_ARGUMENT(exp)
ONE_ARGUMENT(log)
ONE_ARGUMENT(log2)

static int
exact_pow(mpfr_t out, const mpfr_t x, const mpfr_t y)
{
	return mpfr_pow(out, x, y, MPFR_RNDN);
}

#define ZONES(name) \
	name##_zones, LENGTH(name##_zones), name##f_zones, LENGTH(name##f_zones)

static const struct function functions[] = {
    {"exp", our_exp, our_expf, exact_exp, 0.51, 0, 1000000, ZONES(exp),
        UINT64_C(0x4b93f9434391c54e), UINT64_C(0x99d79cfec1379659)},
    {"log", our_log, our_logf, exact_log, 0.501, 5, 1000000, ZONES(log),
        UINT64_C(0x5a2cf850af64b7d5), UINT64_C(0x2cb0a1d5e6b2452d)},
    {"log2", our_log2, our_log2f, exact_log2, 0.501, 0, 200000, ZONES(log),
        UINT64_C(0x7ae848736bdd8c1f), UINT64_C(0x2d1e58a1b5d7bf6e)},
    {"pow", math_pow, math_powf, exact_pow, 0.52, 0, 200000, ZONES(pow),
        UINT64_C(0x4494d7d6dc526c6a), UINT64_C(0xa290b0d836037ad1)},
};

static uint64_t
scaled(uint64_t points)
{
	const char *text = getenv("TOKPICK_TEST_SCALE");
	uint64_t percent = text != NULL ? strtoull(text, NULL, 10) : 100;

	assert_true(percent > 0);
	return points * percent / 100;
}

/*
 * |ours - exact|, in units of the last place that a double has there; no less
 * than infinity where the kind or the sign is wrong.
 */
static double
ulp_error(double ours, const mpfr_t exact)
{
	static const double nan = NAN;
	mpfr_exp_t last;
	mpfr_t distance;
	double error;

	if (mpfr_nan_p(exact))
		return bits_of(ours) == bits_of(nan) ? 0 : INFINITY;
	if (ours != ours || !signbit(ours) != !mpfr_signbit(exact))
		return INFINITY;
	if (isinf(ours) || !mpfr_regular_p(exact))
		return mpfr_get_d(exact, MPFR_RNDN) == ours ? 0 : INFINITY;
	last = mpfr_get_exp(exact) - DBL_MANT_DIG;
	if (last < -1074)
		last = -1074;
	mpfr_init2(distance, mpfr_get_prec(exact));
	mpfr_sub_d(distance, exact, ours, MPFR_RNDN);
	mpfr_mul_2si(distance, distance, -last, MPFR_RNDN);
	error = fabs(mpfr_get_d(distance, MPFR_RNDN));
	mpfr_clear(distance);
	return error;
}

/* With 200 bits the measure itself is off by 2^-147 ulp. */
static double
error_at(const struct function *function, struct point point)
{
	mpfr_t exact, x, y;
	double error;

	mpfr_init2(exact, 200);
	mpfr_inits2(DBL_MANT_DIG, x, y, (mpfr_ptr)NULL);
	mpfr_set_d(x, point.x, MPFR_RNDN);
	mpfr_set_d(y, point.y, MPFR_RNDN);
	function->exact(exact, x, y);
	error = ulp_error(function->ours(point.x, point.y), exact);
	mpfr_clears(exact, x, y, (mpfr_ptr)NULL);
	return error;
}

/* The true value rounded to float: 100 bits leave no doubt about which. */
static float
correct_float(const struct function *function, struct point point)
{
	mpfr_t exact, x, y;
	float result;

	mpfr_init2(exact, 100);
	mpfr_inits2(FLT_MANT_DIG, x, y, (mpfr_ptr)NULL);
	mpfr_set_d(x, point.x, MPFR_RNDN);
	mpfr_set_d(y, point.y, MPFR_RNDN);
	function->exact(exact, x, y);
	result = mpfr_get_flt(exact, MPFR_RNDN);
	mpfr_clears(exact, x, y, (mpfr_ptr)NULL);
	return result;
}

/* The same bits; for a NaN, ours. */
static bool
is_float(float ours, float exact)
{
	return float_bits(ours) == float_bits(exact == exact ? exact : NAN);
}

static bool
rounds_well(const struct function *function, struct point point)
{
	float ours = function->ours_float((float)point.x, (float)point.y);

	return is_float(ours, correct_float(function, point));
}

static void
check_bound(const struct function *function)
{
	uint64_t random = 1, points = scaled(function->points), i;
	struct point point, worst_point = {0, 0};
	double error, worst = 0;

	for (i = 0; i < points; i++) {
		point = draw(
		    &function->zones[i % function->zone_count], false, &random);
		error = error_at(function, point);
		if (error > worst) {
			worst = error;
			worst_point = point;
		}
	}
	print_message("%s: worst of %llu: %.5f ulp, at %a %a\n", function->name,
	    (unsigned long long)points, worst, worst_point.x, worst_point.y);
	assert_true(worst > 0.49); /* or it measured nothing */
	assert_true(worst < function->bound);
}

static void
test_errors_stay_within_the_bounds(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < LENGTH(functions); i++)
		check_bound(&functions[i]);
}

static void
check_floats(const struct function *function)
{
	uint64_t random = 2, points = scaled(1000000), wrong = 0, i;
	const struct zone *zone;

	for (i = 0; i < points; i++) {
		zone = &function->float_zones[i % function->float_zone_count];
		wrong += !rounds_well(function, draw(zone, true, &random));
	}
	print_message("%sf: %llu of %llu not correctly rounded\n",
	    function->name, (unsigned long long)wrong,
	    (unsigned long long)points);
	assert_int_equal(wrong, 0);
}

static void
test_floats_are_correctly_rounded(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < LENGTH(functions); i++)
		check_floats(&functions[i]);
}

/*
 * Only where the double lies within 4 ulp of the middle between two floats can
 * rounding it go wrong: there MPFR decides.
 */
static bool
is_close(double result)
{
	uint64_t bits = bits_of(result);

	return result != 0 && isfinite(result) &&
	    !is_float((float)from_bits(bits - 4), (float)from_bits(bits + 4));
}

static void
check_every_float(const struct function *function)
{
	struct point point = {0, 0};
	uint64_t i, close = 0, wrong = 0;

	for (i = 0; i <= UINT32_MAX; i++) {
		point.x = (double)float_from_bits((uint32_t)i);
		if (!is_close(function->ours(point.x, 0)))
			continue;
		close++;
		if (!rounds_well(function, point)) {
			wrong++;
			print_message(
			    "%sf(%a) is wrong\n", function->name, point.x);
		}
	}
	print_message("%sf: %llu floats are close, %llu wrong\n",
	    function->name, (unsigned long long)close,
	    (unsigned long long)wrong);
	assert_true(close > 0);
	assert_int_equal(wrong, function->wrong_count);
}

/* A root and its half-way neighbours have 25 bits: their squares are exact. */
static bool
is_root(float root, float x)
{
	double below = (double)float_from_bits(float_bits(root) - 1);
	double above = (double)float_from_bits(float_bits(root) + 1);
	double low = ((double)root + below) / 2;
	double high = ((double)root + above) / 2;

	return low * low < (double)x && (double)x < high * high;
}

static void
test_roots_are_correctly_rounded(void **state)
{
	uint64_t random = 3, points = scaled(1000000), i;
	float x;

	(void)state;
	for (i = 0; i < points; i++) {
		x = float_from_bits((uint32_t)(next(&random) % 0x7f800000));
		assert_true(x == 0 || is_root(math_sqrtf(x), x));
	}
	for (i = 1; i < 1 << 12; i++) {
		assert_true(math_sqrtf((float)(i * i)) == (float)i);
		x = float_from_bits((uint32_t)i); /* denormal */
		assert_true(is_root(math_sqrtf(x), x));
	}
	assert_true(is_root(math_sqrtf(FLT_MAX), FLT_MAX));
	assert_true(is_float(math_sqrtf(0.0F), 0.0F));
	assert_true(is_float(math_sqrtf(-0.0F), -0.0F));
	assert_true(is_float(math_sqrtf(INFINITY), INFINITY));
	assert_true(is_float(math_sqrtf(-0x1p-149F), NAN));
	assert_true(is_float(math_sqrtf(-INFINITY), NAN));
	assert_true(is_float(math_sqrtf(NAN), NAN));
}

static void
test_every_float(void **state)
{
	uint32_t bits;
	size_t i;

	(void)state;
	if (getenv("TOKPICK_TEST_EVERY_FLOAT") == NULL) {
		print_message("it takes minutes, so only if asked for\n");
		skip();
	}
	for (i = 0; i < LENGTH(functions); i++)
		if (functions[i].ours != math_pow)
			check_every_float(&functions[i]);
	for (bits = 1; bits < float_bits(INFINITY); bits++)
		assert_true(is_root(
		    math_sqrtf(float_from_bits(bits)), float_from_bits(bits)));
}

static void
check_special(const struct function *function, struct point point)
{
	struct point narrow = {narrowed(point.x), narrowed(point.y)};

	if (error_at(function, point) < function->bound &&
	    rounds_well(function, narrow))
		return;
	fail_msg("%s(%a, %a) is %a, and in float %a", function->name, point.x,
	    point.y, function->ours(point.x, point.y),
	    (double)function->ours_float((float)point.x, (float)point.y));
}

/*
 * Every pair of these numbers, and of those with the other sign. MPFR keeps
 * to annex F, the sign of a zero and of an infinity included.
 */
static void
test_special_values_are_those_of_annex_f(void **state)
{
	static const double specials[] = {0, 0x1p-1074, DBL_MIN, 0x1p-149,
	    FLT_MIN, 0x1p-60, 0.5, 1, 1.5, 2, 3, 4, 5, 88, 89, 103, 104, 128,
	    149, 150, 709, 710, 745, 746, 1023, 1024, 1074, 1075, 1076,
	    0x1.fffffep22, 0x1.fffffep23, 0x1p24, 0x1.fffffffffffffp51,
	    0x1.fffffffffffffp52, 0x1p53, 0x1p100, FLT_MAX, DBL_MAX, INFINITY,
	    NAN};
	double signed_specials[2 * LENGTH(specials)];
	size_t count = LENGTH(specials), i, pair;
	struct point point;

	(void)state;
	for (i = 0; i < count; i++) {
		signed_specials[i] = specials[i];
		signed_specials[count + i] = -specials[i];
	}
	count *= 2;
	for (pair = 0; pair < count * count; pair++) {
		point.x = signed_specials[pair / count];
		point.y = signed_specials[pair % count];
		for (i = 0; i < LENGTH(functions); i++)
			check_special(&functions[i], point);
	}
	assert_true(math_pow(NAN, 0) == 1 && math_pow(1, NAN) == 1);
}

static void
test_the_range_ends_where_it_should(void **state)
{
	double x = 0x1p-1074;
	int k;

	(void)state;
	assert_true(isfinite(math_exp(0x1.62e42fefa39efp+9)));
	assert_true(isinf(math_exp(0x1.62e42fefa39f0p+9)));
	assert_true(math_exp(-0x1.74910d52d3051p+9) == 0x1p-1074);
	assert_true(math_exp(-0x1.74910d52d3052p+9) == 0);
	assert_true(isfinite(math_expf(0x1.62e42ep+6F)));
	assert_true(isinf(math_expf(0x1.62e430p+6F)));
	/* The logarithm of a power of 2 is exact, and so is the power. */
	for (k = -1074; k < 1024; k++, x *= 2) {
		assert_true(math_log2(x) == k);
		assert_true(math_pow(2, k) == x);
	}
}

static uint64_t
mix(uint64_t sum, uint64_t bits)
{
	sum = (sum ^ bits) * UINT64_C(0x9fb21c651e98df25);
	return sum ^ sum >> 32;
}

/* The points are made of random bits, without arithmetic. */
static bool
check_bits(const struct function *function)
{
	uint64_t random = 4, sum = 0, float_sum = 0;
	double x, y, narrow_x;
	int i;

	for (i = 0; i < 100000; i++) {
		x = sized(&random, -30, 10);
		y = sized(&random, -5, 7);
		narrow_x = sized(&random, -30, 7);
		if (i % 2 == 0) {
			x = from_bits(next(&random));
			narrow_x = (double)float_from_bits(
			    (uint32_t)next(&random));
		}
		if (function->zones != exp_zones) {
			x = fabs(x);
			narrow_x = fabs(narrow_x);
		}
		sum = mix(sum, bits_of(function->ours(x, y)));
		float_sum = mix(float_sum,
		    float_bits(
		        function->ours_float((float)narrow_x, (float)y)));
	}
	print_message("%s: 0x%016llx, 0x%016llx\n", function->name,
	    (unsigned long long)sum, (unsigned long long)float_sum);
	return sum == function->digest && float_sum == function->float_digest;
}

/*
 * The promise itself. The sums were taken on x86-64, and are to be the same
 * for every processor and compiler; a change that alters one changes ids.
 */
static void
test_bits_are_the_same_everywhere(void **state)
{
	bool same = true;
	size_t i;

	(void)state;
	for (i = 0; i < LENGTH(functions); i++)
		same &= check_bits(&functions[i]);
	assert_true(same);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_special_values_are_those_of_annex_f),
	    cmocka_unit_test(test_the_range_ends_where_it_should),
	    cmocka_unit_test(test_bits_are_the_same_everywhere),
	    cmocka_unit_test(test_errors_stay_within_the_bounds),
	    cmocka_unit_test(test_floats_are_correctly_rounded),
	    cmocka_unit_test(test_roots_are_correctly_rounded),
	    cmocka_unit_test(test_every_float),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
