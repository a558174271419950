/* SPDX-License-Identifier: MIT */
/* tokpick: rows of next-token logits in, token ids out. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/help.h"
#include "cli/lists.h"
#include "cli/options.h"
#include "cli/print.h"
#include "cli/resume.h"
#include "constraint/mask.h"
#include "exec.h"
#include "expect.h"
#include "input/rows.h"
#include "output/summary.h"
#include "signals.h"
#include "state.h"
#include "state_file.h"
#include "vocab/breakers.h"

/* Everything a run holds; all zero before it is opened. */
struct run {
	struct options options;
	struct buffer out;
	struct before_read before_read;
	struct pieces *pieces;
	struct source *source;
	struct exec *exec; /* NULL without --exec */
	struct rows *rows;
	struct mask *mask; /* NULL without --mask */
	struct ids recorded;
	struct history history;
	uint32_t joined;           /* the last id that joined */
	struct ids unsent;         /* those that --exec has yet to be told */
	struct sampling *settings; /* [temperatures] */
	struct sampler **samplers; /* one for each, the first one draws */
	struct decision *drawn;    /* [draws] from the row at hand */
	struct expect expect;
	struct sink sink;
	int summary_fd;
	bool began;       /* was all opened, so that there is a state? */
	uint64_t earlier; /* rows drawn from in earlier runs */
	uint64_t n_rows;  /* read in this one */
	uint64_t n_drawn; /* drawn from in this one */
	enum stop stop;
};

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
	bool good;

	switch (r->options.action) {
	case ACTION_VERSION:
		good = help_version(out, err);
		break;
	case ACTION_HELP:
		good = help_full(out, err);
		break;
	case ACTION_COMPLETIONS:
		good = completions_write(
		    out, (enum shell)r->options.shell, err);
		break;
	default:
		good = help_brief(out, err);
		break;
	}
	return good && buffer_close(out, err);
}

