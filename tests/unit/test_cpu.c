/* SPDX-License-Identifier: MIT */
/* Features can be turned off, in test builds alone. */
#include "helper.h"

#include "../../src/sampler/cpu.h"
#include "../../src/sampler/exp_array.h"
#include "../../src/sampler/maxima.h"

/* The same file again, as a test build has it. */
#ifndef TOKPICK_TEST
#define TOKPICK_TEST
#endif
#define cpu_has cpu_has_in_tests
bool cpu_has_in_tests(enum cpu);
#include "../../src/sampler/cpu.c"
#undef cpu_has

static void
what_is_named_is_off(void **state)
{
	(void)state;
	unsetenv("TOKPICK_WITHOUT");
	assert_int_equal(cpu_has_in_tests(CPU_AVX2), cpu_has(CPU_AVX2));
	assert_int_equal(cpu_has_in_tests(CPU_AVX512), cpu_has(CPU_AVX512));
	setenv("TOKPICK_WITHOUT", "avx2", 1);
	assert_false(cpu_has_in_tests(CPU_AVX2));
	assert_int_equal(cpu_has_in_tests(CPU_AVX512), cpu_has(CPU_AVX512));
	setenv("TOKPICK_WITHOUT", "avx512", 1);
	assert_int_equal(cpu_has_in_tests(CPU_AVX2), cpu_has(CPU_AVX2));
	assert_false(cpu_has_in_tests(CPU_AVX512));
	setenv("TOKPICK_WITHOUT", "avx512 avx2", 1);
	assert_false(cpu_has_in_tests(CPU_AVX2));
	assert_false(cpu_has_in_tests(CPU_AVX512));
	assert_int_equal(cpu_has_in_tests(CPU_SSE2), cpu_has(CPU_SSE2));
	setenv("TOKPICK_WITHOUT", "sse2 neon", 1);
	assert_false(cpu_has_in_tests(CPU_SSE2));
	assert_false(cpu_has_in_tests(CPU_NEON));
}

static void
what_every_processor_has_stays(void **state)
{
	(void)state;
	setenv("TOKPICK_WITHOUT", "any neon sse2 avx2 avx512", 1);
	assert_true(cpu_has(CPU_ANY));
	assert_true(cpu_has_in_tests(CPU_ANY));
}

/*
 * In a test build each feature that is turned off has another kernel chosen,
 * down to the portable one; elsewhere it is always the same.
 */
static void
whichever_kernels_are_chosen_agree(void **state)
{
	enum { SIZE = 4 * MAXIMA_STEP };
	static const char *const without[] = {
	    "", "avx512", "avx512 avx2", "avx512 avx2 sse2 neon"};
	float row[SIZE], first[SIZE], again[SIZE], max[4], max_again[4];
	struct bf16 halves[SIZE];
	uint64_t random = 1;
	double sum = 0;

	(void)state;
	for (size_t i = 0; i < SIZE; i++)
		row[i] = random_normal(&random, 3);
	make_bf16(row, SIZE, halves);
	for (size_t i = 0; i < LENGTH(without); i++) {
		setenv("TOKPICK_WITHOUT", without[i], 1);
		if (i == 0)
			sum = exp_floats(row, 9, first, SIZE);
		assert_true(exp_floats(row, 9, again, SIZE) == sum);
		assert_memory_equal(first, again, sizeof(first));
		halves_from_bf16((void *)halves, SIZE, again);
		assert_memory_equal(row, again, sizeof(row));
		assert_true(maxima_find(row, 4, MAXIMA_STEP, max));
		assert_true(
		    maxima_find_bf16(halves, 4, MAXIMA_STEP, max_again));
		assert_memory_equal(max, max_again, sizeof(max));
		assert_true(
		    maxima_above(row, 2) == maxima_above_bf16(halves, 2));
	}
	unsetenv("TOKPICK_WITHOUT");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(what_is_named_is_off),
	    cmocka_unit_test(what_every_processor_has_stays),
	    cmocka_unit_test(whichever_kernels_are_chosen_agree),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
