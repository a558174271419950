/* SPDX-License-Identifier: MIT */
/* What a file says of its rows before the first of them. */
#ifndef TOKPICK_HEAD_H
#define TOKPICK_HEAD_H

#include <stddef.h>
#include <stdint.h>

#include "../message.h"
#include "dtype.h"

/* What the user has to say of it. */
struct head_choice {
	const char *tensor; /* which one to read; NULL: the only one */
	bool bf16;          /* values of 16 bits that have no type are BF16 */
	bool keep_floor;    /* log-probabilities: take code 0 as it is */
};

/*
 * What was recorded with the rows: the text that they are predictions of, in
 * sequences, of which the head says how long they are.
 */
struct recording {
	uint32_t *tokens; /* [sequences * length], or NULL */
	size_t length;    /* of a sequence, in tokens */
	size_t context;   /* those of them that stand before its first row */
};

/* All zero: raw rows, which say nothing. */
struct head {
	const struct head_format *format; /* NULL: raw rows */
	unsigned version;                 /* of the format, 0: has none */
	size_t vocab;
	enum dtype dtype;
	size_t row_size; /* in bytes, as are … */
	uint64_t start;  /* … what stands before the first row … */
	uint64_t size;   /* … and all rows */
	uint64_t rows;
	uint64_t steps; /* rows in a sequence, 0: it doesn't say */
	bool closed;    /* nothing follows the rows */
	struct recording recording;
};

/* A format: a file of its own, and a row in head.c. */
struct head_format {
	const char *name;
	/*
	 * How many bytes must be there to see that a file has this format;
	 * 0: those that are there, n of them, show that it hasn't.
	 */
	size_t (*tell)(const unsigned char *bytes, size_t n);
	/*
	 * Read the head of a file of that name, whose first bytes these are.
	 * If it sets *want to more than n, it is to be called again with as
	 * many; else the head is read.  False and err on failure.
	 */
	bool (*read)(const unsigned char *bytes, size_t n, const char *file,
	    const struct head_choice *, struct head *, size_t *want,
	    struct error *);
};

extern const struct head_format head_npy;
extern const struct head_format head_safetensors;
extern const struct head_format head_logits;

/*
 * Which format begins with those bytes?  NULL: none, or *want > n: with as
 * many one could tell.
 */
const struct head_format *head_tell(
    const unsigned char *bytes, size_t n, size_t *want);

void head_free(struct head *);

/*
 * The shape of an array is [sequence, row, value], or the last two, or one
 * row: n sizes; the head has their type.  Set what follows from that.
 */
bool head_set_shape(struct head *, const uint64_t *shape, size_t n,
    const char *file, struct error *);

/*
 * The id that was recorded behind a row, counted from 0 in its file, and the
 * tokens before its sequence; false if there is none.
 */
bool head_recorded(const struct head *, uint64_t row, uint32_t *id);
bool head_context(
    const struct head *, uint64_t sequence, const uint32_t **tokens, size_t *n);

#endif
