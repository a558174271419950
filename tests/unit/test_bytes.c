/* SPDX-License-Identifier: MIT */
/* Reading from a descriptor that makes it hard: signals, nothing there yet. */
#include <errno.h>
#include <signal.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>

#include "helper.h"

#include "../../src/input/bytes.h"

static volatile sig_atomic_t signals;

static void
count_signal(int number)
{
	(void)number;
	signals++;
}

static void
pause_for(long milliseconds)
{
	struct timespec left = {0, milliseconds * 1000000};

	nanosleep(&left, NULL);
}

/* A process that writes two words, late enough to be waited for. */
static pid_t
start_slow_writer(int fd)
{
	pid_t pid = fork();

	if (pid != 0)
		return pid;
	for (int i = 0; i < 2; i++) {
		pause_for(30);
		if (write(fd, i == 0 ? "slow" : "word", 4) != 4)
			_exit(1);
	}
	_exit(0);
}

static void
read_slowly(bool nonblocking)
{
	struct bytes b = {.name = "the pipe"};
	unsigned char got[8];
	struct error err;
	int fds[2], status;
	size_t n;
	pid_t pid;

	assert_int_equal(pipe(fds), 0);
	if (nonblocking)
		assert_int_equal(fcntl(fds[0], F_SETFL, O_NONBLOCK), 0);
	pid = start_slow_writer(fds[1]);
	assert_true(pid > 0);
	close(fds[1]);
	b.fd = fds[0];
	for (size_t i = 0; i < sizeof(got); i += n) {
		assert_true(bytes_read(&b, got + i, sizeof(got) - i, &n, &err));
		assert_true(n > 0);
	}
	assert_memory_equal(got, "slowword", sizeof(got));
	assert_true(bytes_read(&b, got, 1, &n, &err) && n == 0);
	assert_int_equal(b.offset, sizeof(got));
	close(fds[0]);
	while (waitpid(pid, &status, 0) < 0)
		assert_int_equal(errno, EINTR); /* a late signal */
	assert_int_equal(status, 0);
}

static void
waits_where_reading_does_not_block(void **state)
{
	(void)state;
	read_slowly(true);
}

/* A signal every two milliseconds, which breaks off what it finds waiting. */
static void
goes_on_after_signals(void **state)
{
	const struct itimerval often = {{0, 2000}, {0, 2000}}, never = {0};
	struct sigaction count = {.sa_handler = count_signal}, before;

	(void)state;
	assert_int_equal(sigaction(SIGALRM, &count, &before), 0);
	assert_int_equal(setitimer(ITIMER_REAL, &often, NULL), 0);
	read_slowly(false);
	read_slowly(true);
	assert_int_equal(setitimer(ITIMER_REAL, &never, NULL), 0);
	assert_int_equal(sigaction(SIGALRM, &before, NULL), 0);
	assert_true(signals > 0);
}

static bool
refuse(void *context, int fd, struct error *err)
{
	(void)fd;
	return error_set(err, STATUS_FAILED, "%s", (const char *)context);
}

static void
what_comes_before_a_read_may_end_it(void **state)
{
	static char reason[] = "no more";
	const struct before_read before = {refuse, reason};
	struct bytes b;
	struct error err;
	unsigned char byte;
	size_t got;

	(void)state;
	assert_true(bytes_open(&b, "/dev/zero", &before, &err));
	assert_false(bytes_read(&b, &byte, 1, &got, &err));
	assert_string_equal(err.text, reason);
	bytes_close(&b);
}

static void
failures_name_the_file(void **state)
{
	unsigned char byte;
	struct bytes b;
	struct error err;
	size_t got;

	(void)state;
	assert_false(bytes_open(&b, "/nonexistent/rows", NULL, &err));
	assert_int_equal(err.status, STATUS_FAILED);
	assert_non_null(strstr(err.text, "/nonexistent/rows: "));
	assert_true(bytes_open(&b, "/", NULL, &err));
	assert_false(bytes_read(&b, &byte, 1, &got, &err));
	assert_non_null(strstr(err.text, "/: "));
	bytes_close(&b);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(waits_where_reading_does_not_block),
	    cmocka_unit_test(goes_on_after_signals),
	    cmocka_unit_test(what_comes_before_a_read_may_end_it),
	    cmocka_unit_test(failures_name_the_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
