/* SPDX-License-Identifier: MIT */
/* What is asked of a kernel for the sandbox, and what comes of its answers. */
#if !defined(_GNU_SOURCE)
#define _GNU_SOURCE /* syscall() */
#endif
#include "helper.h"

#include <errno.h>

#include "../../src/sandbox_parts.h"

#if defined(SANDBOX_HAS_LANDLOCK) && defined(SANDBOX_HAS_SECCOMP)

#include <linux/landlock.h>
#include <sys/syscall.h>

/* A kernel of this test's own, and what it was asked. */
static struct {
	long version;                 /* of Landlock */
	long refuses;                 /* this call, as many … */
	int after;                    /* … of which it grants before */
	int errnum;                   /* with this error */
	uint64_t denied;              /* rights to files */
	int rulesets, rules, filters; /* calls for these */
	bool in_force;
	int ruleset; /* its descriptor */
} kernel;

static long
refuse(int errnum)
{
	errno = errnum;
	return -1;
}

static long
create_ruleset(const struct landlock_ruleset_attr *denied, unsigned flags)
{
	if (flags == LANDLOCK_CREATE_RULESET_VERSION)
		return kernel.version;
	kernel.denied = denied->handled_access_fs;
	kernel.rulesets++;
	return kernel.ruleset = open("/dev/null", O_RDONLY);
}

/* In place of the C library's. */
long
syscall(long number, ...)
{
	const struct landlock_ruleset_attr *denied;
	va_list args;
	unsigned flags;

	if (number == kernel.refuses && kernel.after-- == 0)
		return refuse(kernel.errnum);
	switch (number) {
	case SYS_landlock_create_ruleset:
		va_start(args, number);
		denied = va_arg(args, void *);
		va_arg(args, size_t);
		flags = va_arg(args, unsigned);
		va_end(args);
		return create_ruleset(denied, flags);
	case SYS_landlock_add_rule:
		kernel.rules++;
		return 0;
	case SYS_landlock_restrict_self:
		kernel.in_force = true;
		return 0;
	case SYS_seccomp:
		kernel.filters++;
		return 0;
	default:
		return refuse(ENOSYS);
	}
}

static char root[] = "/", missing[] = "/missing/file", dash[] = "-";
static char *names[] = {root, dash, missing, root};

/* Two files that are there, one in a folder that isn't, and standard input. */
static const struct sandbox four = {.to_read = names, .n_to_read = 4};

static bool
is_open(int fd)
{
	return fcntl(fd, F_GETFD) != -1;
}

static void
files_are_confined_by_a_rule_each(void **state)
{
	(void)state;
	kernel.version = 7;
	assert_null(sandbox_files(&four));
	assert_true(kernel.in_force);
	assert_int_equal(kernel.rules, 2);
	assert_false(is_open(kernel.ruleset));
}

static void
a_rule_that_is_refused_is_in_the_way_of_no_other(void **state)
{
	(void)state;
	kernel.version = 7;
	kernel.refuses = SYS_landlock_add_rule;
	kernel.errnum = EBADFD;
	assert_null(sandbox_files(&four));
	assert_true(kernel.in_force);
	assert_int_equal(kernel.rules, 1);
}

/* It would refuse the whole of a set with a right it doesn't know. */
static void
an_older_kernel_is_asked_for_what_it_knows(void **state)
{
	const struct sandbox none = {.n_to_read = 0};
	uint64_t truncate = UINT64_C(1) << 14;

	(void)state;
	for (kernel.version = 1; kernel.version <= 4; kernel.version++) {
		assert_null(sandbox_files(&none));
		assert_int_equal(kernel.denied & ~truncate, (1 << 13) - 1);
		assert_int_equal(
		    (kernel.denied & truncate) != 0, kernel.version >= 3);
	}
}

static void
expect_refusal(long call, int after, int errnum)
{
	kernel.refuses = call;
	kernel.after = after;
	kernel.errnum = errnum;
	assert_string_equal(sandbox_files(&four), strerror(errnum));
	assert_false(kernel.in_force);
}

static void
a_kernel_without_landlock_is_asked_no_more(void **state)
{
	(void)state;
	expect_refusal(SYS_landlock_create_ruleset, 0, ENOSYS);
	assert_int_equal(kernel.rulesets, 0);
}

static void
rules_that_there_are_none_of_are_not_added_to(void **state)
{
	(void)state;
	expect_refusal(SYS_landlock_create_ruleset, 1, EMFILE);
	assert_int_equal(kernel.rules, 0);
}

static void
rules_that_are_not_put_in_force_are_let_go(void **state)
{
	(void)state;
	expect_refusal(SYS_landlock_restrict_self, 0, E2BIG);
	assert_int_equal(kernel.rules, 2);
	assert_false(is_open(kernel.ruleset));
}

static void
a_filter_that_is_refused_is_told_of(void **state)
{
	(void)state;
	assert_null(sandbox_calls(&four));
	assert_int_equal(kernel.filters, 1);
	kernel.refuses = SYS_seccomp;
	kernel.errnum = EINVAL;
	assert_string_equal(sandbox_calls(&four), strerror(EINVAL));
}

static int
begin(void **state)
{
	(void)state;
	memset(&kernel, 0, sizeof(kernel));
	return 0;
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup(files_are_confined_by_a_rule_each, begin),
	    cmocka_unit_test_setup(
	        a_rule_that_is_refused_is_in_the_way_of_no_other, begin),
	    cmocka_unit_test_setup(
	        an_older_kernel_is_asked_for_what_it_knows, begin),
	    cmocka_unit_test_setup(
	        a_kernel_without_landlock_is_asked_no_more, begin),
	    cmocka_unit_test_setup(
	        rules_that_there_are_none_of_are_not_added_to, begin),
	    cmocka_unit_test_setup(
	        rules_that_are_not_put_in_force_are_let_go, begin),
	    cmocka_unit_test_setup(a_filter_that_is_refused_is_told_of, begin),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

static void
no_sandbox_is_in_this_build(void **state)
{
	const struct sandbox none = {.n_to_read = 0};

	(void)state;
#if !defined(SANDBOX_HAS_LANDLOCK)
	assert_string_equal(sandbox_files(&none), SANDBOX_NOT_BUILT);
#endif
#if !defined(SANDBOX_HAS_SECCOMP)
	assert_string_equal(sandbox_calls(&none), SANDBOX_NOT_BUILT);
#endif
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(no_sandbox_is_in_this_build)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
