/* SPDX-License-Identifier: MIT */
/* What a run does last: the model, the output, the state, the summary. */
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "cli/help.h"
#include "cli/print.h"
#include "output/summary.h"
#include "run.h"
#include "state.h"

/* Let the model go; it may take its time, so what was drawn is written. */
static bool
finish_exec(struct run *r, bool good, struct error *err)
{
	if (r->exec == NULL)
		return good;
	good = good && buffer_flush(&r->out, err) &&
	    exec_finish(r->exec, rows_ahead(r->rows), err);
	exec_abandon(r->exec);
	return good;
}

/* In place of ids, what the settings of a sweep drew. */
static bool
write_tallies(struct run *r, struct error *err)
{
	const struct options *o = &r->options;

	return !o->sweep_summary || !r->began ||
	    tally_write(&r->out, r->tallies, o->sweep.lines,
	        o->expect != NULL ? r->expect : NULL, r->n_settings, err);
}

/* Whatever went wrong, what was drawn before it is written first. */
static bool
finish_output(struct run *r, bool good, struct error *err)
{
	struct error late;

	if (write_tallies(r, &late) && buffer_close(&r->out, &late))
		return good;
	if (good)
		*err = late;
	return false;
}

static bool
save_state(struct run *r, struct error *err)
{
	struct options *o = &r->options;
	struct state *s;
	bool good;

	s = state_take(o->save_state, r->lanes[0].sampler, &r->lanes[0].history,
	    r->earlier - (uint64_t)(o->row_base - 1) + r->skipped + r->n_drawn,
	    err);
	good = s != NULL && print_settings(o, &s->settings, err) &&
	    state_write(s, TOKPICK_VERSION, err);
	state_free(s);
	return good;
}

/* A bad row is no reason to write less of what was before it. */
static bool
has_something_to_tell(const struct run *r, bool good, const struct error *err)
{
	return r->began && (good || err->status != STATUS_USAGE);
}

/*
 * After the output, and only if that went well: a state must not be ahead
 * of the ids that were written.
 */
static bool
finish_state(struct run *r, bool good, struct error *err)
{
	struct error late;

	if (r->options.save_state == NULL || r->out.failed ||
	    !has_something_to_tell(r, good, err) || save_state(r, &late))
		return good;
	if (good)
		*err = late;
	else
		message_warn("the state is not saved: %s", late.text);
	return false;
}

/* Of an error it tells too. */
static bool
finish_report(struct run *r, bool good, struct error *err)
{
	struct error late;

	if (r->options.report == NULL || !has_something_to_tell(r, good, err) ||
	    run_report_write(r, good ? NULL : err, &late))
		return good;
	if (good)
		*err = late;
	else
		message_warn("the report is not written: %s", late.text);
	return false;
}

static bool
finish_summary(struct run *r, bool good, struct error *err)
{
	struct options *o = &r->options;
	bool opened = r->lanes != NULL && r->lanes[0].sampler != NULL;
	struct outcome outcome = {.rows = r->n_rows,
	    .stop = good ? r->stop : STOP_ERROR,
	    .error = good ? NULL : err,
	    .looped = r->exec != NULL,
	    .model_calls = r->exec != NULL ? exec_calls(r->exec) : 0,
	    .vocab = (size_t)o->vocab,
	    .limit = options_limit(o),
	    .settings = opened ? &r->lanes[0].settings : &o->sampling,
	    .prompt = o->prompt.size,
	    .tokens = r->n_drawn};
	struct error late;
	bool written;

	if (sequences_are_several(&r->sequences)) {
		outcome.sequences = r->n_begun;
	} else if (opened) {
		outcome.prompt = r->lanes[0].history.prompt;
		outcome.tokens = r->lanes[0].history.tokens;
		outcome.sampler = r->lanes[0].sampler;
	}
	message_note("%" PRIu64 " rows read, %" PRIu64 " tokens drawn, %s",
	    r->n_rows, r->n_drawn, stop_name(outcome.stop));
	if (o->summary == NULL || r->summary_fd < 0)
		return good;
	buffer_open(&r->out, r->summary_fd, o->summary);
	written = summary_write(&r->out, &outcome, &late) &&
	    (r->summary_fd == STDERR_FILENO ? buffer_flush(&r->out, &late)
	                                    : buffer_close(&r->out, &late));
	if (good && !written)
		*err = late;
	return good && written;
}

bool
run_finish(struct run *r, bool good, struct error *err)
{
	good = finish_exec(r, good, err);
	good = finish_output(r, good, err);
	if (good && r->options.expect != NULL && r->options.sweep.size == 0)
		good = expect_verdict(&r->expect[0], r->options.expect,
		    r->expected.size,
		    r->skipped + r->n_rows - (r->stop == STOP_DEAD_END),
		    r->stop != STOP_END_OF_INPUT, err);
	good = finish_state(r, good, err);
	good = finish_report(r, good, err);
	return finish_summary(r, good, err);
}
