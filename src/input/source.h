/* SPDX-License-Identifier: MIT */
/* The operands as one stream of rows' bytes, all else taken off. */
#ifndef TOKPICK_SOURCE_H
#define TOKPICK_SOURCE_H

#include "bytes.h"
#include "head.h"

/* The words of --input, and last what is never more than raw or zstd. */
enum input_format {
	INPUT_AUTO,
	INPUT_RAW,
	INPUT_ZSTD,
	INPUT_NPY,
	INPUT_SAFETENSORS,
	INPUT_LOGITS,
	INPUT_HEADLESS,
};

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

/* What the heads of files leave open; what it points to outlives the source. */
void source_choose(struct source *, const struct head_choice *);

/*
 * From now on refuse a file with a head if its rows are not of so many values
 * of that type.
 */
void source_expect(struct source *, size_t vocab, enum dtype);

/*
 * From now on read large regular files ahead with so many threads, the
 * caller among them: 1 reads nothing ahead.  unit bytes are what is
 * borrowed.  What is not a file of known size is never read ahead: who
 * writes it may wait for an answer first.
 */
void source_read_ahead(struct source *, size_t threads, size_t unit);

/* Open the next file if none is open, and read its head. */
bool source_open(struct source *, struct error *);

/* The head of the file being read, and which of its rows' bytes is next. */
const struct head *source_head(const struct source *);
uint64_t source_passed(const struct source *);

/* Pass over n bytes; *left of them were not there. */
bool source_skip(struct source *, uint64_t n, uint64_t *left, struct error *);

/*
 * How many bytes the files have, as they are stored, and how many were read
 * or passed over: an estimate of how far we are.  The size is 0 where it
 * can't be known, as for a pipe.
 */
uint64_t source_size(const struct source *);
uint64_t source_offset(const struct source *);

/* Up to n > 0 bytes; *got is 0 at the end of the last file and only there. */
bool source_read(
    struct source *, void *to, size_t n, size_t *got, struct error *);

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

/* Is it compressed, and how many bytes has it, if it is a regular one? */
bool source_is_packed(const struct source *);
bool source_file_size(struct source *, uint64_t *n);

#endif
