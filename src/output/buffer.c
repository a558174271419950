/* SPDX-License-Identifier: MIT */
/* Bytes on their way to a descriptor. */
#include "buffer.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "../signals.h"

void
buffer_open(struct buffer *b, int fd, const char *name)
{
	b->fd = fd;
	b->name = name;
	b->size = 0;
	b->failed = false;
}

/* How long a reader may stand still while a signal waits: a moment. */
enum { MOMENT_MS = 500 };

/*
 * After a signal was noted what is left is written as long as somebody reads
 * it, which a pipe says for so many bytes.
 */
static bool
may_write(int fd, size_t *n)
{
	struct pollfd poll_out = {.fd = fd, .events = POLLOUT};
	int ready;

	if (signals_caught() == 0)
		return true;
	if (*n > PIPE_BUF)
		*n = PIPE_BUF;
	do
		ready = poll(&poll_out, 1, MOMENT_MS);
	while (ready < 0 && (errno == EINTR || errno == EAGAIN));
	if (ready == 0)
		errno = EINTR;
	return ready > 0;
}

/*
 * One write, begun again after signals; waits where fd does not block.  One
 * that takes nothing without a reason might do so for ever.
 */
static ssize_t
write_some(int fd, const unsigned char *bytes, size_t n)
{
	struct pollfd poll_out = {.fd = fd, .events = POLLOUT};
	ssize_t done;

	while (may_write(fd, &n)) {
		done = write(fd, bytes, n);
		if (done >= 0 || (errno != EINTR && errno != EAGAIN))
			return done;
		if (errno != EINTR && poll(&poll_out, 1, -1) < 0 &&
		    errno != EINTR && errno != EAGAIN)
			return -1;
	}
	return -1;
}

static bool
write_all(
    struct buffer *b, const unsigned char *bytes, size_t n, struct error *err)
{
	ssize_t done;

	while (n > 0) {
		done = write_some(b->fd, bytes, n);
		b->failed |= done <= 0;
		if (done == 0)
			return error_system(err, EIO, "%s", b->name);
		if (done < 0 && errno == EPIPE)
			return error_set(err, STATUS_FAILED,
			    "%s: the reader is gone before the end", b->name);
		if (done < 0)
			return error_system(err, errno, "%s", b->name);
		bytes += done;
		n -= (size_t)done;
	}
	return true;
}

bool
buffer_flush(struct buffer *b, struct error *err)
{
	size_t n = b->size;

	b->size = 0;
	return write_all(b, b->bytes, n, err);
}

bool
buffer_close(struct buffer *b, struct error *err)
{
	if (!buffer_flush(b, err)) {
		close(b->fd);
		return false;
	}
	if (close(b->fd) == 0 || errno == EINTR)
		return true;
	b->failed = true;
	return error_system(err, errno, "%s", b->name);
}

bool
buffer_add(struct buffer *b, const void *bytes, size_t n, struct error *err)
{
	if (n > BUFFER_SIZE - b->size && !buffer_flush(b, err))
		return false;
	if (n > BUFFER_SIZE)
		return write_all(b, bytes, n, err);
	memcpy(b->bytes + b->size, bytes, n);
	b->size += n;
	return true;
}

bool
buffer_before_read(void *context, int fd, struct error *err)
{
	struct buffer *b = context;
	struct pollfd poll_in = {.fd = fd, .events = POLLIN};

	if (b->size == 0 || poll(&poll_in, 1, 0) > 0)
		return true;
	return buffer_flush(b, err);
}
