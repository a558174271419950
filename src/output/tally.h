/* SPDX-License-Identifier: MIT */
/* What a setting of a sweep drew, in a few numbers. */
#ifndef TOKPICK_TALLY_H
#define TOKPICK_TALLY_H

#include "../expect.h"
#include "sink.h"

/* All zero before the first row. */
struct tally {
	uint64_t rows;
	double entropy;  /* sums over the rows … */
	double kept;     /* … of tokens left to draw from */
	double logprob;  /* … of those drawn */
	uint32_t *drawn; /* bit id % 32 of word id / 32 */
	uint64_t distinct;
};

/* Room for ids below vocab.  False and err if there is no memory. */
bool tally_open(struct tally *, size_t vocab, struct error *);
void tally_close(struct tally *);

/* Count a row in; the sampler still holds its distribution. */
void tally_row(struct tally *, const struct sampler *, const struct decision *);

/*
 * Add a table to the buffer, TABs between columns: a heading, then a line
 * for each of n settings, written as lines has it.  expect may be NULL.
 */
bool tally_write(struct buffer *, const struct tally *, char *const *lines,
    const struct expect *, size_t n, struct error *);

#endif
