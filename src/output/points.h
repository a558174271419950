/* SPDX-License-Identifier: MIT */
/* Figures by row, thinned so that any number of rows fits. */
#ifndef TOKPICK_POINTS_H
#define TOKPICK_POINTS_H

#include <stddef.h>
#include <stdint.h>

#include "../message.h"

/* Even: they are merged in pairs. */
enum { POINTS_MAX = 1000 };

/* What is kept of a figure where a point stands for several rows. */
struct range {
	double least, sum, most;
};

/*
 * Each row has so many figures.  Up to POINTS_MAX rows are a point each;
 * when one more comes pairs of points are merged, so that each stands for
 * twice as many rows as before and the memory stays the same.  Nothing is
 * left out: every row is in one point's least, sum and most.
 */
struct points {
	size_t figures;
	uint64_t rows;
	uint64_t span; /* rows of a point; the last may have fewer */
	size_t size;
	struct range *ranges; /* [POINTS_MAX][figures] */
};

bool points_open(struct points *, size_t figures, struct error *);
void points_close(struct points *);

/* Add a row: [figures]. */
void points_add(struct points *, const double *figures);

/* How many rows a point stands for. */
uint64_t points_rows(const struct points *, size_t point);

const struct range *points_get(
    const struct points *, size_t point, size_t figure);
double points_mean(const struct points *, size_t point, size_t figure);

/* The same over all rows; all zero where there are none. */
struct range points_total(const struct points *, size_t figure);

#endif
