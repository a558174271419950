/* SPDX-License-Identifier: MIT */
/* The lanes of a run: one for each sequence and setting that goes on. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/lists.h"
#include "run.h"
#include "state.h"

/* Where the random numbers start: a seed, a saved state, --rng-state. */
static bool
start_generator(const struct options *o, struct sampler *s, struct error *err)
{
	const struct generator *g = o->sampling.generator;

	if (o->state != NULL &&
	    !state_resume_sampler(
	        o->state, s, o->reseeded, o->force_settings, err))
		return false;
	if (o->rng_state == NULL || rng_parse(g, o->rng_state, sampler_rng(s)))
		return true;
	return error_set(err, STATUS_USAGE,
	    "--rng-state: '%.32s%s' is no state of %s: %zu hexadecimal digits "
	    "are wanted%s",
	    o->rng_state, strlen(o->rng_state) > 32 ? "..." : "", g->name,
	    g->digits, g->limit);
}

/* Where an earlier run left off. */
static bool
resume(struct run *r, struct lane *l, struct error *err)
{
	const struct state *state = r->options.state;

	if (!start_generator(l->options, l->sampler, err))
		return false;
	if (state != NULL && !state_resume_history(state, &l->history, err))
		return false;
	l->stop = history_stop_before(&l->history);
	return true;
}

bool
run_begin_sequence(struct run *r, struct lane *lanes, struct error *err)
{
	const struct options *o = &r->options;
	const struct lane_world world = {.vocab = r->limit,
	    .show = (size_t)o->top,
	    .grammar = r->grammar,
	    .pieces = r->pieces};
	bool sweeps = o->sweep.size > 0;

	for (size_t i = 0; i < r->n_settings; i++) {
		lane_close(&lanes[i]);
		if (!lane_open(&lanes[i], sweeps ? &o->sweep.list[i] : o,
		        sweeps ? NULL : &o->temps.list[i], &world, err) ||
		    !resume(r, &lanes[i], err))
			return false;
	}
	r->n_begun++;
	return true;
}

/* Few settings, for they were typed or read; calloc() looks at the product. */
static bool
allocate(struct run *r, size_t at_a_time)
{
	size_t n = r->n_settings;

	r->lanes = calloc(at_a_time, n * sizeof(*r->lanes));
	r->n_lanes = r->lanes != NULL ? n * at_a_time : 0;
	r->samplers = calloc(n, sizeof(*r->samplers));
	r->shown = calloc(n, sizeof(*r->shown));
	r->expect = calloc(n, sizeof(*r->expect));
	r->tallies = calloc(n, sizeof(*r->tallies));
	return r->lanes != NULL && r->samplers != NULL && r->shown != NULL &&
	    r->expect != NULL && r->tallies != NULL;
}

/* The ids to compare with, and those to go on with. */
static bool
read_ids(struct run *r, struct error *err)
{
	const struct options *o = &r->options;

	if (o->expect != NULL &&
	    !lists_ids_file(o->expect, "--expect", &r->expected, err))
		return false;
	return o->history == NULL ||
	    lists_ids_file(o->history, "--history", &r->recorded, err);
}

/*
 * What was recorded for rows that are left out stands in the windows of their
 * sequences as a prompt does; a saved state has that already.
 */
static bool
recall(struct run *r, struct error *err)
{
	struct row first, row;
	struct lane *lanes;
	uint64_t n = 0;

	sequences_place(&r->sequences, r->skipped, 0, &first);
	if (r->sequences.steps > 0)
		r->n_begun = (uint64_t)first.sequence + 1;
	if (r->options.state == NULL)
		n = r->recorded.size < r->skipped ? r->recorded.size
		                                  : r->skipped;
	for (uint64_t i = 0; i < n; i++) {
		sequences_place(&r->sequences, i, 0, &row);
		if (r->sequences.steps > 0 && row.sequence != first.sequence)
			continue;
		lanes = &r->lanes[row.sequence %
		    sequences_at_a_time(&r->sequences) * r->n_settings];
		for (size_t k = 0; k < r->n_settings; k++)
			if (!lane_recall(&lanes[k], r->recorded.list[i], err))
				return false;
	}
	return true;
}

/* As many of the best as any setting of several takes. */
static bool
open_best(struct run *r, struct error *err)
{
	size_t most = 0, wants;

	for (size_t i = 0; r->n_settings > 1 && i < r->n_settings; i++) {
		wants = sampler_wants(r->lanes[i].sampler);
		if (wants > most)
			most = wants;
	}
	return best_open(&r->best, most, r->limit, err);
}

bool
run_open_lanes(struct run *r, struct error *err)
{
	struct options *o = &r->options;
	size_t at_a_time;

	r->sequences = (struct sequences){
	    (uint64_t)o->batch, (uint64_t)o->sequence_rows};
	at_a_time = (size_t)sequences_at_a_time(&r->sequences);
	r->n_settings = o->sweep.size > 0 ? o->sweep.size : o->temps.size;
	if (!allocate(r, at_a_time))
		return error_system(err, ENOMEM,
		    "%zu sequences at a time with %zu settings", at_a_time,
		    r->n_settings);
	for (size_t i = 0; i < r->n_lanes; i += r->n_settings)
		if (!run_begin_sequence(r, &r->lanes[i], err))
			return false;
	if (!open_best(r, err))
		return false;
	for (size_t i = 0; o->sweep_summary && i < r->n_settings; i++)
		if (!tally_open(&r->tallies[i], r->limit, err))
			return false;
	if (!read_ids(r, err) || !recall(r, err))
		return false;
	r->unsent = o->prompt;
	/* To the textbook an id of no token is a mistake. */
	return !o->sampling.policy->wide ||
	    history_check_ids(&o->prompt, &o->stop, r->limit, err);
}
