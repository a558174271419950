/* SPDX-License-Identifier: MIT */
/* The operands as one stream of bytes, compression taken off. */
#ifndef TOKPICK_SOURCE_H
#define TOKPICK_SOURCE_H

#include "bytes.h"

enum input_format { INPUT_AUTO, INPUT_RAW, INPUT_ZSTD };

struct source;

/*
 * The files in names (count of them, "-" being standard input), each opened
 * when its turn comes.  names and before must outlive the source.
 */
struct source *source_new(char *const *names, size_t count, enum input_format,
    int max_window, const struct before_read *before, struct error *);

/*
 * The same of one descriptor that is open, raw; name is for messages.  It
 * stays the caller's to close.
 */
struct source *source_of(
    int fd, const char *name, const struct before_read *, struct error *);

void source_free(struct source *);

/*
 * From now on read large regular files ahead with so many threads, the
 * caller among them: 1 reads nothing ahead.  unit bytes are what is
 * borrowed.  What is not a file of known size is never read ahead: who
 * writes it may wait for an answer first.
 */
void source_read_ahead(struct source *, size_t threads, size_t unit);

/* Up to n > 0 bytes; *got is 0 at the end of the last file and only there. */
bool source_read(
    struct source *, void *to, size_t n, size_t *got, struct error *);

/*
 * How many bytes the files have, as they are stored, and how many were read:
 * an estimate of how far we are.  The size is 0 where it can't be known, as
 * for a pipe; call it before the first read.
 */
uint64_t source_size(const struct source *);
uint64_t source_offset(const struct source *);

/*
 * The next n bytes where they lie, which lasts until the next call; NULL if
 * they are not read ahead, or not in one piece.
 */
bool source_borrow(
    struct source *, size_t n, const unsigned char **, struct error *);

/* Is there any use in borrowing at the moment? */
bool source_lends(const struct source *);

/* The file being read, for messages. */
const char *source_name(const struct source *);

#endif
