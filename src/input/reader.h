/* SPDX-License-Identifier: MIT */
/* A regular file, read and unpacked ahead of its use. */
#ifndef TOKPICK_READER_H
#define TOKPICK_READER_H

#include "bytes.h"

struct reader;

/* A file must have as many bytes for that to be worth while. */
enum { READER_LEAST = 1024 * 1024 };

/*
 * Read a file that is at hand (bytes.h), from b's offset on, with so many
 * threads, at least 2, the caller among them.  Portions are multiples of
 * unit bytes if it isn't large.  b must outlive it.  NULL and err on failure.
 */
struct reader *reader_new(struct bytes *b, bool zstd, int max_window,
    size_t threads, size_t unit, struct error *);

/* The file's offset is behind what was looked at then, or a little more. */
void reader_free(struct reader *);

/*
 * What is at hand of the bytes that were not passed yet: *n of them, 0 at the
 * end and only there.  They last until reader_look() is called with all of
 * them passed.
 */
bool reader_look(
    struct reader *, const unsigned char **, size_t *n, struct error *);
void reader_pass(struct reader *, size_t n);

/* The offset in the file behind what was looked at last, or a little more. */
uint64_t reader_offset(const struct reader *);

#endif
