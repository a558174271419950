/* SPDX-License-Identifier: MIT */
/* The number formats against plain arithmetic: every half, all roundings. */
#include <float.h>

#include "helper.h"

#include "../../src/input/dtype.h"

/* Little-endian, whatever this machine is. */
static void
put(unsigned char *to, uint64_t bits, size_t size)
{
	for (size_t i = 0; i < size; i++)
		to[i] = (unsigned char)(bits >> 8 * i);
}

/* One value, ending where the memory does, at an odd address too. */
static float
narrow(enum dtype dtype, uint64_t bits)
{
	static unsigned char *end;
	size_t size = dtype_size(dtype);
	float value;

	if (end == NULL)
		end = (unsigned char *)guarded_new(8) + 8;
	put(end - size, bits, size);
	dtype_to_float(dtype, end - size, 1, &value);
	return value;
}

static double
wide(enum dtype dtype, uint64_t bits)
{
	unsigned char bytes[8];
	double value;

	put(bytes, bits, dtype_size(dtype));
	dtype_to_double(dtype, bytes, 1, &value);
	return value;
}

/* significand * 2^exponent, a step at a time. */
static double
scale(double significand, int exponent)
{
	for (; exponent > 0; exponent--)
		significand *= 2;
	for (; exponent < 0; exponent++)
		significand /= 2;
	return significand;
}

/* What IEEE 754 says that bits of a 16-bit format stand for. */
static double
half_value(unsigned bits, int exponent_bits)
{
	int fraction_bits = 15 - exponent_bits;
	int bias = (1 << (exponent_bits - 1)) - 1;
	int exponent = (int)(bits >> fraction_bits) &
	    ((1 << exponent_bits) - 1);
	double fraction = scale(
	    (double)(bits & ((1U << fraction_bits) - 1)), -fraction_bits);
	double sign = bits >> 15 ? -1 : 1;

	if (exponent == (1 << exponent_bits) - 1)
		return fraction > 0 ? (double)NAN : sign * (double)INFINITY;
	if (exponent == 0)
		return sign * scale(fraction, 1 - bias);
	return sign * scale(1 + fraction, exponent - bias);
}

static bool
same(double value, double expected)
{
	if (isnan(expected))
		return isnan(value);
	return value == expected && signbit(value) == signbit(expected);
}

static void
check_every_half(enum dtype dtype, int exponent_bits)
{
	double expected;

	for (unsigned bits = 0; bits < 0x10000; bits++) {
		expected = half_value(bits, exponent_bits);
		if (!same((double)narrow(dtype, bits), expected) ||
		    !same(wide(dtype, bits), expected))
			fail_msg("0x%04x: %a, %a, not %a", bits,
			    (double)narrow(dtype, bits), wide(dtype, bits),
			    expected);
	}
}

static void
every_f16_is_exact(void **state)
{
	(void)state;
	check_every_half(DTYPE_F16, 5);
}

static void
every_bf16_is_exact(void **state)
{
	(void)state;
	check_every_half(DTYPE_BF16, 8);
}

static void
f32_stays_the_same_bits(void **state)
{
	static const uint32_t some[] = {0, 0x80000000, 1, 0x80000001,
	    0x007fffff, 0x3f800000, 0x7f7fffff, 0x7f800000, 0xff800000,
	    0x12345678};
	uint64_t random = 1;
	uint32_t bits;

	(void)state;
	for (size_t i = 0; i < LENGTH(some); i++)
		assert_int_equal(
		    float_bits(narrow(DTYPE_F32, some[i])), some[i]);
	assert_true(isnan(narrow(DTYPE_F32, 0x7fc00000)));
	assert_true(isnan(narrow(DTYPE_F32, 0xff800001)));
	for (size_t i = scaled(100000); i > 0; i--) {
		bits = (uint32_t)random_bits(&random);
		if (!isnan(float_from_bits(bits)))
			assert_int_equal(
			    float_bits(narrow(DTYPE_F32, bits)), bits);
	}
}

static uint64_t
double_bits(double value)
{
	uint64_t bits;

	memcpy(&bits, &value, sizeof(bits));
	return bits;
}

static float
rounded(double value)
{
	return narrow(DTYPE_F64, double_bits(value));
}

