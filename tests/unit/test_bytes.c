/* SPDX-License-Identifier: MIT */
/* Reading from a descriptor that makes it hard: signals, nothing there yet. */
#include <errno.h>
#include <poll.h>
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

/* What poll() fails with, again and again until its last, 0. */
static const int *poll_fails;

int __real_poll(struct pollfd *, nfds_t, int);
int __wrap_poll(struct pollfd *, nfds_t, int);

int
__wrap_poll(struct pollfd *fds, nfds_t n, int timeout)
{
	if (poll_fails == NULL || *poll_fails == 0)
		return __real_poll(fds, n, timeout);
	errno = *poll_fails++;
	return -1;
}

static void
waiting_may_fail_for_a_time_or_for_good(void **state)
{
	static const int for_a_time[] = {EINTR, EAGAIN, EAGAIN, 0};
	static const int for_good[] = {EAGAIN, ENOMEM, 0};
	struct bytes b = {.name = "the pipe"};
	unsigned char byte;
	struct error err;
	int fds[2];
	size_t n;

	(void)state;
	poll_fails = for_a_time;
	read_slowly(true);
	assert_int_equal(*poll_fails, 0);
	assert_int_equal(pipe(fds), 0);
	assert_int_equal(fcntl(fds[0], F_SETFL, O_NONBLOCK), 0);
	b.fd = fds[0];
	poll_fails = for_good;
	assert_false(bytes_read(&b, &byte, 1, &n, &err));
	assert_int_equal(*poll_fails, 0);
	assert_int_equal(err.status, STATUS_FAILED);
	assert_non_null(strstr(err.text, "waiting for the pipe: "));
	close(fds[0]);
	close(fds[1]);
}

static void
a_file_that_gets_shorter_than_was_read_is_not_at_hand(void **state)
{
	char path[PATH_ROOM], got[8];
	struct bytes b;
	struct error err;
	uint64_t size;
	size_t n;

	(void)state;
	make_file(path, "some bytes", 10);
	assert_true(bytes_open(&b, path, NULL, &err));
	assert_true(bytes_read(&b, got, 8, &n, &err) && n == 8);
	assert_true(bytes_size(&b, &size) && size == 10);
	assert_int_equal(truncate(path, 8), 0);
	assert_true(bytes_size(&b, &size) && size == 8);
	assert_int_equal(truncate(path, 7), 0);
	assert_false(bytes_size(&b, &size));
	assert_false(bytes_are_at_hand(&b, 0));
	bytes_close(&b);
	unlink(path);
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
	    cmocka_unit_test(waiting_may_fail_for_a_time_or_for_good),
	    cmocka_unit_test(
	        a_file_that_gets_shorter_than_was_read_is_not_at_hand),
	    cmocka_unit_test(what_comes_before_a_read_may_end_it),
	    cmocka_unit_test(failures_name_the_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
