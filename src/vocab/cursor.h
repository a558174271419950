/* SPDX-License-Identifier: MIT */
/* A file read value by value, through a small window, never whole. */
#ifndef TOKPICK_CURSOR_H
#define TOKPICK_CURSOR_H

#include <stdint.h>

#include "../input/bytes.h"

/* The longest text that is looked at. */
enum { CURSOR_MOST = 65535 };

struct cursor {
	struct bytes from;
	uint64_t at;   /* of the next value, in the file */
	uint64_t size; /* of the file; UINT64_MAX where only its end tells */
	size_t start, end;
	struct error *error;
	char key[128]; /* what is being read, for messages; "" at first */
	unsigned char window[2 * (CURSOR_MOST + 1)];
};

/*
 * Open a file, or standard input for "-", from where it stands.  name must
 * outlive the cursor, which leaves in *err what goes wrong with it.
 */
bool cursor_open(struct cursor *, const char *name, struct error *err);
void cursor_close(struct cursor *);

/*
 * The next n bytes, at most CURSOR_MOST, until the next call; the cursor
 * stands behind them.  NULL where the file ends before, or can't be read.
 */
const unsigned char *cursor_take(struct cursor *, size_t n);

/* The same as a number of size bytes, at most 8. */
bool cursor_number(struct cursor *, size_t size, uint64_t *);

/* Pass over n bytes, which a regular file need not be read for. */
bool cursor_skip(struct cursor *, uint64_t n);

/*
 * May there be n things of at least size bytes each?  A number in a file
 * is a claim; nothing is done for it that the bytes left don't warrant.
 */
bool cursor_check(struct cursor *, uint64_t n, size_t size, const char *what);

/* Say what is wrong, at a byte, with the file and the key.  False. */
bool cursor_bad(struct cursor *, uint64_t at, const char *, ...)
    MESSAGE_FORMAT(3, 4);

#endif
