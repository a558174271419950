/* SPDX-License-Identifier: MIT */
/* Numbers that a run is made with, and no machine has all of. */
#include "helper.h"

#include "../../src/run.h"

static void
as_many_threads_read_as_are_asked_for(void **state)
{
	(void)state;
	assert_int_equal(run_threads(1, 64), 1);
	assert_int_equal(run_threads(64, 1), 64);
}

static void
a_thread_reads_for_each_processor_up_to_eight(void **state)
{
	(void)state;
	assert_int_equal(run_threads(0, 1), 1);
	assert_int_equal(run_threads(0, 7), 7);
	assert_int_equal(run_threads(0, 8), 8);
	assert_int_equal(run_threads(0, 9), 8);
	assert_int_equal(run_threads(0, 1000), 8);
}

static void
one_thread_reads_where_nobody_knows(void **state)
{
	(void)state;
	assert_int_equal(run_threads(0, -1), 1);
	assert_int_equal(run_threads(0, 0), 1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(as_many_threads_read_as_are_asked_for),
	    cmocka_unit_test(a_thread_reads_for_each_processor_up_to_eight),
	    cmocka_unit_test(one_thread_reads_where_nobody_knows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
