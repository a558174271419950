/* SPDX-License-Identifier: MIT */
/* Figures by row, thinned so that any number of rows fits. */
#include "points.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

bool
points_open(struct points *p, size_t figures, struct error *err)
{
	*p = (struct points){.figures = figures, .span = 1};
	if (figures <= SIZE_MAX / POINTS_MAX)
		p->ranges = calloc(POINTS_MAX * figures, sizeof(*p->ranges));
	if (p->ranges == NULL)
		return error_system(
		    err, ENOMEM, "%zu figures of a row", figures);
	return true;
}

void
points_close(struct points *p)
{
	free(p->ranges);
	p->ranges = NULL;
}

static void
merge(struct range *to, const struct range *from)
{
	to->sum += from->sum;
	if (from->least < to->least)
		to->least = from->least;
	if (from->most > to->most)
		to->most = from->most;
}

/* All points are whole when this is called. */
static void
halve(struct points *p)
{
	struct range *to = p->ranges;
	const struct range *from = p->ranges;
	size_t n = p->figures;

	p->size /= 2;
	p->span *= 2;
	for (size_t i = 0; i < p->size; i++, to += n, from += 2 * n) {
		memmove(to, from, n * sizeof(*to));
		for (size_t f = 0; f < n; f++)
			merge(&to[f], &from[n + f]);
	}
}

void
points_add(struct points *p, const double *figures)
{
	bool begins = p->rows % p->span == 0;
	struct range *at, one;

	/* POINTS_MAX is even: the row begins a point of the new span too. */
	if (begins && p->size == POINTS_MAX)
		halve(p);
	p->rows++;
	p->size += begins;
	at = p->ranges + (p->size - 1) * p->figures;
	for (size_t f = 0; f < p->figures; f++) {
		one = (struct range){figures[f], figures[f], figures[f]};
		if (begins)
			at[f] = one;
		else
			merge(&at[f], &one);
	}
}

uint64_t
points_rows(const struct points *p, size_t point)
{
	return point + 1 < p->size ? p->span : p->rows - p->span * point;
}

const struct range *
points_get(const struct points *p, size_t point, size_t figure)
{
	return &p->ranges[point * p->figures + figure];
}

double
points_mean(const struct points *p, size_t point, size_t figure)
{
	return points_get(p, point, figure)->sum /
	    (double)points_rows(p, point);
}

struct range
points_total(const struct points *p, size_t figure)
{
	struct range total = {0, 0, 0};

	if (p->size > 0)
		total = *points_get(p, 0, figure);
	for (size_t i = 1; i < p->size; i++)
		merge(&total, points_get(p, i, figure));
	return total;
}
