/* SPDX-License-Identifier: MIT */
/* What a run holds, opened and freed. */
#if !defined(_FILE_OFFSET_BITS) && !defined(__LP64__)
#define _FILE_OFFSET_BITS 64 /* files above 2 GiB on 32 bits */
#endif
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clash.h"
#include "cli/lists.h"
#include "cli/resume.h"
#include "run.h"
#include "signals.h"
#include "state.h"
#include "vocab/breakers.h"
#include "vocab/decode.h"
#include "whole_file.h"

/* A summary that can't be written is worth knowing of before the work. */
static bool
open_summary(struct run *r, struct error *err)
{
	const char *name = r->options.summary;

	r->summary_fd = STDERR_FILENO;
	if (name == NULL || strcmp(name, "-") == 0)
		return true;
	do
		r->summary_fd = open(
		    name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	while (r->summary_fd < 0 && errno == EINTR);
	if (r->summary_fd < 0)
		return error_system(err, errno, "--summary: %s", name);
	return true;
}

/* The texts that dry stops at, as tokens; llama.cpp's where none is given. */
static bool
open_breakers(const struct run *r, struct options *o, struct error *err)
{
	static char newline[] = "\\n", colon[] = ":", quote[] = "\"",
	            star[] = "*";
	static char *usual[] = {newline, colon, quote, star};
	struct texts texts = o->breaker_texts;

	if (o->state == NULL && texts.size == 0 && o->breaker_ids.size == 0 &&
	    r->pieces != NULL && sampling_has(&o->sampling, &stage_dry))
		texts = (struct texts){usual, sizeof(usual) / sizeof(*usual)};
	for (size_t i = 0; i < texts.size; i++) {
		if (strcmp(texts.list[i], "none") == 0)
			continue;
		if (r->pieces == NULL)
			return error_set(err, STATUS_USAGE,
			    "--dry-sequence-breaker: a text needs --pieces "
			    "or --gguf; "
			    "--dry-breaker takes ids");
		if (!breakers_add(r->pieces, texts.list[i],
		        &o->sampling.breakers, &o->sampling.n_breakers, err))
			return false;
	}
	return true;
}

/* The same for each setting of a sweep, which has been told of them too. */
static bool
open_all_breakers(struct run *r, struct error *err)
{
	struct options *o = &r->options;

	for (size_t i = 0; i < o->sweep.size; i++)
		if (!open_breakers(r, &o->sweep.list[i], err))
			return false;
	return open_breakers(r, o, err);
}

/* What is listed goes before what the model has. */
static bool
open_pieces(struct run *r, struct error *err)
{
	struct options *o = &r->options;

	if (o->pieces != NULL)
		r->pieces = pieces_read(o->pieces, err);
	else if (o->model != NULL && gguf_tokens(o->model) > 0)
		r->pieces = decode_pieces(o->model, err);
	else if (o->output == OUTPUT_TEXT || options_have_grammar(o))
		return error_set(err, STATUS_USAGE,
		    "%s: %s has no tokenizer.ggml.tokens: give the "
		    "pieces with --pieces FILE",
		    o->output == OUTPUT_TEXT ? "--output text" : "a grammar",
		    o->gguf);
	else
		return true;
	return r->pieces != NULL;
}

bool
run_open(struct run *r, struct error *err)
{
	struct options *o = &r->options;

	r->before_read = (struct before_read){run_before_read, r};
	if (o->output == OUTPUT_I32 && isatty(STDOUT_FILENO))
		return error_set(err, STATUS_USAGE,
		    "standard output is a terminal: --output i32 is bytes; "
		    "send it to a file or a pipe");
	if (!clash_check(o, err) || !open_summary(r, err))
		return false;
	if (!run_find_vocab(r, err))
		return false;
	r->limit = options_limit(o);
	if (!open_pieces(r, err) || !open_all_breakers(r, err) ||
	    !resume_check(o, err) || !run_open_grammar(r, err) ||
	    !run_open_lanes(r, err))
		return false;
	r->sink = (struct sink){.format = (enum output_format)o->output,
	    .pieces = r->pieces,
	    .top = (size_t)o->top,
	    .buffer = &r->out,
	    .sequences = sequences_are_several(&r->sequences),
	    .settings = o->sweep.size > 0,
	    .terminal = terminal_look(STDOUT_FILENO)};
	if (o->save_state != NULL && !whole_file_check(o->save_state, err))
		return false;
	if (o->report != NULL && !run_report_open(r, err))
		return false;
	/* What came before may be left as it is; from here on nothing may. */
	signals_catch();
	return run_start_model(r, err);
}

void
run_free(struct run *r)
{
	rows_free(r->rows);
	source_free(r->source);
	exec_free(r->exec);
	mask_close(r->mask);
	for (size_t i = 0; i < r->n_lanes; i++)
		lane_close(&r->lanes[i]);
	free(r->lanes);
	grammar_free(r->grammar);
	pieces_free(r->pieces);
	free(r->samplers);
	free(r->shown);
	free(r->expect);
	best_close(&r->best);
	for (size_t i = 0; r->tallies != NULL && i < r->n_settings; i++)
		tally_close(&r->tallies[i]);
	free(r->tallies);
	free(r->recorded.list);
	free(r->expected.list);
	report_close(&r->report);
	options_free(&r->options);
}
