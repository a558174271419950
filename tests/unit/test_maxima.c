/* SPDX-License-Identifier: MIT */
/* maxima_find() against a plain loop, on every kernel that can run here. */
#include "helper.h"

#include "../../src/sampler/maxima.h"

enum { SIZE_MOST = 4 * MAXIMA_STEP, PARTS_MOST = 20 };

static float
maximum(const float *values, size_t n)
{
	float max = values[0];

	for (size_t i = 1; i < n; i++)
		max = values[i] > max ? values[i] : max;
	return max;
}

static void
check_row(const float *row, size_t n, size_t size)
{
	float *max = guarded_new(n * sizeof(*max));

	for (const struct maxima_kernel *k = maxima_kernels; k->name != NULL;
	     k++) {
		if (!cpu_has(k->needs))
			continue;
		memset(max, 0xff, n * sizeof(*max));
		assert_true(k->find(row, n, size, max));
		for (size_t i = 0; i < n; i++)
			assert_true(max[i] == maximum(row + i * size, size));
	}
	guarded_free(max, n * sizeof(*max));
}

static void
finds_the_maxima_of_random_rows(void **state)
{
	uint64_t random = 1;
	size_t n, size;
	float *row;

	(void)state;
	for (size_t i = scaled(1000); i > 0; i--) {
		n = random_below(&random, PARTS_MOST);
		size = MAXIMA_STEP * (1 + random_below(&random, 4));
		row = guarded_new(n * size * sizeof(*row));
		random_row(&random, row, n * size);
		check_row(row, n, size);
		guarded_free(row, n * size * sizeof(*row));
	}
}

/* NaN of either sign, quiet or signalling, and +inf, at each place. */
static void
finds_a_bad_value_anywhere(void **state)
{
	static const uint32_t bad[] = {
	    0x7fc00000, 0xffc00000, 0x7f800001, 0xff800001, 0x7f800000};
	float row[2 * SIZE_MOST], max[2];
	uint64_t random = 2;

	(void)state;
	random_row(&random, row, LENGTH(row));
	for (const struct maxima_kernel *k = maxima_kernels; k->name != NULL;
	     k++)
		for (size_t at = 0; cpu_has(k->needs) && at < LENGTH(row);
		     at++) {
			const float good = row[at];

			for (size_t i = 0; i < LENGTH(bad); i++) {
				memcpy(&row[at], &bad[i], sizeof(bad[i]));
				assert_false(k->find(row, 2, SIZE_MOST, max));
			}
			row[at] = good;
			assert_true(k->find(row, 2, SIZE_MOST, max));
		}
}

/* Among floors is NaN, which nothing is at or below. */
static void
finds_what_is_above_a_floor(void **state)
{
	float *values = guarded_new(MAXIMA_STEP * sizeof(*values)), floor;
	uint64_t random = 3, bits;

	(void)state;
	for (size_t round = scaled(2000); round > 0; round--) {
		random_row(&random, values, MAXIMA_STEP);
		floor = one_in(&random, 10)
		    ? NAN
		    : values[random_below(&random, MAXIMA_STEP)];
		for (const struct maxima_kernel *k = maxima_kernels;
		     k->name != NULL; k++) {
			if (!cpu_has(k->needs))
				continue;
			bits = k->above(values, floor);
			for (size_t i = 0; i < MAXIMA_STEP; i++)
				assert_int_equal(
				    bits >> i & 1, !(values[i] <= floor));
		}
	}
	guarded_free(values, MAXIMA_STEP * sizeof(*values));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(finds_the_maxima_of_random_rows),
	    cmocka_unit_test(finds_a_bad_value_anywhere),
	    cmocka_unit_test(finds_what_is_above_a_floor),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
