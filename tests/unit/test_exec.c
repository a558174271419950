/* SPDX-License-Identifier: MIT */
/* A model: lines that no memory could hold, waits that are interrupted. */
#undef _FORTIFY_SOURCE /* it has functions of the same names */
#if !defined(_GNU_SOURCE)
#define _GNU_SOURCE /* ppoll(), syscall() */
#endif
#include "helper.h"

#include <errno.h>
#include <poll.h>
#include <sys/syscall.h>
#include <time.h>

#include "../../src/exec.h"

/* What is asked before each read, as often as it says yes. */
struct before {
	int asked, grants;
};

static bool
ask(void *context, int fd, struct error *err)
{
	struct before *b = context;

	(void)fd;
	return b->asked++ < b->grants ||
	    error_set(err, STATUS_FAILED, "not now");
}

/* Does a read fail? */
static bool unreadable;

ssize_t
read(int fd, void *to, size_t n)
{
	if (!unreadable)
		return (ssize_t)syscall(SYS_read, fd, to, n);
	errno = EIO;
	return -1;
}

/* How many polls are interrupted before the first that isn't. */
static int interruptions;

/* In place of the C library's. */
int
poll(struct pollfd *fds, nfds_t n, int ms)
{
	struct timespec wait = {ms / 1000, ms % 1000 * 1000000L};

	if (interruptions > 0) {
		interruptions--;
		errno = EINTR;
		return -1;
	}
	return ppoll(fds, n, ms < 0 ? NULL : &wait, NULL);
}

static struct exec *
start(const char *command, const struct before_read *before)
{
	struct error err;
	struct exec *e = exec_start(command, true, before, &err);

	assert_non_null(e);
	return e;
}

static void
end(struct exec *e)
{
	exec_abandon(e);
	exec_free(e);
}

/* Refused by their number: there is no list behind it. */
static void
more_ids_than_a_line_can_have_are_refused(void **state)
{
	struct before asked = {.grants = 100};
	const struct before_read before = {ask, &asked};
	const size_t sizes[] = {SIZE_MAX, SIZE_MAX / 4, SIZE_MAX / 48 + 1};
	struct exec *e = start("cat >/dev/null", &before);
	struct error err;

	(void)state;
	for (size_t i = 0; i < LENGTH(sizes); i++) {
		err.text[0] = '\0';
		assert_false(
		    exec_send(e, &(struct ids){.size = sizes[i]}, 0, &err));
		assert_non_null(strstr(err.text, "--exec: a line: "));
		assert_int_equal(err.status, STATUS_FAILED);
	}
	end(e);
}

/* There may be something to tell, or to write, and that may fail. */
static void
each_wait_that_is_interrupted_is_asked_for_again(void **state)
{
	struct before asked = {.grants = 2};
	const struct before_read before = {ask, &asked};
	struct exec *e = start("exec cat", &before);
	struct error err;

	(void)state;
	interruptions = 2;
	assert_true(exec_finish(e, 0, &err));
	assert_int_equal(asked.asked, 2);
	end(e);

	e = start("exec cat", &before);
	interruptions = 1;
	assert_false(exec_finish(e, 0, &err));
	assert_string_equal(err.text, "not now");
	assert_int_equal(asked.asked, 3);
	end(e);
}

/* Send lines until the byte that is too many has come. */
static void
check_byte(const char *message)
{
	struct before asked = {.grants = 1};
	const struct before_read before = {ask, &asked};
	struct exec *e = start("printf x; exec cat >/dev/null", &before);
	const struct timespec moment = {0, 1000000};
	uint32_t id = 7;
	const struct ids ids = {&id, 1};
	struct error err;

	while (exec_send(e, &ids, 0, &err))
		nanosleep(&moment, NULL);
	assert_true(strncmp(err.text, message, strlen(message)) == 0);
	end(e);
}

static void
a_byte_that_is_too_many_is_found(void **state)
{
	(void)state;
	unreadable = false;
	check_byte("--exec: more came from the model than one row a line");
	unreadable = true;
	check_byte("--exec: the model's output: ");
	unreadable = false;
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(more_ids_than_a_line_can_have_are_refused),
	    cmocka_unit_test(a_byte_that_is_too_many_is_found),
	    cmocka_unit_test(each_wait_that_is_interrupted_is_asked_for_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
