/* SPDX-License-Identifier: MIT */
/* Maxima against a plain loop, by every kernel that can run here. */
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

/* The maxima of n parts, by a kernel for floats or one for bf16. */
static void
check_maxima(const float *max, const float *row, size_t n, size_t size)
{
	for (size_t i = 0; i < n; i++)
		assert_true(max[i] == maximum(row + i * size, size));
}

static void
check_row(float *row, size_t n, size_t size)
{
	float *max = guarded_new(n * sizeof(*max));
	struct bf16 *halves = guarded_new(n * size * sizeof(*halves));

	for (const struct maxima_kernel *k = maxima_kernels; k->name != NULL;
	     k++) {
		if (!cpu_has(k->needs))
			continue;
		memset(max, 0xff, n * sizeof(*max));
		assert_true(k->find(row, n, size, max));
		check_maxima(max, row, n, size);
	}
	make_bf16(row, n * size, halves);
	for (const struct maxima_kernel *k = maxima_kernels; k->name != NULL;
	     k++) {
		if (!cpu_has(k->needs))
			continue;
		memset(max, 0xff, n * sizeof(*max));
		assert_true(k->find_bf16(halves, n, size, max));
		check_maxima(max, row, n, size);
	}
	guarded_free(halves, n * size * sizeof(*halves));
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

static void
finds_a_bad_bf16_anywhere(void **state)
{
	static const struct bf16 bad[] = {{{0xc0, 0x7f}}, {{0xc0, 0xff}},
	    {{0x81, 0x7f}}, {{0x81, 0xff}}, {{0x80, 0x7f}}};
	float row[2 * SIZE_MOST], max[2];
	struct bf16 halves[2 * SIZE_MOST];
	uint64_t random = 4;

	(void)state;
	random_row(&random, row, LENGTH(row));
	make_bf16(row, LENGTH(row), halves);
	for (const struct maxima_kernel *k = maxima_kernels; k->name != NULL;
	     k++)
		for (size_t at = 0; cpu_has(k->needs) && at < LENGTH(row);
		     at++) {
			const struct bf16 good = halves[at];

			for (size_t i = 0; i < LENGTH(bad); i++) {
				halves[at] = bad[i];
				assert_false(
				    k->find_bf16(halves, 2, SIZE_MOST, max));
			}
			halves[at] = good;
			assert_true(k->find_bf16(halves, 2, SIZE_MOST, max));
		}
}

static void
check_above(uint64_t bits, const float *values, float floor)
{
	for (size_t i = 0; i < MAXIMA_STEP; i++)
		assert_int_equal(bits >> i & 1, !(values[i] <= floor));
}

/* Among floors is NaN, which nothing is at or below. */
static void
finds_what_is_above_a_floor(void **state)
{
	float *values = guarded_new(MAXIMA_STEP * sizeof(*values)), floor;
	struct bf16 *halves = guarded_new(MAXIMA_STEP * sizeof(*halves));
	float narrow[MAXIMA_STEP];
	uint64_t random = 3;

	(void)state;
	for (size_t round = scaled(2000); round > 0; round--) {
		random_row(&random, values, MAXIMA_STEP);
		floor = one_in(&random, 10)
		    ? NAN
		    : values[random_below(&random, MAXIMA_STEP)];
		memcpy(narrow, values, sizeof(narrow));
		make_bf16(narrow, MAXIMA_STEP, halves);
		for (const struct maxima_kernel *k = maxima_kernels;
		     k->name != NULL; k++) {
			if (!cpu_has(k->needs))
				continue;
			check_above(k->above(values, floor), values, floor);
			check_above(
			    k->above_bf16(halves, floor), narrow, floor);
		}
	}
	guarded_free(values, MAXIMA_STEP * sizeof(*values));
	guarded_free(halves, MAXIMA_STEP * sizeof(*halves));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(finds_the_maxima_of_random_rows),
	    cmocka_unit_test(finds_a_bad_value_anywhere),
	    cmocka_unit_test(finds_a_bad_bf16_anywhere),
	    cmocka_unit_test(finds_what_is_above_a_floor),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
