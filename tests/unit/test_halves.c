/* SPDX-License-Identifier: MIT */
/* Values of 16 bits, many at once, by every kernel that can run here. */
#include "helper.h"

#include "../../src/sampler/halves.h"

enum { ALL = 0x10000 };

/* One by one, which tests/unit/test_dtype.c compares with arithmetic. */
static void
convert_singly(bool bf16, const unsigned char *from, size_t n, float *to)
{
	for (size_t i = 0; i < n; i++)
		if (bf16)
			halves_from_bf16(from + 2 * i, 1, to + i);
		else
			halves_from_f16(from + 2 * i, 1, to + i);
}

static void
check(const unsigned char *from, size_t n)
{
	float *expected = guarded_new(n * sizeof(*expected));
	float *to = guarded_new(n * sizeof(*to));
	size_t whole = n / HALVES_STEP * HALVES_STEP;

	for (int bf16 = 0; bf16 <= 1; bf16++) {
		convert_singly(bf16, from, n, expected);
		memset(to, 0x55, n * sizeof(*to));
		(bf16 ? halves_from_bf16 : halves_from_f16)(from, n, to);
		assert_memory_equal(to, expected, n * sizeof(*to));
		for (const struct halves_kernel *k = halves_kernels;
		     k->name != NULL; k++) {
			if (!cpu_has(k->needs))
				continue;
			memset(to, 0x55, n * sizeof(*to));
			(bf16 ? k->bf16 : k->f16)(from, whole, to);
			assert_memory_equal(to, expected, whole * sizeof(*to));
		}
	}
	guarded_free(expected, n * sizeof(*expected));
	guarded_free(to, n * sizeof(*to));
}

/* Each at a place of each kind: a whole step away there are others. */
static void
every_value_is_as_one_by_one(void **state)
{
	unsigned char *from = guarded_new(2 * ALL);

	(void)state;
	for (size_t i = 0; i < ALL; i++) {
		from[2 * i] = (unsigned char)(i & 0xff);
		from[2 * i + 1] = (unsigned char)(i >> 8);
	}
	check(from, ALL);
	check(from + 2, ALL - 1);
	guarded_free(from, 2 * ALL);
}

static void
any_number_from_any_address(void **state)
{
	uint64_t random = 1;
	unsigned char *from;

	(void)state;
	for (size_t n = 1; n < 5 * HALVES_STEP; n++)
		for (size_t past = 0; past < 2; past++) {
			from = guarded_new(2 * n + past);
			for (size_t i = 0; i < 2 * n + past; i++)
				from[i] = (unsigned char)random_bits(&random);
			check(from, n);
			guarded_free(from, 2 * n + past);
		}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(every_value_is_as_one_by_one),
	    cmocka_unit_test(any_number_from_any_address),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
