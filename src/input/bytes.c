/* SPDX-License-Identifier: MIT */
/* Bytes out of a descriptor, whatever it is. */
#if !defined(_GNU_SOURCE)
#define _GNU_SOURCE /* F_SETPIPE_SZ, where there is one */
#endif
#if !defined(_FILE_OFFSET_BITS) && !defined(__LP64__)
#define _FILE_OFFSET_BITS 64 /* files above 2 GiB on 32 bits */
#endif
#include "bytes.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../signals.h"

/* Linux moves at most this much in one read; a larger count is no error. */
enum { MOST = 0x7ffff000 };

/*
 * A pipe of Linux holds 64 KiB, and to wait for each other so often takes
 * writer and reader longer than to copy.  What is no pipe, or may not be as
 * large, stays as it is.
 */
static void
enlarge_pipe(int fd)
{
#ifdef F_SETPIPE_SZ
	enum { ENOUGH = 256 * 1024 };

	if (fcntl(fd, F_GETPIPE_SZ) < ENOUGH)
		fcntl(fd, F_SETPIPE_SZ, ENOUGH);
#else
	(void)fd;
#endif
}

bool
bytes_open(struct bytes *b, const char *name, const struct before_read *before,
    struct error *err)
{
	bool is_stdin = strcmp(name, "-") == 0;

	*b = (struct bytes){.fd = STDIN_FILENO,
	    .name = is_stdin ? "standard input" : name,
	    .before = before};
	do
		if (!is_stdin)
			b->fd = open(name, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	while (b->fd < 0 && errno == EINTR && signals_caught() == 0);
	if (b->fd < 0)
		return error_system(
		    err, errno, "%s", name[0] != '\0' ? name : "''");
	if (!isatty(b->fd)) {
		enlarge_pipe(b->fd);
		return true;
	}
	bytes_close(b);
	return error_set(err, STATUS_USAGE,
	    "%s is a terminal: logits are not typed; "
	    "pipe rows in or name a file (tokpick --help tells more)",
	    b->name);
}

/* Nothing was written through it: a failing close loses nothing. */
void
bytes_close(struct bytes *b)
{
	if (b->fd > STDERR_FILENO)
		close(b->fd);
	b->fd = -1;
}

static bool
wait_for_input(struct bytes *b, struct error *err)
{
	struct pollfd poll_in = {.fd = b->fd, .events = POLLIN};

	if (poll(&poll_in, 1, -1) < 0 && errno != EINTR && errno != EAGAIN)
		return error_system(err, errno, "waiting for %s", b->name);
	return true;
}

bool
bytes_read(struct bytes *b, void *to, size_t n, size_t *got, struct error *err)
{
	ssize_t done;

	for (;;) {
		if (b->before != NULL &&
		    !b->before->call(b->before->context, b->fd, err))
			return false;
		if (signals_caught() != 0)
			return signals_error(err);
		done = read(b->fd, to, n < MOST ? n : MOST);
		if (done >= 0)
			break;
		if (errno == EAGAIN) {
			if (!wait_for_input(b, err))
				return false;
		} else if (errno != EINTR) {
			return error_system(err, errno, "%s", b->name);
		}
	}
	*got = (size_t)done;
	b->offset += *got;
	return true;
}

bool
bytes_size(struct bytes *b, uint64_t *n)
{
	struct stat status;
	off_t at = lseek(b->fd, 0, SEEK_CUR);

	if (at < 0 || fstat(b->fd, &status) != 0 || !S_ISREG(status.st_mode) ||
	    status.st_size < at)
		return false;
	b->base = (uint64_t)at - b->offset;
	*n = (uint64_t)status.st_size - b->base;
	return true;
}

bool
bytes_are_at_hand(struct bytes *b, uint64_t least)
{
	uint64_t n;

	return bytes_size(b, &n) && n >= least;
}

bool
bytes_read_at(const struct bytes *b, uint64_t offset, void *to, size_t n,
    size_t *got, struct error *err)
{
	unsigned char *next = to;
	ssize_t done = 1;

	for (*got = 0; *got < n && done > 0; *got += (size_t)done) {
		do
			done = pread(b->fd, next + *got,
			    n - *got < MOST ? n - *got : MOST,
			    (off_t)(b->base + offset + *got));
		while (done < 0 && errno == EINTR);
		if (done < 0)
			return error_system(err, errno, "%s", b->name);
	}
	return true;
}

bool
bytes_go_to(struct bytes *b, uint64_t offset, struct error *err)
{
	b->offset = offset;
	if (lseek(b->fd, (off_t)(b->base + offset), SEEK_SET) >= 0)
		return true;
	return error_system(err, errno, "%s", b->name);
}
