/* SPDX-License-Identifier: MIT */
/* A pipe that has just so many bytes to give at each read. */
#ifndef TOKPICK_TEST_FEEDER_H
#define TOKPICK_TEST_FEEDER_H

#include <poll.h>

#include "helper.h"

#include "../../src/input/bytes.h"

/*
 * The module under test calls before_read before each read: that is when
 * the next bytes go into the pipe, unless some are still there.  So each
 * read gets at most that many, and at the end the pipe is closed.  When
 * `hold` bytes were given no more follow: who asks for more has asked too
 * early, and the reading fails.
 */
struct feeder {
	const unsigned char *bytes;
	size_t size, given;
	size_t most;      /* bytes at a time, at most PIPE_BUF */
	uint64_t *random; /* not NULL: a random number up to most instead */
	size_t hold;
	int fds[2];
	struct before_read before;
};

static inline bool
feeder_is_empty(const struct feeder *f)
{
	struct pollfd poll_in = {.fd = f->fds[0], .events = POLLIN};

	return poll(&poll_in, 1, 0) == 0;
}

static inline bool
feeder_before_read(void *context, int fd, struct error *err)
{
	struct feeder *f = context;
	size_t n = f->most;

	if (fd < 0 || !feeder_is_empty(f) || f->fds[1] < 0)
		return true;
	if (f->given == f->hold)
		return error_set(err, STATUS_FAILED, "asked too early");
	if (f->random != NULL)
		n = 1 + random_below(f->random, f->most);
	if (n > f->hold - f->given)
		n = f->hold - f->given;
	if (n > f->size - f->given)
		n = f->size - f->given;
	if (n > 0)
		assert_int_equal(write(f->fds[1], f->bytes + f->given, n), n);
	f->given += n;
	if (n == 0) {
		close(f->fds[1]);
		f->fds[1] = -1;
	}
	return true;
}

/* Begin to give n bytes, at most so many at a time. */
static inline void
feeder_open(struct feeder *f, const void *bytes, size_t n, size_t most)
{
	*f = (struct feeder){
	    .bytes = bytes, .size = n, .most = most, .hold = SIZE_MAX};
	f->before = (struct before_read){feeder_before_read, f};
	assert_int_equal(pipe(f->fds), 0);
}

static inline void
feeder_close(struct feeder *f)
{
	close(f->fds[0]);
	if (f->fds[1] >= 0)
		close(f->fds[1]);
}

/* The reading end, as a module takes it. */
static inline struct bytes
feeder_bytes(const struct feeder *f)
{
	return (struct bytes){
	    .fd = f->fds[0], .name = "the pipe", .before = &f->before};
}

#endif
