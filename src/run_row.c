/* SPDX-License-Identifier: MIT */
/* One row: weigh, draw, write, join. */
#include <inttypes.h>

#include "run.h"

/* No token can come next: that is an error, the end, or let pass. */
static bool
meet_dead_end(struct run *r, const struct row *row, struct error *err)
{
	switch (r->options.dead_end) {
	case DEAD_END_STOP:
		r->stop = STOP_DEAD_END;
		return true;
	case DEAD_END_DRAW:
		return true;
	default:
		return error_set(err, STATUS_FAILED,
		    "row %" PRIu64 ": no token that can be drawn is inside the "
		    "grammar: --dead-end stop would end here, --dead-end draw "
		    "go on without it",
		    row->number);
	}
}

/* The distributions, inside the grammar where there is one. */
static bool
look(struct run *r, const struct row *row, struct error *err)
{
	bool dead_end = false;

	if (r->constraint == NULL)
		return true;
	for (size_t i = 0; i < r->options.temps.size && !dead_end; i++)
		if (!sampler_confine(r->samplers[i], &dead_end, err))
			return false;
	return !dead_end || meet_dead_end(r, row, err);
}

/* The draws; the first of them that can be none decides. */
static bool
draw(struct run *r, const struct row *row, size_t draws, struct error *err)
{
	for (size_t i = 0; i < draws && r->stop == STOP_NONE; i++) {
		if (!sampler_draw(r->samplers[0], &r->drawn[i], err))
			return false;
		if (r->drawn[i].dead_end && !meet_dead_end(r, row, err))
			return false;
	}
	return true;
}

/* The grammar moves on with the token that joins; a dead end stays one. */
static bool
follow(struct run *r, const struct row *row, struct error *err)
{
	uint32_t id = history_next(&r->history, r->drawn[0].id);
	bool allowed;

	if (r->constraint == NULL || r->drawn[0].dead_end)
		return true;
	if (!constraint_ask(r->constraint, id, &allowed, err))
		return false;
	if (!allowed)
		return error_set(err, STATUS_FAILED,
		    "row %" PRIu64 ": --history: token %" PRIu32
		    " is outside the grammar",
		    row->number, id);
	return constraint_accept(r->constraint, id, err);
}

static bool
decide(struct run *r, struct row *row, struct error *err)
{
	struct options *o = &r->options;
	struct sampler *s = r->samplers[0];
	struct shown shown = {.row = row,
	    .samplers = r->samplers,
	    .temps = o->temps.list,
	    .n_samplers = o->temps.size,
	    .drawn = r->drawn,
	    .draws = o->inspect ? 0 : (size_t)o->draws,
	    .prefix = r->history.prompt + r->history.tokens};

	if (!o->inspect && !history_check_next(&r->history, err))
		return false;
	if (r->mask != NULL &&
	    !mask_next(r->mask, row->number, &row->mask, err))
		return false;
	for (size_t i = 0; i < o->temps.size; i++)
		if (!sampler_weigh(r->samplers[i], row, r->history.window, err))
			return false;
	if (!(o->inspect ? look(r, row, err) : draw(r, row, shown.draws, err)))
		return false;
	if (r->stop != STOP_NONE)
		return true;
	if (o->inspect)
		return sink_write(&r->sink, &shown, err);
	if (!follow(r, row, err) || !sink_write(&r->sink, &shown, err))
		return false;
	if (o->expect != NULL)
		expect_row(&r->expect, row, s, &r->drawn[0]);
	sampler_accept(s, &r->drawn[0]);
	if (!history_add(
	        &r->history, r->drawn[0].id, &r->stop, &r->joined, err))
		return false;
	sampler_join(s, r->joined);
	r->unsent = (struct ids){&r->joined, 1};
	return true;
}

bool
run_row(struct run *r, struct row *row, struct error *err)
{
	bool good;

	row->size = r->limit; /* what pads it may be anything */
	sampler_mark(r->samplers[0]);
	r->n_rows = row->number - r->earlier;
	good = decide(r, row, err);
	if (good && r->stop != STOP_DEAD_END)
		r->n_drawn += !r->options.inspect;
	else
		sampler_back(r->samplers[0]);
	return good;
}
