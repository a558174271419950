/* SPDX-License-Identifier: MIT */
/* One row: weigh, draw, write, join; in each lane of its sequence. */
#include <inttypes.h>

#include "run.h"

/* Index of a row among those of the input, from 0. */
static uint64_t
index_of(const struct run *r, const struct row *row)
{
	return row->number - r->earlier - 1;
}

/* Where it stands among the sequences, whose numbers have 32 bits. */
static bool
place(struct run *r, struct row *row, struct error *err)
{
	const uint64_t index = index_of(r, row);
	const struct sequences *s = &r->sequences;
	const bool several = sequences_are_several(s);

	if (s->steps > 0 && index / s->steps > UINT32_MAX)
		return error_set(err, STATUS_FAILED,
		    "row %" PRIu64 ": it would be of sequence %" PRIu64
		    ", and the last has the number %" PRIu32
		    ": give what follows to another run",
		    row->number, index / s->steps, UINT32_MAX);
	sequences_place(s, index,
	    several ? (uint64_t)r->options.row_base : r->earlier + 1, row);
	return true;
}

/* The lanes of a row's sequence; with its first row it begins. */
static bool
find_lanes(struct run *r, const struct row *row, struct lane **lanes,
    struct error *err)
{
	uint64_t slot = row->sequence % sequences_at_a_time(&r->sequences);

	*lanes = &r->lanes[slot * r->n_settings];
	if (row->sequence < r->n_begun)
		return true;
	return run_begin_sequence(r, *lanes, err);
}

/* What the input has before a sequence, unless it is said otherwise. */
static bool
begin_with_context(
    struct run *r, struct lane *lanes, const struct row *row, struct error *err)
{
	const struct options *o = &r->options;

	if (o->no_history || o->history != NULL)
		return true;
	for (size_t i = 0; i < r->n_settings; i++)
		if (!lane_begin_with(
		        &lanes[i], row->context, row->n_context, err))
			return false;
	return true;
}

static bool
has_stopped(const struct run *r, const struct lane *lanes)
{
	for (size_t i = 0; i < r->n_settings; i++)
		if (lanes[i].stop == STOP_NONE)
			return false;
	return true;
}

/* Is there an id recorded for the row that was drawn from? */
static bool
check_recorded(const struct run *r, const struct row *row, struct error *err)
{
	if (r->options.history == NULL ||
	    index_of(r, row) < (uint64_t)r->recorded.size)
		return true;
	return error_set(err, STATUS_FAILED,
	    "--history: %zu ids are recorded, row %" PRIu64
	    " has none: one a row is wanted",
	    r->recorded.size, row->number);
}

bool
run_check_recorded(const struct run *r, struct error *err)
{
	if (r->options.history == NULL ||
	    r->skipped + r->n_rows >= (uint64_t)r->recorded.size)
		return true;
	return error_set(err, STATUS_FAILED,
	    "--history: %zu ids are recorded, the input has %" PRIu64
	    " rows: one id a row is wanted",
	    r->recorded.size, r->skipped + r->n_rows);
}

/* What there is to write of a lane. */
static void
show(struct run *r, struct lane *l, size_t i, const struct row *row)
{
	const struct options *o = &r->options;

	r->samplers[i] = l->sampler;
	r->shown[i] = (struct shown){.row = row,
	    .samplers = &r->samplers[i],
	    .temps = o->temps.list,
	    .n_samplers = 1,
	    .drawn = l->drawn,
	    .draws = l->has_drawn ? (size_t)o->draws : 0,
	    .prefix = l->history.prompt + l->history.tokens};
}

/* Several temperatures stand side by side. */
static bool
look(
    struct run *r, struct lane *lanes, const struct row *row, struct error *err)
{
	for (size_t i = 0; i < r->n_settings; i++) {
		if (!lane_look(&lanes[i], row, err))
			return false;
		show(r, &lanes[i], i, row);
		if (lanes[i].stop != STOP_NONE)
			return true;
	}
	r->shown[0].n_samplers = r->n_settings;
	return sink_write(&r->sink, r->shown, 1, err);
}