/* A summary that can't be written is worth knowing of before the work. */
static bool
open_summary(struct run *r, struct error *err)
{
	const char *name = r->options.summary;

	r->summary_fd = STDERR_FILENO;
	if (name == NULL || strcmp(name, "-") == 0)
		return true;
	r->summary_fd = open(
	    name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (r->summary_fd < 0)
		return error_system(err, errno, "--summary: %s", name);
	return true;
}

/* The texts that dry stops at, as tokens; llama.cpp's where none is given. */
static bool
open_breakers(struct run *r, struct error *err)
{
	static char newline[] = "\\n", colon[] = ":", quote[] = "\"",
	            star[] = "*";
	static char *usual[] = {newline, colon, quote, star};
	struct options *o = &r->options;
	struct texts texts = o->breaker_texts;

	if (o->state == NULL && texts.size == 0 && o->breaker_ids.size == 0 &&
	    r->pieces != NULL && sampling_has(&o->sampling, &stage_dry))
		texts = (struct texts){usual, sizeof(usual) / sizeof(*usual)};
	for (size_t i = 0; i < texts.size; i++) {
		if (strcmp(texts.list[i], "none") == 0)
			continue;
		if (r->pieces == NULL)
			return error_set(err, STATUS_USAGE,
			    "--dry-sequence-breaker: a text needs --pieces; "
			    "--dry-breaker takes ids");
		if (!breakers_add(r->pieces, texts.list[i],
		        &o->sampling.breakers, &o->sampling.n_breakers, err))
			return false;
	}
	return true;
}

/* Where the random numbers start: a seed, a saved state, --rng-state. */
static bool
start_generator(struct run *r, struct sampler *s, struct error *err)
{
	struct options *o = &r->options;
	const struct generator *g = o->sampling.policy->generator;

	if (o->state != NULL &&
	    !state_resume_sampler(
	        o->state, s, o->reseeded, o->force_settings, err))
		return false;
	if (o->rng_state == NULL || rng_parse(g, o->rng_state, sampler_rng(s)))
		return true;
	return error_set(err, STATUS_USAGE,
	    "--rng-state: '%s' is no state of %s: %zu hexadecimal digits are "
	    "wanted",
	    o->rng_state, g->name, g->digits);
}

/* One sampler for each temperature: they share nothing. */
static bool
open_samplers(struct run *r, size_t vocab, struct error *err)
{
	struct options *o = &r->options;
	size_t n = o->temps.size;

	r->settings = calloc(n, sizeof(*r->settings));
	r->samplers = calloc(n, sizeof(*r->samplers));
	r->drawn = calloc((size_t)o->draws, sizeof(*r->drawn));
	if (r->settings == NULL || r->samplers == NULL || r->drawn == NULL)
		return error_system(err, ENOMEM, "the samplers");
	for (size_t i = 0; i < n; i++) {
		r->settings[i] = o->sampling;
		options_set_temp(&r->settings[i], &o->temps.list[i]);
		r->samplers[i] = sampler_new(
		    &r->settings[i], vocab, (size_t)o->top, err);
		if (r->samplers[i] == NULL ||
		    !start_generator(r, r->samplers[i], err))
			return false;
		for (size_t p = 0; p < o->prompt.size; p++)
			sampler_join(r->samplers[i], o->prompt.list[p]);
	}
	return true;
}

/* What the draws stand in: prompt, window, recorded ids. */
static bool
open_history(struct run *r, size_t vocab, struct error *err)
{
	struct options *o = &r->options;

	r->expect.file = o->expect;
	if (o->expect != NULL &&
	    !lists_ids_file(o->expect, "--expect", &r->expect.ids, err))
		return false;
	if (o->history != NULL &&
	    !lists_ids_file(o->history, "--history", &r->recorded, err))
		return false;
	if (!history_open(&r->history, vocab, o->sampling.repeat_last_n,
	        &o->prompt, &o->stop, err))
		return false;
	if (o->history != NULL)
		r->history.recorded = &r->recorded;
	r->unsent = o->prompt;
	if (o->state != NULL &&
	    !state_resume_history(o->state, &r->history, err))
		return false;
	/* To the textbook an id of no token is a mistake. */
	return !o->sampling.policy->wide ||
	    history_check_ids(&o->prompt, &o->stop, vocab, err);
}

/* The bytes of the rows: the model's, or those of the operands. */
static struct source *
open_source(struct run *r, struct error *err)
{
	struct options *o = &r->options;

	if (o->exec == NULL)
		return source_new(o->files, o->n_files,
		    (enum input_format)o->input, (int)o->max_window,
		    &r->before_read, err);
	r->exec = exec_start(
	    o->exec, o->exec_prefix == PREFIX_FULL, &r->out, err);
	return r->exec == NULL ? NULL : exec_source(r->exec, err);
}

static bool
open_input(struct run *r, size_t vocab, struct error *err)
{
	struct options *o = &r->options;

	r->before_read = (struct before_read){buffer_before_read, &r->out};
	r->source = open_source(r, err);
	if (r->source == NULL)
		return false;
	r->rows = rows_new(r->source, vocab, (enum dtype)o->dtype,
	    o->sampling.policy->wide, err);
	if (r->rows == NULL)
		return false;
	r->earlier = o->state != NULL ? o->state->rows : 0;
	rows_number_from(r->rows, r->earlier);
	if (o->mask == NULL)
		return true;
	r->mask = mask_open(
	    o->mask, vocab, (int)o->max_window, &r->before_read, err);
	return r->mask != NULL;
}

static bool
open_run(struct run *r, struct error *err)
{
	struct options *o = &r->options;
	size_t vocab = (size_t)o->vocab;

	if (vocab == 0)
		return error_set(err, STATUS_USAGE,
		    "raw rows carry no length: give --vocab N");
	if (o->output == OUTPUT_I32 && isatty(STDOUT_FILENO))
		return error_set(err, STATUS_USAGE,
		    "standard output is a terminal: --output i32 is bytes; "
		    "send it to a file or a pipe");
	if (!open_summary(r, err))
		return false;
	if (o->pieces != NULL &&
	    (r->pieces = pieces_read(o->pieces, err)) == NULL)
		return false;
	if (!open_breakers(r, err) || !resume_check(o, err) ||
	    !open_samplers(r, vocab, err) || !open_history(r, vocab, err))
		return false;
	r->sink = (struct sink){.format = (enum output_format)o->output,
	    .pieces = r->pieces,
	    .top = (size_t)o->top,
	    .buffer = &r->out,
	    .terminal = terminal_look(STDOUT_FILENO)};
	if (o->save_state != NULL && !state_file_check(o->save_state, err))
		return false;
	r->began = open_input(r, vocab, err);
	return r->began;
}

/* Look at the row, or draw from it and go on from there. */
static bool
decide_row(struct run *r, struct row *row, struct error *err)
{
	struct options *o = &r->options;
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
	for (size_t i = 0; i < shown.draws; i++)
		sampler_draw(r->samplers[0], &r->drawn[i]);
	if (!sink_write(&r->sink, &shown, err))
		return false;
	if (o->inspect)
		return true;
	if (o->expect != NULL)
		expect_row(&r->expect, row, r->samplers[0], &r->drawn[0]);
	sampler_accept(r->samplers[0], &r->drawn[0]);
	if (!history_add(
	        &r->history, r->drawn[0].id, &r->stop, &r->joined, err))
		return false;
	sampler_join(r->samplers[0], r->joined);
	r->unsent = (struct ids){&r->joined, 1};
	return true;
}

/* A row that comes to nothing leaves all as it was before it. */
static bool
try_row(struct run *r, struct row *row, struct error *err)
{
	sampler_mark(r->samplers[0]);
	r->n_rows = row->number - r->earlier;
	if (decide_row(r, row, err)) {
		r->n_drawn += !r->options.inspect;
		return true;
	}
	sampler_back(r->samplers[0]);
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

	r->stop = history_stop_before(&r->history);
	while (r->stop == STOP_NONE) {
		status = next_row(r, &row, err);
		if (status == ROWS_ERROR)
			return false;
		if (status == ROWS_END) {
			r->stop = STOP_END_OF_INPUT;
			break;
		}
		if (!try_row(r, &row, err))
			return false;
	}
	return r->stop != STOP_END_OF_INPUT || r->options.inspect ||
	    history_check_end(&r->history, err);
}

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

/* Whatever went wrong, what was drawn before it is written first. */
static bool
finish_output(struct run *r, bool good, struct error *err)
{
	struct error late;

	if (buffer_close(&r->out, &late))
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

	s = state_take(o->save_state, r->samplers[0], &r->history,
	    r->earlier + r->n_drawn, err);
	good = s != NULL && print_settings(o, &s->settings, err) &&
	    state_write(s, TOKPICK_VERSION, err);
	state_free(s);
	return good;
}

/*
 * After the output, and only if that went well: a state must not be ahead
 * of the ids that were written.  A bad row is no reason not to save the
 * state before it.
 */
static bool
finish_state(struct run *r, bool good, struct error *err)
{
	struct error late;

	if (r->options.save_state == NULL || !r->began || r->out.failed ||
	    (!good && err->status == STATUS_USAGE) || save_state(r, &late))
		return good;
	if (good)
		*err = late;
	else
		message_warn("the state is not saved: %s", late.text);
	return false;
}

static bool
finish_summary(struct run *r, bool good, struct error *err)
{
	struct options *o = &r->options;
	struct outcome outcome = {.rows = r->n_rows,
	    .stop = good ? r->stop : STOP_ERROR,
	    .error = good ? NULL : err,
	    .looped = r->exec != NULL,
	    .model_calls = r->exec != NULL ? exec_calls(r->exec) : 0,
	    .vocab = (size_t)o->vocab,
	    .settings = &o->sampling,
	    .history = &r->history,
	    .sampler = r->samplers != NULL ? r->samplers[0] : NULL};
	struct error late;
	bool written;

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

static void
free_run(struct run *r)
{
	rows_free(r->rows);
	source_free(r->source);
	exec_free(r->exec);
	mask_close(r->mask);
	pieces_free(r->pieces);
	for (size_t i = 0; r->samplers != NULL && i < r->options.temps.size;
	     i++)
		sampler_free(r->samplers[i]);
	free(r->samplers);
	free(r->settings);
	free(r->drawn);
	free(r->recorded.list);
	free(r->expect.ids.list);
	history_close(&r->history);
	options_free(&r->options);
}

static bool
run(struct run *r, struct error *err)
{
	bool good;

	if (r->options.action != ACTION_DRAW)
		return print_text(r, err);
	if (r->options.random_seed)
		message_warn("seed %" PRIu64, r->options.sampling.seed);
	good = open_run(r, err) && draw_all(r, err);
	good = finish_exec(r, good, err);
	good = finish_output(r, good, err);
	if (good && r->options.expect != NULL)
		good = expect_verdict(
		    &r->expect, r->n_rows, r->stop != STOP_END_OF_INPUT, err);
	good = finish_state(r, good, err);
	return finish_summary(r, good, err);
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
	free_run(&r);
	signals_die(); /* of the signal that was caught, if one was */
	return good ? STATUS_DONE : (int)err.status;
}
