/* SPDX-License-Identifier: MIT */
/* What a run tells of its progress. */
#include "run.h"
#include "signals.h"

/* A look at the clock takes longer than a short row: not at each of them. */
enum { LOOK_BYTES = 64 * 1024 };

static uint64_t
bytes_of_rows(const struct run *r)
{
	return r->n_rows * dtype_row_size(r->dtype, (size_t)r->options.vocab);
}

/* What part is done: of the input, or of the tokens if they end it first. */
static double
part_done(const struct run *r)
{
	double part = 0, drawn;

	if (r->input_size > 0)
		part = (double)source_offset(r->source) / (double)r->input_size;
	if (r->options.stop.predict > 0) {
		drawn = (double)r->n_rows / (double)r->options.stop.predict;
		part = drawn > part ? drawn : part;
	}
	return part < 1 ? part : 1;
}

static struct progress_count
count(const struct run *r)
{
	return (struct progress_count){
	    r->n_rows, bytes_of_rows(r), part_done(r)};
}

void
run_progress_begin(struct run *r)
{
	const struct options *o = &r->options;

	if (r->exec == NULL)
		r->input_size = source_size(r->source);
	progress_begin(&r->progress, o->progress,
	    o->no_progress || (o->quiet && !o->progress));
}

/* Tell what is due or asked for. */
static void
look(struct run *r)
{
	struct progress_count now;

	if (signals_asked()) {
		now = count(r);
		progress_answer(&r->progress, &now);
	} else if (progress_is_due(&r->progress)) {
		now = count(r);
		progress_tell(&r->progress, &now);
	}
	r->looked_at = bytes_of_rows(r);
}

void
run_progress(struct run *r)
{
	if (bytes_of_rows(r) - r->looked_at >= LOOK_BYTES)
		look(r);
}

bool
run_before_read(void *run, int fd, struct error *err)
{
	struct run *r = run;

	/* The head of a file is read before there is any progress. */
	if (r->began)
		look(r);
	return buffer_before_read(&r->out, fd, err);
}

void
run_progress_end(struct run *r)
{
	struct progress_count now;

	if (!r->began)
		return;
	now = count(r);
	progress_end(&r->progress, &now);
}
