/* SPDX-License-Identifier: MIT */
/* What a run's draws were like, gathered row by row. */
#include "report.h"

#include <errno.h>
#include <stdlib.h>

bool
report_open(struct report *r, const struct sampler *s,
    const struct pieces *pieces, bool expects, struct error *err)
{
	size_t steps = sampler_steps(s);

	*r = (struct report){
	    .pieces = pieces, .expects = expects, .steps = steps};
	if (!points_open(&r->points, FIGURE_STEPS + steps, err))
		return false;
	/* calloc() of none may be NULL. */
	r->names = calloc(steps + 1, sizeof(*r->names));
	r->figures = calloc(FIGURE_STEPS + steps, sizeof(*r->figures));
	r->tokens = calloc((size_t)2 * REPORT_TEXT, sizeof(*r->tokens));
	if (r->names == NULL || r->figures == NULL || r->tokens == NULL)
		return error_system(err, ENOMEM, "--report");
	for (size_t i = 0; i < steps; i++)
		trace_step_name(s, i, r->names[i]);
	return true;
}

void
report_close(struct report *r)
{
	points_close(&r->points);
	free(r->names);
	free(r->figures);
	free(r->tokens);
	*r = (struct report){0};
}

/* The first rows stay in the first half, the last go round in the other. */
static size_t
place_of(uint64_t i)
{
	if (i < REPORT_TEXT)
		return (size_t)i;
	return REPORT_TEXT + (size_t)(i % REPORT_TEXT);
}

const struct report_token *
report_token(const struct report *r, uint64_t i)
{
	uint64_t rows = r->points.rows;

	if (i >= REPORT_TEXT && i + REPORT_TEXT < rows)
		return NULL;
	return &r->tokens[place_of(i)];
}

void
report_add(
    struct report *r, const struct shown *shown, const uint32_t *recorded)
{
	const struct sampler *s = shown->samplers[0];
	const struct decision *d = &shown->drawn[0];
	struct report_token t = {
	    .id = d->id, .p = d->p, .rank = trace_rank(shown->row, d->id)};

	if (r->points.rows == 0)
		r->first = shown->row->number;
	if (recorded != NULL) {
		r->compared++;
		t.recorded = *recorded;
		t.differs = *recorded != d->id;
	}
	r->likeliest += t.rank == 1;
	r->tokens[place_of(r->points.rows)] = t;
	r->figures[FIGURE_ENTROPY] = trace_entropy(s);
	r->figures[FIGURE_P] = t.p;
	r->figures[FIGURE_RANK] = (double)t.rank;
	r->figures[FIGURE_DIFFERS] = t.differs;
	for (size_t i = 0; i < r->steps; i++)
		r->figures[FIGURE_STEPS + i] = (double)sampler_step(s, i).left;
	points_add(&r->points, r->figures);
}
