/* SPDX-License-Identifier: MIT */
/* Bytes on their way out: in order, whole, and not kept from a reader. */
#include <signal.h>

#include "helper.h"

#include "../../src/output/buffer.h"

static struct buffer buffer;

/* What waits in a pipe. */
static size_t
take(int fd, unsigned char *to, size_t room)
{
	ssize_t got;

	assert_int_equal(fcntl(fd, F_SETFL, O_NONBLOCK), 0);
	got = read(fd, to, room);
	return got < 0 ? 0 : (size_t)got;
}

static void
bytes_wait_until_they_are_flushed(void **state)
{
	unsigned char got[16];
	struct error err;
	int fds[2];

	(void)state;
	assert_int_equal(pipe(fds), 0);
	buffer_open(&buffer, fds[1], "the pipe");
	assert_true(buffer_add(&buffer, "one ", 4, &err));
	assert_true(buffer_add(&buffer, "two", 3, &err));
	assert_int_equal(take(fds[0], got, sizeof(got)), 0);
	assert_true(buffer_flush(&buffer, &err));
	assert_int_equal(take(fds[0], got, sizeof(got)), 7);
	assert_memory_equal(got, "one two", 7);
	assert_true(buffer_flush(&buffer, &err));
	assert_int_equal(take(fds[0], got, sizeof(got)), 0);
	close(fds[0]);
	close(fds[1]);
}

/* A file that has no name any more: there nothing ever blocks. */
static int
open_scratch(void)
{
	char path[PATH_ROOM];
	int fd;

	make_file(path, "", 0);
	fd = open(path, O_RDWR);
	assert_true(fd >= 0);
	unlink(path);
	return fd;
}

static void
pieces_of_any_size_stay_in_order(void **state)
{
	static unsigned char bytes[3 * BUFFER_SIZE], got[sizeof(bytes)];
	static const size_t sizes[] = {
	    1, 100, BUFFER_SIZE - 1, BUFFER_SIZE, BUFFER_SIZE + 1};
	int fd = open_scratch();
	uint64_t random = 1;
	struct error err;
	size_t used, n;

	(void)state;
	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (unsigned char)random_bits(&random);
	for (size_t round = 0; round < 20; round++) {
		assert_int_equal(ftruncate(fd, 0), 0);
		assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
		buffer_open(&buffer, fd, "a file");
		for (used = 0; used < sizeof(bytes); used += n) {
			n = sizes[random_below(&random, LENGTH(sizes))];
			if (n > sizeof(bytes) - used)
				n = sizeof(bytes) - used;
			assert_true(buffer_add(&buffer, bytes + used, n, &err));
		}
		assert_true(buffer_flush(&buffer, &err));
		assert_int_equal(pread(fd, got, sizeof(got), 0), sizeof(got));
		assert_memory_equal(got, bytes, sizeof(bytes));
	}
	close(fd);
}

/* A line is not torn: what was there before it goes out without it. */
static void
one_call_is_written_whole(void **state)
{
	static unsigned char fill[BUFFER_SIZE - 3];
	int fd = open_scratch();
	struct error err;

	(void)state;
	buffer_open(&buffer, fd, "a file");
	assert_true(buffer_add(&buffer, fill, sizeof(fill), &err));
	assert_true(buffer_add(&buffer, "line\n", 5, &err));
	assert_int_equal(lseek(fd, 0, SEEK_END), sizeof(fill));
	assert_true(buffer_flush(&buffer, &err));
	assert_int_equal(lseek(fd, 0, SEEK_END), sizeof(fill) + 5);
	close(fd);
}

/* Only a read that would block is a reason to write. */
static void
flushes_before_a_read_that_would_block(void **state)
{
	unsigned char got[16];
	int out[2], in[2];
	struct error err;

	(void)state;
	assert_int_equal(pipe(out), 0);
	assert_int_equal(pipe(in), 0);
	buffer_open(&buffer, out[1], "the pipe");

	assert_true(buffer_add(&buffer, "id\n", 3, &err));
	assert_int_equal(write(in[1], "row", 3), 3);
	assert_true(buffer_before_read(&buffer, in[0], &err));
	assert_int_equal(take(out[0], got, sizeof(got)), 0);

	assert_int_equal(read(in[0], got, 3), 3);
	assert_true(buffer_before_read(&buffer, in[0], &err));
	assert_int_equal(take(out[0], got, sizeof(got)), 3);

	assert_true(buffer_add(&buffer, "id\n", 3, &err));
	assert_true(buffer_before_read(&buffer, -1, &err));
	assert_int_equal(take(out[0], got, sizeof(got)), 3);
	for (int i = 0; i < 2; i++) {
		close(in[i]);
		close(out[i]);
	}
}

static void
a_reader_that_is_gone_is_told_once(void **state)
{
	struct error err;
	int fds[2];

	(void)state;
	signal(SIGPIPE, SIG_IGN);
	assert_int_equal(pipe(fds), 0);
	close(fds[0]);
	buffer_open(&buffer, fds[1], "the pipe");
	assert_true(buffer_add(&buffer, "lost", 4, &err));
	assert_false(buffer_flush(&buffer, &err));
	assert_int_equal(err.status, STATUS_FAILED);
	assert_non_null(strstr(err.text, "the pipe: "));
	assert_true(buffer_flush(&buffer, &err));
	close(fds[1]);
}

static void
a_full_disk_is_told(void **state)
{
	struct error err;
	int fd = open("/dev/full", O_WRONLY);

	(void)state;
	if (fd < 0) {
		print_message("this system has no /dev/full\n");
		skip();
	}
	buffer_open(&buffer, fd, "a file");
	assert_true(buffer_add(&buffer, "lost", 4, &err));
	assert_false(buffer_flush(&buffer, &err));
	assert_non_null(strstr(err.text, "a file: "));
	close(fd);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(bytes_wait_until_they_are_flushed),
	    cmocka_unit_test(pieces_of_any_size_stay_in_order),
	    cmocka_unit_test(one_call_is_written_whole),
	    cmocka_unit_test(flushes_before_a_read_that_would_block),
	    cmocka_unit_test(a_reader_that_is_gone_is_told_once),
	    cmocka_unit_test(a_full_disk_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
