/* SPDX-License-Identifier: MIT */
/* What waits for a reader goes on waiting, or says why it can't. */
#undef _FORTIFY_SOURCE /* would define poll() too */
#include <errno.h>
#include <poll.h>
#include <signal.h>

#include "helper.h"

#include "../../src/output/buffer.h"
#include "../../src/signals.h"

static struct buffer buffer;
static int reader, writer; /* of a pipe that does not block */

/* What poll() fails with, call by call, until a 0 ends it: somebody reads. */
static const int *failures;

/* In place of the C library's. */
int
poll(struct pollfd *fds, nfds_t n, int milliseconds)
{
	static unsigned char taken[1 << 20];

	(void)milliseconds;
	assert_int_equal(n, 1);
	assert_int_equal(fds->fd, writer);
	assert_int_equal(fds->events, POLLOUT);
	if (*failures != 0) {
		errno = *failures++;
		return -1;
	}
	assert_true(read(reader, taken, sizeof(taken)) > 0);
	return 1;
}

/* A pipe with no room left. */
static int
fill_pipe(void **state)
{
	static const unsigned char fill[4096];
	int fds[2];

	(void)state;
	if (pipe(fds) != 0 || fcntl(fds[0], F_SETFL, O_NONBLOCK) != 0 ||
	    fcntl(fds[1], F_SETFL, O_NONBLOCK) != 0)
		return -1;
	reader = fds[0];
	writer = fds[1];
	while (write(writer, fill, sizeof(fill)) > 0)
		continue;
	buffer_open(&buffer, writer, "the pipe");
	return 0;
}

static int
close_pipe(void **state)
{
	(void)state;
	return close(reader) | close(writer);
}

/* A text goes through, however often the wait for its reader is cut short. */
static void
check_goes_on(void)
{
	static const int interrupted[] = {EINTR, EAGAIN, EINTR, 0};
	struct error err;
	char text[8];

	failures = interrupted;
	assert_true(buffer_add(&buffer, "text", 4, &err));
	assert_true(buffer_flush(&buffer, &err));
	assert_int_equal(*failures, 0);
	assert_int_equal(read(reader, text, sizeof(text)), 4);
	assert_memory_equal(text, "text", 4);
}

static void
check_is_told(void)
{
	static const int no_memory[] = {ENOMEM, 0};
	struct error err;

	failures = no_memory;
	assert_true(buffer_add(&buffer, "lost", 4, &err));
	assert_false(buffer_flush(&buffer, &err));
	assert_int_equal(err.status, STATUS_FAILED);
	assert_non_null(strstr(err.text, "the pipe: "));
	assert_non_null(strstr(err.text, strerror(ENOMEM)));
}

static void
an_interrupted_wait_goes_on(void **state)
{
	(void)state;
	check_goes_on();
}

static void
a_wait_that_fails_is_told(void **state)
{
	(void)state;
	check_is_told();
}

/* Then it is asked whether there is room before anything is written. */
static void
so_it_is_after_a_signal(void **state)
{
	(void)state;
	signals_catch();
	assert_int_equal(kill(getpid(), SIGTERM), 0);
	assert_int_equal(signals_caught(), SIGTERM);
	check_goes_on();
	check_is_told();
	alarm(0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(
	        an_interrupted_wait_goes_on, fill_pipe, close_pipe),
	    cmocka_unit_test_setup_teardown(
	        a_wait_that_fails_is_told, fill_pipe, close_pipe),
	    cmocka_unit_test_setup_teardown(
	        so_it_is_after_a_signal, fill_pipe, close_pipe),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
