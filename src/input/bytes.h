/* SPDX-License-Identifier: MIT */
/* Bytes out of a descriptor, whatever it is. */
#ifndef TOKPICK_BYTES_H
#define TOKPICK_BYTES_H

#include <stddef.h>
#include <stdint.h>

#include "../message.h"

/*
 * Called before every read, and again where a signal interrupted one: fd may
 * have nothing to give yet, so whatever waits to be written should be.  False
 * and err end the reading.
 */
struct before_read {
	bool (*call)(void *context, int fd, struct error *);
	void *context;
};

struct bytes {
	int fd;
	const char *name;                 /* for messages; not owned */
	uint64_t offset;                  /* bytes read so far */
	uint64_t base;                    /* a regular file's own offset then */
	const struct before_read *before; /* may be NULL */
};

/*
 * Open a file, or standard input for "-".  Refuses a terminal: nobody types
 * logits.  name must outlive the bytes.
 */
bool bytes_open(struct bytes *, const char *name, const struct before_read *,
    struct error *);
void bytes_close(struct bytes *);

/*
 * Read up to n > 0 bytes; *got is 0 at the end and only there.  Signals and
 * descriptors that do not block are waited out.
 */
bool bytes_read(
    struct bytes *, void *to, size_t n, size_t *got, struct error *);

/*
 * Is it a regular file?  *n bytes of it are from the first one on.
 */
bool bytes_size(struct bytes *, uint64_t *n);

/*
 * Is it a regular file with at least that many bytes from the first one on?
 * Only then are the next two possible; both count offsets from there.
 */
bool bytes_are_at_hand(struct bytes *, uint64_t least);

/*
 * Read n bytes from an offset on; *got is less at the end and only there,
 * or before an error.  Any thread may.
 */
bool bytes_read_at(const struct bytes *, uint64_t offset, void *to, size_t n,
    size_t *got, struct error *);

/* Let the next bytes_read() begin at an offset. */
bool bytes_go_to(struct bytes *, uint64_t offset, struct error *);

#endif
