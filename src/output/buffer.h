/* SPDX-License-Identifier: MIT */
/* Bytes on their way to a descriptor. */
#ifndef TOKPICK_BUFFER_H
#define TOKPICK_BUFFER_H

#include <stddef.h>

#include "../message.h"

enum { BUFFER_SIZE = 64 * 1024 };

struct buffer {
	int fd;
	const char *name; /* for messages; not owned */
	size_t size;
	bool failed; /* a write did, and bytes are lost */
	unsigned char bytes[BUFFER_SIZE];
};

/* Begin with an open descriptor.  Nothing is owned. */
void buffer_open(struct buffer *, int fd, const char *name);

/*
 * Add bytes.  What does not fit is written first, up to where the buffer
 * ended before: what is added by one call is not torn by a failing write
 * unless it is larger than the buffer.
 */
bool buffer_add(struct buffer *, const void *bytes, size_t n, struct error *);

/*
 * Write all that waits.  A failing write drops it, so that the failure is
 * told once.
 */
bool buffer_flush(struct buffer *, struct error *);

/*
 * The same, and close the descriptor: a write that the system has put off
 * may still fail then.
 */
bool buffer_close(struct buffer *, struct error *);

/*
 * Write all that waits if reading from fd would: the other end may be
 * waiting for it.  -1 stands for a descriptor that always would.  (Shaped
 * to be a before_read call: context is the buffer.)
 */
bool buffer_before_read(void *context, int fd, struct error *);

#endif
