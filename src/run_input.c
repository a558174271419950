/* SPDX-License-Identifier: MIT */
/* The rows of a run: where they come from, of what size and type they are. */
#include <inttypes.h>
#include <unistd.h>

#include "cli/model.h"
#include "cli/table.h"
#include "run.h"

bool
run_start_model(struct run *r, struct error *err)
{
	struct options *o = &r->options;

	if (o->exec == NULL)
		return true;
	r->exec = exec_start(
	    o->exec, o->exec_prefix == PREFIX_FULL, &r->before_read, err);
	if (r->exec != NULL)
		r->source = exec_source(r->exec, err);
	return r->source != NULL;
}

static bool
check_length(const struct options *o, struct error *err)
{
	if (o->vocab > 0)
		return true;
	if (o->model != NULL)
		return error_set(err, STATUS_USAGE,
		    "--gguf: %s has no tokenizer.ggml.tokens: give --vocab N",
		    o->gguf);
	return error_set(err, STATUS_USAGE,
	    "raw rows carry no length: give --vocab N, or the model with "
	    "--gguf FILE");
}

size_t
run_threads(int64_t asked, long processors)
{
	const long most = 8;

	if (asked > 0)
		return (size_t)asked;
	if (processors < 1)
		return 1;
	return (size_t)(processors < most ? processors : most);
}

bool
run_open_operands(
    struct run *r, char *const *files, size_t n, struct error *err)
{
	struct options *o = &r->options;
	struct head_choice choice = {.tensor = o->tensor,
	    .bf16 = o->dtype == DTYPE_BF16,
	    .keep_floor = o->floor == FLOOR_KEEP};

	r->source = source_new(files, n, (enum input_format)o->input,
	    (int)o->max_window, &r->before_read, err);
	if (r->source == NULL)
		return false;
	source_choose(r->source, &choice);
	/* Counted while the C library may look for it. */
	r->threads = run_threads(o->threads, sysconf(_SC_NPROCESSORS_ONLN));
	source_read_ahead(r->source, r->threads, 1);
	return true;
}

/* What the first file says of its rows, which options may not contradict. */
static bool
learn_rows(struct run *r, struct error *err)
{
	struct options *o = &r->options;
	const struct head *h = source_head(r->source);
	const char *file;

	if (!source_open(r->source, err))
		return false;
	file = source_name(r->source);
	if (h->format == NULL)
		return check_length(o, err);
	if (options_tell(o, "vocab") && (size_t)o->vocab != h->vocab)
		return error_set(err, STATUS_USAGE,
		    "%s: rows of %zu values, where --vocab is %" PRId64
		    ": leave that out",
		    file, h->vocab, o->vocab);
	if (o->given[option_find("dtype") - option_table] &&
	    (enum dtype)o->dtype != h->dtype)
		return error_set(err, STATUS_USAGE,
		    "%s: values of the type %s, where --dtype is %s: leave "
		    "that out",
		    file, dtype_name(h->dtype), dtype_names[o->dtype]);
	r->dtype = h->dtype;
	if (h->dtype <= DTYPE_BF16)
		o->dtype = (int)h->dtype; /* for a saved state */
	return options_tell(o, "vocab") ||
	    model_widen(o, (int64_t)h->vocab, err);
}

/*
 * Rows whose size the command line tells are looked at last; others have to
 * be before anything can be made that depends on it.
 */
bool
run_find_vocab(struct run *r, struct error *err)
{
	struct options *o = &r->options;

	r->skipped = (uint64_t)o->first_row - 1;
	r->dtype = (enum dtype)o->dtype;
	if (o->exec == NULL)
		return run_open_operands(r, o->files, o->n_files, err) &&
		    (options_tell(o, "vocab") || learn_rows(r, err));
	return check_length(o, err);
}

/* Number the rows, and pass over those that are left out. */
static bool
skip_rows(struct run *r, bool over, struct error *err)
{
	struct options *o = &r->options;

	r->earlier = (uint64_t)o->row_base - 1;
	if (o->rows_text == NULL && o->state != NULL)
		r->earlier += o->state->rows;
	rows_number_from(r->rows, r->earlier);
	return r->skipped == 0 || over ||
	    (rows_skip(r->rows, r->skipped, err) &&
	        (r->mask == NULL || mask_skip(r->mask, r->skipped, err)));
}

/*
 * Files that tell of sequences have them one after the other, and so have
 * several files of one each.
 */
static bool
learn_sequences(struct run *r, struct error *err)
{
	struct options *o = &r->options;
	const struct head *h = source_head(r->source);
	const char *alone = o->save_state != NULL ? "save-state"
	    : o->state != NULL                    ? "load-state"
	    : o->report != NULL                   ? "report"
	                                          : NULL;

	if (sequences_are_several(&r->sequences) || h->steps == 0 ||
	    (h->steps == h->rows && o->n_files == 1))
		return true;
	r->sequences.steps = h->steps;
	r->sink.sequences = true;
	if (alone != NULL)
		return error_set(err, STATUS_USAGE,
		    "--%s: it is for one conversation, %s has several: "
		    "sequences of %" PRIu64 " rows",
		    alone, source_name(r->source), h->steps);
	if (o->output == OUTPUT_IDS || o->output == OUTPUT_JSONL || o->inspect)
		return true;
	return error_set(err, STATUS_USAGE,
	    "--output %s: the sequences of %s, of %" PRIu64
	    " rows, can't be told apart in it; ids and jsonl can",
	    output_names[o->output], source_name(r->source), h->steps);
}

bool
run_open_input(struct run *r, struct error *err)
{
	struct options *o = &r->options;
	size_t vocab = (size_t)o->vocab;
	bool over = r->lanes[0].stop != STOP_NONE; /* nothing will be read */

	if (o->exec == NULL && options_tell(o, "vocab") && !over &&
	    !learn_rows(r, err))
		return false;
	r->rows = rows_new(
	    r->source, vocab, r->dtype, o->sampling.policy->wide, err);
	if (r->rows == NULL)
		return false;
	rows_read_ahead(r->rows, r->threads);
	if (!learn_sequences(r, err))
		return false;
	if (o->mask != NULL) {
		r->mask = mask_open(
		    o->mask, vocab, (int)o->max_window, &r->before_read, err);
		if (r->mask == NULL)
			return false;
	}
	r->began = skip_rows(r, over, err);
	return r->began;
}
