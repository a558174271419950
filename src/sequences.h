/* SPDX-License-Identifier: MIT */
/* Which sequence a row is of, where the rows are of several. */
#ifndef TOKPICK_SEQUENCES_H
#define TOKPICK_SEQUENCES_H

#include <stdbool.h>
#include <stdint.h>

#include "sampler/row.h"

/* Both 0: one sequence alone. */
struct sequences {
	uint64_t batch; /* so many take turns row by row, … */
	uint64_t steps; /* … or each is so many rows, one after the other */
};

static inline bool
sequences_are_several(const struct sequences *s)
{
	return s->batch > 0 || s->steps > 0;
}

/* How many of them go on at a time. */
static inline uint64_t
sequences_at_a_time(const struct sequences *s)
{
	return s->batch > 0 ? s->batch : 1;
}

/* Say it of a row: index counts from 0, base numbers the first step. */
static inline void
sequences_place(
    const struct sequences *s, uint64_t index, uint64_t base, struct row *row)
{
	row->step = index + base;
	row->sequence = 0;
	if (s->steps > 0) {
		row->sequence = (uint32_t)(index / s->steps);
		row->step = index % s->steps + base;
	} else if (s->batch > 0) {
		row->sequence = (uint32_t)(index % s->batch);
		row->step = index / s->batch + base;
	}
}

#endif
