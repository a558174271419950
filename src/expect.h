/* SPDX-License-Identifier: MIT */
/* Draws compared with recorded ids, as cmp compares files. */
#ifndef TOKPICK_EXPECT_H
#define TOKPICK_EXPECT_H

#include "history.h"
#include "sampler/sampler.h"

/* What came of it so far, all zero at first. */
struct expect {
	uint64_t compared;
	uint64_t agreed;
	char first[512]; /* the first difference, described */
};

/* Compare one draw; the sampler still holds the row's distribution. */
void expect_row(struct expect *, const struct row *, const struct sampler *,
    const struct decision *, uint32_t recorded);

/*
 * The verdict after all rows, of which there were that many, and so many
 * recorded ids in the file: false and err if any draw differed or the numbers
 * do.  stopped: a stop rule fired, so that recorded ids may be left over.
 */
bool expect_verdict(const struct expect *, const char *file, size_t recorded,
    uint64_t rows, bool stopped, struct error *);

#endif
