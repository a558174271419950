/* SPDX-License-Identifier: MIT */
/*
 * As much of cmocka as our tests use, where there is no library of it to link:
 * for a processor that is emulated.  The first failure ends the program.
 */
#ifndef TOKPICK_TEST_BARE_CMOCKA_H
#define TOKPICK_TEST_BARE_CMOCKA_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct CMUnitTest {
	const char *name;
	void (*run)(void **state);
	int (*setup)(void **state);
	int (*teardown)(void **state);
};

#define cmocka_unit_test_setup_teardown(test, setup, teardown) \
	{                                                      \
#test, test, setup, teardown                   \
	}
#define cmocka_unit_test_setup(test, setup) \
	cmocka_unit_test_setup_teardown(test, setup, NULL)
#define cmocka_unit_test(test) cmocka_unit_test_setup_teardown(test, NULL, NULL)

#define print_message printf
#define fail_msg(...)                                    \
	(fprintf(stderr, "%s:%d: ", __FILE__, __LINE__), \
	    fprintf(stderr, __VA_ARGS__), fprintf(stderr, "\n"), exit(1))

/* Called by tests themselves, not by what they call. */
#define skip() return

#define assert_true(what) ((what) ? (void)0 : fail_msg("not true: %s", #what))
#define assert_false(what) assert_true(!(what))
#define assert_null(what) assert_true((what) == NULL)
#define assert_non_null(what) assert_true((what) != NULL)
#define assert_ptr_equal(a, b) assert_true((a) == (b))
#define assert_int_equal(a, b) assert_true((uintmax_t)(a) == (uintmax_t)(b))
#define assert_string_equal(a, b) assert_true(strcmp(a, b) == 0)
#define assert_memory_equal(a, b, size) assert_true(memcmp(a, b, size) == 0)

static inline void
bare_run(const struct CMUnitTest *test)
{
	void *state = NULL;

	if (test->setup != NULL)
		assert_true(test->setup(&state) == 0);
	test->run(&state);
	if (test->teardown != NULL)
		assert_true(test->teardown(&state) == 0);
	printf("ok - %s\n", test->name);
	fflush(stdout); /* a test may fork */
}

static inline int
bare_run_all(const struct CMUnitTest *tests, size_t n)
{
	for (size_t i = 0; i < n; i++)
		bare_run(&tests[i]);
	return 0;
}

#define cmocka_run_group_tests(tests, setup, teardown) \
	((void)(setup), (void)(teardown),              \
	    bare_run_all((tests), sizeof(tests) / sizeof((tests)[0])))

#endif