/* The id that joins: the one drawn, or the one recorded in its place. */
static uint32_t
joins(const struct run *r, const struct lane *l, const struct row *row)
{
	if (r->options.history != NULL)
		return r->recorded.list[index_of(r, row)];
	return row->is_recorded && !r->options.no_history ? row->recorded
	                                                  : l->drawn[0].id;
}

static bool
draw(
    struct run *r, struct lane *lanes, const struct row *row, struct error *err)
{
	bool any = false;

	for (size_t i = 0; i < r->n_settings; i++) {
		lanes[i].has_drawn = false;
		if (lanes[i].stop == STOP_NONE &&
		    !lane_draw(&lanes[i], row, err))
			return false;
		if (lanes[i].has_drawn &&
		    (!check_recorded(r, row, err) ||
		        !lane_follow(
		            &lanes[i], row, joins(r, &lanes[i], row), err)))
			return false;
		any |= lanes[i].has_drawn;
		show(r, &lanes[i], i, row);
	}
	return !any || r->options.sweep_summary ||
	    sink_write(&r->sink, r->shown, r->n_settings, err);
}

/* What was drawn and written becomes part of each conversation. */
static void
join(struct run *r, struct lane *lanes, const struct row *row)
{
	uint64_t index = index_of(r, row);
	const uint32_t *expected = index < r->expected.size
	    ? &r->expected.list[index]
	    : NULL;

	for (size_t i = 0; i < r->n_settings; i++) {
		if (!lanes[i].has_drawn)
			continue;
		if (r->options.report != NULL)
			report_add(&r->report, &r->shown[i], expected);
		if (r->options.sweep_summary)
			tally_row(&r->tallies[i], lanes[i].sampler,
			    &lanes[i].drawn[0]);
		if (expected != NULL)
			expect_row(&r->expect[i], row, lanes[i].sampler,
			    &lanes[i].drawn[0], *expected);
		r->joined = joins(r, &lanes[i], row);
		lane_join(&lanes[i], r->joined);
		r->n_drawn++;
	}
	r->unsent = (struct ids){&r->joined, 1};
}

static bool
decide(struct run *r, struct lane *lanes, struct row *row, struct error *err)
{
	bool inspect = r->options.inspect;

	/* A mask a row, also for one that is passed over. */
	if (r->mask != NULL &&
	    !mask_next(r->mask, row->number, &row->mask, err))
		return false;
	if (inspect)
		return look(r, lanes, row, err);
	if (has_stopped(r, lanes))
		return true;
	if (!best_find(&r->best, row, err))
		return false;
	if (!draw(r, lanes, row, err))
		return false;
	join(r, lanes, row);
	return true;
}

/* A run stops with its conversations, if no others can follow. */
static void
set_stop(struct run *r)
{
	if (r->sequences.steps > 0)
		return;
	for (size_t i = 0; i < r->n_lanes; i++)
		if (r->lanes[i].stop == STOP_NONE)
			return;
	r->stop = r->lanes[0].stop;
}

bool
run_row(struct run *r, struct row *row, struct error *err)
{
	struct lane *lanes;
	bool good;

	row->size = r->limit; /* what pads it may be anything */
	r->n_rows = row->number - r->earlier - r->skipped;
	if (!place(r, row, err) || !find_lanes(r, row, &lanes, err) ||
	    (row->n_context > 0 && !begin_with_context(r, lanes, row, err)))
		return false;
	for (size_t i = 0; i < r->n_settings; i++)
		sampler_mark(lanes[i].sampler);
	good = decide(r, lanes, row, err);
	for (size_t i = 0; i < r->n_settings; i++)
		if (!good || lanes[i].stop == STOP_DEAD_END)
			sampler_back(lanes[i].sampler);
	set_stop(r);
	return good;
}
