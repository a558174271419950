/* SPDX-License-Identifier: MIT */
/* Sets of byte strings: the same numbers as in a plain list. */
#include "helper.h"

#include "../../src/constraint/intern.h"

enum { STRINGS = 3000, SIZE_MOST = 20 };

static void
a_string_keeps_its_number(void **state)
{
	static unsigned char strings[STRINGS][SIZE_MOST];
	static size_t sizes[STRINGS];
	unsigned char bytes[SIZE_MOST];
	struct intern set = {0};
	uint64_t random = 1;
	const void *got;
	size_t n, i, count;

	(void)state;
	for (int round = 0; round < 3; round++) {
		for (count = 0; count < STRINGS / (size_t)(round + 1);) {
			/* Few letters, so that many come again. */
			n = random_below(&random, SIZE_MOST + 1);
			for (i = 0; i < n; i++)
				bytes[i] = random_below(&random, 4) / 3 & 0xff;
			for (i = 0; i < count; i++)
				if (sizes[i] == n &&
				    memcmp(strings[i], bytes, n) == 0)
					break;
			assert_int_equal(intern_add(&set, bytes, n), i);
			if (i < count)
				continue;
			memcpy(strings[count], bytes, n);
			sizes[count++] = n;
			assert_int_equal(set.count, count);
		}
		for (i = 0; i < count; i++) {
			got = intern_get(&set, (uint32_t)i, &n);
			assert_int_equal(n, sizes[i]);
			assert_int_equal((uintptr_t)got % 8, 0);
			assert_memory_equal(got, strings[i], n);
		}
		intern_clear(&set);
		assert_int_equal(set.count, 0);
	}
	intern_free(&set);
	assert_int_equal(intern_size(&set), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_string_keeps_its_number),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
