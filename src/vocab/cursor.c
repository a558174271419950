/* SPDX-License-Identifier: MIT */
/* A file read value by value, through a small window, never whole. */
#if !defined(_FILE_OFFSET_BITS) && !defined(__LP64__)
#define _FILE_OFFSET_BITS 64 /* files above 2 GiB on 32 bits */
#endif
#include "cursor.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../little.h"

/*
 * The size of a regular file, and where in it we are.  Some that the system
 * makes up as they are read claim to be empty: those are read to their end.
 */
static void
measure(struct cursor *c)
{
	struct stat st;
	off_t here;

	c->at = 0;
	c->size = UINT64_MAX;
	if (fstat(c->from.fd, &st) != 0 || !S_ISREG(st.st_mode))
		return;
	here = lseek(c->from.fd, 0, SEEK_CUR);
	if (here < 0 || st.st_size <= here)
		return;
	c->at = (uint64_t)here;
	c->size = (uint64_t)st.st_size;
}

bool
cursor_open(struct cursor *c, const char *name, struct error *err)
{
	c->error = err;
	c->start = c->end = 0;
	c->key[0] = '\0';
	if (!bytes_open(&c->from, name, NULL, err))
		return false;
	measure(c);
	return true;
}

void
cursor_close(struct cursor *c)
{
	bytes_close(&c->from);
}

bool
cursor_bad(struct cursor *c, uint64_t at, const char *format, ...)
{
	char what[512];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(what, sizeof(what), format, arguments);
	va_end(arguments);
	return error_set(c->error, STATUS_FAILED,
	    "%s: byte %" PRIu64 ": %s%s%s", c->from.name, at, c->key,
	    c->key[0] != '\0' ? ": " : "", what);
}

static bool
ends_early(struct cursor *c, uint64_t wanted, uint64_t left)
{
	return cursor_bad(c, c->at,
	    "%" PRIu64 " bytes are wanted and the file ends after %" PRIu64
	    ": it is cut off or damaged",
	    wanted, left);
}

const unsigned char *
cursor_take(struct cursor *c, size_t n)
{
	size_t got;

	if (n > c->size - c->at) {
		ends_early(c, n, c->size - c->at);
		return NULL;
	}
	if (n > sizeof(c->window) - c->start) {
		memmove(c->window, c->window + c->start, c->end - c->start);
		c->end -= c->start;
		c->start = 0;
	}
	while (c->end - c->start < n) {
		if (!bytes_read(&c->from, c->window + c->end,
		        sizeof(c->window) - c->end, &got, c->error))
			return NULL;
		if (got == 0) {
			ends_early(c, n, c->end - c->start);
			return NULL;
		}
		c->end += got;
	}
	c->start += n;
	c->at += n;
	return c->window + c->start - n;
}

bool
cursor_number(struct cursor *c, size_t size, uint64_t *value)
{
	const unsigned char *bytes = cursor_take(c, size);

	if (bytes != NULL)
		*value = little(bytes, size);
	return bytes != NULL;
}

/* Only what the file has room for; its size is an off_t. */
static bool
seek(struct cursor *c, uint64_t n)
{
	size_t held = c->end - c->start;

	if (lseek(c->from.fd, (off_t)(n - held), SEEK_CUR) < 0)
		return error_system(c->error, errno, "%s", c->from.name);
	c->start = c->end = 0;
	c->at += n;
	return true;
}

bool
cursor_skip(struct cursor *c, uint64_t n)
{
	size_t step;

	if (n > c->size - c->at)
		return ends_early(c, n, c->size - c->at);
	if (c->size != UINT64_MAX && n > sizeof(c->window))
		return seek(c, n);
	for (; n > 0; n -= step) {
		step = n < CURSOR_MOST ? (size_t)n : CURSOR_MOST;
		if (cursor_take(c, step) == NULL)
			return false;
	}
	return true;
}

bool
cursor_check(struct cursor *c, uint64_t n, size_t size, const char *what)
{
	uint64_t left = c->size - c->at;

	if (n <= left / size)
		return true;
	if (c->size == UINT64_MAX)
		return cursor_bad(c, c->at,
		    "%" PRIu64 " %s are more than a file can hold", n, what);
	return cursor_bad(c, c->at,
	    "%" PRIu64 " %s can't be in the %" PRIu64
	    " bytes that are left: the file is cut off or damaged",
	    n, what, left);
}
