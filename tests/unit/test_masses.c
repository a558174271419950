/* SPDX-License-Identifier: MIT */
/*
 * The floor under a wanted part of all probability: what is above it has that
 * part, and a bin less would not.  Ids don't follow from it, only how much of
 * a row is ranked to find them.
 */
#include "helper.h"

#include "../../src/sampler/masses.h"

enum { WEIGHTS = 1000, FRACTION_BITS = 23 };

/* A bin is as wide as what these bits number. */
static const uint32_t bin_bits = (UINT32_C(1) << (FRACTION_BITS - MASS_BITS));

static double
mass_from(const float *weights, size_t n, uint32_t bits)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		if (float_bits(weights[i]) >= bits)
			sum += (double)weights[i];
	return sum;
}

/* Powers of 2 add up without rounding, in whatever order. */
static void
random_weights(uint64_t *random, float *weights, size_t n)
{
	size_t octaves = 1 + random_below(random, 20);

	for (size_t i = 0; i < n; i++)
		weights[i] = float_from_bits(
		    (127 - (uint32_t)random_below(random, octaves))
		        << FRACTION_BITS |
		    (uint32_t)random_below(random, 1 << 6)
		        << (FRACTION_BITS - 6));
	for (size_t i = 0; i < n; i++)
		weights[i] = weights[i] > 1 ? 1 : weights[i];
}

static void
a_floor_is_just_below_the_best_bins_that_do(void **state)
{
	static float weights[WEIGHTS];
	static struct masses m;
	uint64_t random = 1;
	double all, wanted;
	uint32_t bits;
	size_t n;
	float floor;

	(void)state;
	for (size_t round = scaled(2000); round > 0; round--) {
		n = 1 + random_below(&random, WEIGHTS);
		random_weights(&random, weights, n);
		m = (struct masses){{0}};
		for (size_t i = 0; i < n; i++)
			masses_add(&m, weights[i]);
		all = mass_from(weights, n, 0);
		wanted = all * (double)(1 + random_below(&random, 64)) / 64;
		floor = masses_floor(&m, wanted);
		bits = float_bits(floor) + 1;
		assert_true(floor >= 0 && bits % bin_bits == 0);
		assert_true(mass_from(weights, n, bits) >= wanted);
		assert_true(mass_from(weights, n, bits + bin_bits) < wanted);
		assert_true(masses_floor(&m, all * 1.001) == -1);
	}
}

/* The bin of 1 is the first; what is at 2^-64 or below shares the last. */
static void
the_first_bin_and_the_last(void **state)
{
	static struct masses m;

	(void)state;
	masses_add(&m, 1);
	assert_true(masses_floor(&m, 1) == 1 - 0x1p-24f);
	m = (struct masses){{0}};
	masses_add(&m, 0x1.1p-64f);
	masses_add(&m, 0x1.08p-64f);
	masses_add(&m, 0x1p-70f);
	masses_add(&m, 0);
	assert_true(m.bin[MASS_BINS - 2] == 0x1.1p-64);
	assert_true(m.bin[MASS_BINS - 1] == 0x1.08p-64 + 0x1p-70);
	assert_int_equal(float_bits(masses_floor(&m, 0x1.1p-64)),
	    float_bits(0x1.1p-64f) - 1);
	assert_true(masses_floor(&m, 0x1.2p-64) == -1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_floor_is_just_below_the_best_bins_that_do),
	    cmocka_unit_test(the_first_bin_and_the_last),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
