/* SPDX-License-Identifier: MIT */
/* Features can be turned off, in test builds alone. */
#include "helper.h"

#include "../../src/sampler/cpu.h"

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

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(what_is_named_is_off),
	    cmocka_unit_test(what_every_processor_has_stays),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
