/* SPDX-License-Identifier: MIT */
/* tokpick: rows of next-token logits in, token ids out. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <unistd.h>

#include "cli/help.h"
#include "cli/model.h"
#include "output/model.h"
#include "run.h"
#include "sandbox.h"
#include "signals.h"

/*
 * A descriptor that the parent left closed would be given to the first file
 * opened, and a message meant for a person end in it.  The stand-in fails
 * as the closed one would: standard input can't be read, the others can't
 * be written.
 */
static bool
hold_standard_descriptors(void)
{
	for (int fd = 0; fd <= 2; fd++) {
		if (fcntl(fd, F_GETFD) != -1 || errno != EBADF)
			continue;
		if (open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY) != fd)
			return false;
	}
	return true;
}

/* --help and its like: print and be done. */
static bool
print_text(struct run *r, struct error *err)
{
	struct buffer *out = &r->out;
	struct error late;
	bool good;

	switch (r->options.action) {
	case ACTION_INFO:
		good = run_info(r, err);
		break;
	case ACTION_SHOW_MODEL:
		good = model_write(out, r->options.model, r->options.gguf, err);
		break;
	default:
		good = help_write(out, &r->options, err);
		break;
	}
	if (good)
		return buffer_close(out, err);
	buffer_close(out, &late); /* what there was to say before that */
	return false;
}

/* The next row; a model is asked for it. */
static enum rows_status
next_row(struct run *r, struct row *row, struct error *err)
{
	enum rows_status status;

	if (r->exec == NULL)
		return rows_next(r->rows, row, err);
	/* Nothing drawn, nothing to go on with: --inspect sees one row. */
	if (r->options.inspect && exec_calls(r->exec) > 0)
		return ROWS_END;
	if (!exec_send(r->exec, &r->unsent, rows_ahead(r->rows), err))
		return ROWS_ERROR;
	status = rows_next(r->rows, row, err);
	if (status == ROWS_ROW)
		return ROWS_ROW;
	exec_no_row(r->exec, status == ROWS_END, err);
	return ROWS_ERROR;
}

/* The whole program: next row, pick, write, stop? */
static bool
draw_all(struct run *r, struct error *err)
{
	enum rows_status status;
	struct row row;

	run_progress_begin(r);
	r->stop = r->lanes[0].stop;
	while (r->stop == STOP_NONE) {
		if (signals_caught() != 0)
			return signals_error(err);
		status = next_row(r, &row, err);
		if (status == ROWS_ERROR)
			return false;
		if (status == ROWS_END) {
			r->stop = STOP_END_OF_INPUT;
			break;
		}
		if (!run_row(r, &row, err))
			return false;
		run_progress(r);
		if (r->options.inspect &&
		    history_enough(&r->lanes[0].history, r->n_rows))
			r->stop = STOP_TOKEN_LIMIT;
		if (r->stop == STOP_NONE &&
		    r->skipped + r->n_rows == (uint64_t)r->options.last_row)
			r->stop = STOP_LAST_ROW;
	}
	return r->stop != STOP_END_OF_INPUT || r->options.inspect ||
	    run_check_recorded(r, err);
}

/* Behind the model's start, as that keeps its own; before that of threads. */
static void
give_up_rights(const struct run *r)
{
	const struct options *o = &r->options;

	sandbox_enter(&(struct sandbox){
	    .to_read = o->files,
	    .n_to_read = o->exec == NULL ? o->n_files : 0,
	    .mask = o->mask,
	    .to_write = {o->save_state, o->report},
	    .child = o->exec != NULL,
	});
}

static bool
run(struct run *r, struct error *err)
{
	bool good;

	if (r->options.action != ACTION_DRAW)
		return print_text(r, err);
	if (r->options.random_seed)
		message_warn("seed %" PRIu64, r->options.sampling.seed);
	signals_catch_usr1();
	good = run_open(r, err);
	if (good) {
		give_up_rights(r);
		good = run_open_input(r, err) && draw_all(r, err);
	}
	if (!good)
		model_blame(&r->options, err);
	run_progress_end(r);
	return run_finish(r, good, err);
}

int
main(int argc, char **argv)
{
	static struct run r;
	struct error err;
	bool good;

	/* Before anything is opened. */
	if (!hold_standard_descriptors())
		return STATUS_FAILED;
	buffer_open(&r.out, STDOUT_FILENO, "standard output");
	r.summary_fd = -1;

	good = options_parse(&r.options, argc, argv, &err) && run(&r, &err);
	if (!good && signals_caught() == 0)
		message_error(&err);
	run_free(&r);
	signals_die(); /* of the signal that was caught, if one was */
	return good ? STATUS_DONE : (int)err.status;
}
