/* SPDX-License-Identifier: MIT */
/*
 * exp_floats() against math_expf(), on every kernel this processor can run.
 *
 * TOKPICK_TEST_SCALE (percent) scales the number of random floats.  With
 * TOKPICK_TEST_EVERY_FLOAT set all are tried that are not above zero, which
 * takes a minute.
 */
#include "helper.h"

#include "../../src/sampler/dmath.h"
#include "../../src/sampler/exp_array.h"

enum { BATCH = 4096 };

/* The bits of what is not above zero: -0 has these, and so many follow. */
#define SIGN UINT32_C(0x80000000)
#define NEGATIVE UINT32_C(0x7f800001)

static void
check_batch(const struct exp_kernel *k, const float *x, const float *expected)
{
	static float e[BATCH];

	exp_floats_by(k, x, 0, e, BATCH);
	for (size_t i = 0; i < BATCH; i++)
		if (float_bits(e[i]) != float_bits(expected[i]))
			fail_msg("%s: exp(%a) is %a, not %a", k->name,
			    (double)x[i], (double)e[i], (double)expected[i]);
}

static void
check_on_all_kernels(const float *x)
{
	static float expected[BATCH];

	for (size_t i = 0; i < BATCH; i++)
		expected[i] = math_expf(x[i]);
	for (const struct exp_kernel *k = exp_kernels; k->run != NULL; k++)
		if (cpu_has(k->needs))
			check_batch(k, x, expected);
}

/* The neighbourhoods of where something begins or ends. */
static void
is_exact_at_special_floats(void **state)
{
	static const float places[] = {-0x1p-140f, -0x1p-126f, -0x1p-25f,
	    -0.021660849f, -0.34657359f, -1, -87.33655f, -103.97208f, -200,
	    -708, -745, -3e38f};
	static float x[BATCH];
	size_t n = 0;

	(void)state;
	for (size_t p = 0; p < LENGTH(places); p++)
		for (uint32_t near = 0; near < 128; near++)
			x[n++] = -fabsf(
			    float_from_bits(float_bits(places[p]) + near - 64));
	x[n++] = 0;
	x[n++] = -INFINITY;
	assert_true(n <= BATCH);
	check_on_all_kernels(x);
}

/* Half of them anywhere, half of them where results are neither 0 nor 1. */
static void
is_exact_at_random_floats(void **state)
{
	static float x[BATCH];
	uint64_t random = 1;
	uint32_t bits;

	(void)state;
	for (size_t i = scaled(10000000 / BATCH); i > 0; i--) {
		for (size_t j = 0; j < BATCH; j++) {
			bits = (uint32_t)random_bits(&random);
			x[j] = float_from_bits(bits % NEGATIVE + SIGN);
			if (j % 2 == 0)
				x[j] = -(float)(bits % 1048576) * 0x1.9p-14f;
		}
		check_on_all_kernels(x);
	}
}

static void
is_exact_at_every_float(void **state)
{
	static float x[BATCH];

	(void)state;
	if (getenv("TOKPICK_TEST_EVERY_FLOAT") == NULL)
		skip();
	for (uint32_t first = 0; first <= NEGATIVE; first += BATCH) {
		for (uint32_t j = 0; j < BATCH; j++)
			x[j] = float_from_bits((first + j) % NEGATIVE + SIGN);
		check_on_all_kernels(x);
	}
}

/* As the header has it: lanes, and then the lanes by halves. */
static double
sum_in_lanes(const float *x, size_t n)
{
	double lane[16] = {0};

	for (size_t i = 0; i < n; i++)
		lane[i % 16] += math_exp((double)x[i]);
	for (size_t half = 8; half > 0; half /= 2)
		for (size_t j = 0; j < half; j++)
			lane[j] += lane[j + half];
	return lane[0];
}

/* The last one. */
static const struct exp_kernel *
portable_kernel(void)
{
	const struct exp_kernel *k = exp_kernels;

	while (k[1].run != NULL)
		k++;
	return k;
}

/* Any length, from and to memory that ends where the array does. */
static void
check_length(const struct exp_kernel *k, uint64_t *random, size_t n)
{
	float *x = guarded_new(n * sizeof(*x)),
	      *e = guarded_new(n * sizeof(*e));
	double sum, expected, other;

	for (size_t i = 0; i < n; i++)
		x[i] = -fabsf(random_normal(random, 4));
	sum = exp_floats_by(k, x, 0, e, n);
	expected = sum_in_lanes(x, n);
	assert_true(fabs(sum - expected) <= 0x1p-51 * expected + 0x1p-270);
	for (size_t i = 0; i < n; i++)
		assert_int_equal(float_bits(e[i]), float_bits(math_expf(x[i])));
	other = exp_floats_by(portable_kernel(), x, 0, e, n);
	assert_memory_equal(&sum, &other, sizeof(sum));
	other = exp_floats(x, 0, e, n);
	assert_memory_equal(&sum, &other, sizeof(sum));
	guarded_free(x, n * sizeof(*x));
	guarded_free(e, n * sizeof(*e));
}

static void
sums_the_same_on_every_kernel(void **state)
{
	uint64_t random = 2;

	(void)state;
	for (const struct exp_kernel *k = exp_kernels; k->run != NULL; k++)
		for (size_t n = 0; cpu_has(k->needs) && n < 200; n++)
			check_length(k, &random, n);
}

/* Differences are taken in float, and infinite logits equal themselves. */
static void
subtracts_the_maximum(void **state)
{
	static const float max[] = {1e30f, INFINITY, 20.1f, -INFINITY};
	const float x[] = {0, -0.0f, -3.25f, -3.2500002f, 20.1f, -INFINITY,
	    0x1p-149f, 1e30f, INFINITY};
	static const size_t n[] = {8, 9, 7, 1};
	float e[LENGTH(x)], gap;

	(void)state;
	for (const struct exp_kernel *k = exp_kernels; k->run != NULL; k++)
		for (size_t m = 0; cpu_has(k->needs) && m < LENGTH(max); m++) {
			const float *first = m == 3 ? x + 5 : x;

			exp_floats_by(k, first, max[m], e, n[m]);
			for (size_t i = 0; i < n[m]; i++) {
				gap = first[i] == max[m] ? 0
				                         : first[i] - max[m];
				assert_int_equal(float_bits(e[i]),
				    float_bits(math_expf(gap)));
			}
		}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(is_exact_at_special_floats),
	    cmocka_unit_test(is_exact_at_random_floats),
	    cmocka_unit_test(is_exact_at_every_float),
	    cmocka_unit_test(sums_the_same_on_every_kernel),
	    cmocka_unit_test(subtracts_the_maximum),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
