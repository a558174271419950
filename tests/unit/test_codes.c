/* SPDX-License-Identifier: MIT */
/* Rows of codes are the log-probabilities they stand for, to the bit. */
#include "helper.h"

#include "../../src/input/codes.h"
#include "../../src/input/dtype.h"

enum { MOST = 300 };

struct coded {
	float scale, lowest;
	uint16_t codes[MOST];
};

static void
put(unsigned char *to, uint64_t bits, size_t size)
{
	for (size_t i = 0; i < size; i++)
		to[i] = (unsigned char)(bits >> 8 * i);
}

/* The bytes of a row of n, before a page that isn't there. */
static unsigned char *
row_new(const struct coded *row, size_t n)
{
	unsigned char *bytes = guarded_new(codes_size(n));

	put(bytes, float_bits(row->scale), 4);
	put(bytes + 4, float_bits(row->lowest), 4);
	for (size_t i = 0; i < n; i++)
		put(bytes + 8 + 2 * i, row->codes[i], 2);
	if (n % 2 > 0)
		put(bytes + 8 + 2 * n, 0xffff, 2);
	return bytes;
}

/*
 * Product and sum are exact as doubles, or are rounded to a float twice, which
 * with so many bits between is as if once.
 */
static float
expected(const struct coded *row, size_t i, bool mask)
{
	volatile double product, sum;
	volatile float rounded;

	if (row->codes[i] == 0)
		return mask && row->scale != 0 ? -INFINITY : row->lowest;
	product = (double)row->scale * (double)row->codes[i];
	rounded = (float)product;
	sum = (double)row->lowest + (double)rounded;
	rounded = (float)sum;
	return rounded;
}

static void
check_row(const struct coded *row, size_t n, bool mask)
{
	unsigned char *bytes = row_new(row, n);
	float *narrow = guarded_new(n * sizeof(*narrow));
	double *wide = guarded_new(n * sizeof(*wide));
	enum dtype dtype = mask ? DTYPE_CODES_MASK : DTYPE_CODES_KEEP;

	assert_int_equal(dtype_row_size(dtype, n), codes_size(n));
	dtype_to_float(dtype, bytes, n, narrow);
	dtype_to_double(dtype, bytes, n, wide);
	for (size_t i = 0; i < n; i++) {
		assert_int_equal(
		    float_bits(narrow[i]), float_bits(expected(row, i, mask)));
		assert_true(wide[i] == (double)narrow[i]);
	}
	guarded_free(bytes, codes_size(n));
	guarded_free(narrow, n * sizeof(*narrow));
	guarded_free(wide, n * sizeof(*wide));
}

/* As the tool that writes them scales: 16 below the best, or any float. */
static void
each_code_is_scaled_and_added(void **state)
{
	uint64_t random = 1;
	struct coded row;
	size_t n;

	(void)state;
	for (size_t round = 0; round < scaled(1000); round++) {
		n = 1 + random_below(&random, MOST);
		row.scale = 16.0f / 65535.0f;
		row.lowest = random_normal(&random, 9) - 16;
		if (round % 2 > 0) {
			row.scale = random_normal(&random, 0.01f);
			row.lowest = random_normal(&random, 1e4f);
		}
		for (size_t i = 0; i < n; i++)
			row.codes[i] = one_in(&random, 8)
			    ? 0
			    : (uint16_t)random_bits(&random);
		check_row(&row, n, false);
		check_row(&row, n, true);
	}
}

static void
where_the_scale_is_0_nothing_is_masked(void **state)
{
	struct coded row = {.scale = 0, .lowest = -3.5f};

	(void)state;
	check_row(&row, 5, true);
	row.scale = -0.0f;
	check_row(&row, 5, true);
}

/* Code for code: sizes from the layout of the format. */
static void
rows_of_an_odd_number_are_padded(void **state)
{
	(void)state;
	for (size_t n = 0; n < 20; n++)
		assert_int_equal(codes_size(n), 2 * (2 * ((n + 1) / 2) + 4));
}

static void
rows_too_large_to_count_have_no_size(void **state)
{
	(void)state;
	assert_int_equal(dtype_row_size(DTYPE_F32, 5), 20);
	assert_int_equal(dtype_row_size(DTYPE_F64, 5), 40);
	assert_int_equal(dtype_row_size(DTYPE_BF16, 5), 10);
	for (int dtype = DTYPE_F32; dtype <= DTYPE_CODES_KEEP; dtype++) {
		assert_int_equal(
		    dtype_row_size((enum dtype)dtype, SIZE_MAX), 0);
		assert_int_equal(
		    dtype_row_size((enum dtype)dtype, SIZE_MAX / 8), 0);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(each_code_is_scaled_and_added),
	    cmocka_unit_test(where_the_scale_is_0_nothing_is_masked),
	    cmocka_unit_test(rows_of_an_odd_number_are_padded),
	    cmocka_unit_test(rows_too_large_to_count_have_no_size),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