static void
f64_rounds_to_nearest_ties_to_even(void **state)
{
	static const struct {
		double from;
		float to;
	} cases[] = {
	    {0.0, 0.0f},
	    {-0.0, -0.0f},
	    {1.0, 1.0f},
	    {0.1, 0x1.99999ap-4f},
	    {-0.1, -0x1.99999ap-4f},
	    /* half-way between two floats, and next to it */
	    {0x1.000001p+0, 0x1p+0f},
	    {0x1.0000010000001p+0, 0x1.000002p+0f},
	    {0x1.000003p+0, 0x1.000004p+0f},
	    {0x1.0000029p+0, 0x1.000002p+0f},
	    {0x1.ffffffp+0, 0x1p+1f},
	    {-0x1.000001p+0, -0x1p+0f},
	    /* the largest float, and where rounding passes it */
	    {0x1.fffffep+127, FLT_MAX},
	    {0x1.fffffefffffffp+127, FLT_MAX},
	    {0x1.ffffffp+127, INFINITY},
	    {-0x1.ffffffp+127, -INFINITY},
	    {0x1p+128, INFINITY},
	    {DBL_MAX, INFINITY},
	    {-DBL_MAX, -INFINITY},
	    {(double)INFINITY, INFINITY},
	    {-(double)INFINITY, -INFINITY},
	    /* denormal floats, and less than half of the least */
	    {0x1p-126, 0x1p-126f},
	    {0x1.ffffffp-127, 0x1p-126f},
	    {0x1.fffffdp-127, 0x1.fffffcp-127f},
	    {0x1p-149, 0x1p-149f},
	    {0x1.8p-149, 0x1p-148f},
	    {0x1.7ffffffffffffp-149, 0x1p-149f},
	    {0x1.0000000000001p-150, 0x1p-149f},
	    {0x1p-150, 0.0f},
	    {-0x1p-150, -0.0f},
	    {0x1p-1074, 0.0f},
	    {-0x1p-1074, -0.0f},
	};

	(void)state;
	for (size_t i = 0; i < LENGTH(cases); i++)
		if (float_bits(rounded(cases[i].from)) !=
		    float_bits(cases[i].to))
			fail_msg("%a becomes %a, not %a", cases[i].from,
			    (double)rounded(cases[i].from),
			    (double)cases[i].to);
	assert_true(isnan(rounded((double)NAN)));
}

/* No float is nearer to a random double than the one it becomes. */
static void
f64_becomes_the_nearest_float(void **state)
{
	uint64_t random = 2, bits, exponent;
	double value, off;
	float near;

	(void)state;
	for (size_t i = scaled(200000); i > 0; i--) {
		exponent = 1023 - 150 + random_bits(&random) % (150 + 127);
		bits = random_bits(&random);
		bits = (bits & ~(UINT64_C(0x7ff) << 52)) | exponent << 52;
		memcpy(&value, &bits, sizeof(value));
		near = rounded(value);
		off = fabs((double)near - value);
		for (int step = -1; step <= 1; step += 2)
			assert_true(
			    off <= fabs((double)float_from_bits(
			                    float_bits(near) + (uint32_t)step) -
			               value));
		assert_true(wide(DTYPE_F64, bits) == value);
	}
}

/* Many at once, from any address, as one by one. */
static void
rows_may_lie_at_any_address(void **state)
{
	enum { N = 100 };
	unsigned char *bytes;
	uint64_t random = 3, bits[N];
	double doubles[N];
	float floats[N];
	size_t size, room;

	(void)state;
	for (size_t i = 0; i < N; i++)
		bits[i] = random_bits(&random) & 0x3fff3fff3fff3fff;
	for (int dtype = DTYPE_F32; dtype <= DTYPE_BF16; dtype++) {
		size = dtype_size((enum dtype)dtype);
		for (size_t past = 0; past < 8; past++) {
			room = N * size + past;
			bytes = guarded_new(room);
			for (size_t i = 0; i < N; i++)
				put(bytes + i * size, bits[i], size);
			dtype_to_float((enum dtype)dtype, bytes, N, floats);
			dtype_to_double((enum dtype)dtype, bytes, N, doubles);
			for (size_t i = 0; i < N; i++) {
				assert_true(floats[i] ==
				    narrow((enum dtype)dtype, bits[i]));
				assert_true(doubles[i] ==
				    wide((enum dtype)dtype, bits[i]));
			}
			guarded_free(bytes, room);
		}
	}
}

static void
names_stand_in_the_order_of_the_enum(void **state)
{
	static const size_t sizes[] = {4, 8, 2, 2};

	(void)state;
	assert_string_equal(dtype_names[DTYPE_F32], "f32");
	assert_string_equal(dtype_names[DTYPE_F64], "f64");
	assert_string_equal(dtype_names[DTYPE_F16], "f16");
	assert_string_equal(dtype_names[DTYPE_BF16], "bf16");
	for (size_t i = 0; i < LENGTH(sizes); i++)
		assert_int_equal(dtype_size((enum dtype)i), sizes[i]);
	assert_null(dtype_names[LENGTH(sizes)]);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(every_f16_is_exact),
	    cmocka_unit_test(every_bf16_is_exact),
	    cmocka_unit_test(f32_stays_the_same_bits),
	    cmocka_unit_test(f64_rounds_to_nearest_ties_to_even),
	    cmocka_unit_test(f64_becomes_the_nearest_float),
	    cmocka_unit_test(rows_may_lie_at_any_address),
	    cmocka_unit_test(names_stand_in_the_order_of_the_enum),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
