/* SPDX-License-Identifier: MIT */
/*
 * Exponentials are what they have always been, to the last bit of the doubles
 * that are added up: ids follow from the sums.  The floats that they are
 * rounded to have nothing of the last terms of the series.
 */
#include "helper.h"

#include "../../src/fnv.h"
#include "../../src/sampler/exp_array.h"

enum { RUNS = 20000 };

/* One to a lane: beside it the second half adds less than can be seen. */
static uint64_t
hash_lanes(const struct exp_kernel *kernel)
{
	uint64_t random = 1, hash = FNV_BEGIN, bits;
	float x[EXP_STEP], e[EXP_STEP];
	double lanes[EXP_LANES];

	for (size_t i = 0; i < RUNS; i++) {
		for (size_t j = 0; j < EXP_LANES; j++) {
			x[j] = -(float)(random_bits(&random) >> 40) * 0x1p-24f;
			x[j + EXP_LANES] = -INFINITY;
			lanes[j] = 0;
		}
		kernel->run(x, 0, e, EXP_STEP, lanes);
		for (size_t j = 0; j < EXP_LANES; j++) {
			memcpy(&bits, &lanes[j], sizeof(bits));
			hash = fnv_number(hash, bits);
		}
	}
	return hash;
}

static void
they_are_as_ever(void **state)
{
	(void)state;
	for (const struct exp_kernel *k = exp_kernels; k->name != NULL; k++)
		if (cpu_has(k->needs))
			assert_int_equal(
			    hash_lanes(k), UINT64_C(0x3a69231d0b559215));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(they_are_as_ever),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
