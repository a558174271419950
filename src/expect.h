/* SPDX-License-Identifier: MIT */
/* Draws compared with recorded ids, as cmp compares files. */
#ifndef TOKPICK_EXPECT_H
#define TOKPICK_EXPECT_H

#include "history.h"
#include "sampler/sampler.h"

struct expect {
	const char *file; /* where the recorded ids come from */
	struct ids ids;   /* one a row */
	uint64_t compared;
	uint64_t agreed;
	char first[512]; /* the first difference, described */
};

/* The id recorded for the row that comes next, NULL if there is none. */
const uint32_t *expect_next(const struct expect *);

/* Compare one draw; the sampler still holds the row's distribution. */
void expect_row(struct expect *, const struct row *, const struct sampler *,
    const struct decision *);

/*
 * The verdict after all rows, of which there were that many: false and err
 * if any draw differed or the lengths do.  stopped: a stop rule fired, so
 * that recorded ids may be left over.
 */
bool expect_verdict(
    const struct expect *, uint64_t rows, bool stopped, struct error *);

#endif
