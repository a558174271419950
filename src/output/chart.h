/* SPDX-License-Identifier: MIT */
/* A figure by row as a chart: SVG inside HTML. */
#ifndef TOKPICK_CHART_H
#define TOKPICK_CHART_H

#include "html.h"
#include "points.h"

struct chart {
	const char *title; /* escaped; the rest is the program's own */
	const char *note;
	size_t figure;
	bool dots;        /* may each point have one, where there is room? */
	bool is_log;      /* the values' logarithms are shown; low > 0 */
	double low, high; /* what the vertical axis reaches over */
	const char *kind; /* a class for the style sheet */
};

/*
 * Draws the means as a line and, where a point is several rows, a band from
 * the least to the most behind it.  The drawing stretches to any width, so
 * that all that is text stands beside it.  first is the number of the first
 * row.
 */
void chart_write(
    struct html *, const struct points *, uint64_t first, const struct chart *);

/* Where rows are that have a figure other than 0: a mark for each point. */
void chart_marks(
    struct html *, const struct points *, uint64_t first, const struct chart *);

#endif
