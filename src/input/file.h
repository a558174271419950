/* SPDX-License-Identifier: MIT */
/* One operand: its bytes, compression taken off. */
#ifndef TOKPICK_FILE_H
#define TOKPICK_FILE_H

#include "bytes.h"

/* How its bytes are to be understood. */
struct file_way {
	bool zstd;      /* frames, whatever the first bytes are … */
	bool raw;       /* … or nothing to be taken off; neither: by magic */
	int max_window; /* of zstd, as a power of two */
	const struct before_read *before; /* may be NULL */
	size_t threads, unit; /* as source_read_ahead(); 0: nothing ahead */
};

/* All zero: closed. */
struct file {
	const struct file_way *way;
	struct bytes bytes;
	bool open;
	bool lent; /* the descriptor is another's */
	bool zstd;
	bool begun;
	uint64_t skip;          /* bytes to be passed over at the beginning */
	struct unzstd *unzstd;  /* NULL while it is raw, or … */
	struct reader *reader;  /* … read ahead; NULL if that is not done */
	unsigned char *peeked;  /* unpacked, read before its time */
	size_t next, end, room; /* of that */
};

/* Open it, or standard input for "-".  name and way must outlive it. */
bool file_open(
    struct file *, const char *name, const struct file_way *, struct error *);

/* The same of a descriptor that is open, raw, and stays another's. */
void file_of(struct file *, int fd, const char *name, const struct file_way *);
void file_close(struct file *);

/*
 * Before the first read: look at the first n bytes, more than were looked at
 * before.  One call reads once, so that nobody is waited for who has
 * sent enough; only at the end are there no more than before.
 */
bool file_peek(struct file *, size_t n, struct error *);

/* Before the first read: let that begin behind so many bytes more. */
void file_skip(struct file *, uint64_t n);

/*
 * Is it raw and regular, so that skipping costs nothing?  *n bytes are behind
 * what is skipped.
 */
bool file_has(struct file *, uint64_t *n);

/* How many bytes a regular file has, packed as it is. */
bool file_size(struct file *, uint64_t *n);

/* How many of them were read or passed over; 0 of one that is closed. */
uint64_t file_offset(const struct file *);

/* Up to n > 0 bytes; *got is 0 at the end and only there. */
bool file_read(struct file *, void *to, size_t n, size_t *got, struct error *);

/*
 * The next n bytes where they lie, which lasts until the next call; NULL if
 * they are not read ahead, or not in one piece.
 */
bool file_borrow(
    struct file *, size_t n, const unsigned char **, struct error *);

#endif
