/* SPDX-License-Identifier: MIT */
/* What one run holds; main.c is what it does. */
#ifndef TOKPICK_RUN_H
#define TOKPICK_RUN_H

#include "cli/options.h"
#include "constraint/constraint.h"
#include "constraint/mask.h"
#include "exec.h"
#include "expect.h"
#include "input/rows.h"
#include "output/progress.h"
#include "output/report.h"
#include "output/sink.h"

/* Everything a run holds; all zero before it is opened. */
struct run {
	struct options options;
	struct buffer out;
	struct before_read before_read;
	size_t limit; /* how many ids of a row count */
	struct pieces *pieces;
	struct source *source;
	struct exec *exec; /* NULL without --exec */
	struct rows *rows;
	struct mask *mask;             /* NULL without --mask */
	struct grammar *grammar;       /* NULL without one … */
	struct constraint *constraint; /* … as is where the text stands in it */
	struct ids recorded;
	struct history history;
	uint32_t joined;           /* the last id that joined */
	struct ids unsent;         /* those that --exec has yet to be told */
	struct sampling *settings; /* [temperatures] */
	struct sampler **samplers; /* one for each, the first one draws */
	struct decision *drawn;    /* [draws] from the row at hand */
	struct expect expect;
	struct report report; /* of --report */
	struct sink sink;
	struct progress progress;
	uint64_t input_size; /* as stored, 0: not known */
	uint64_t looked_at;  /* byte of the rows where the clock was read */
	int summary_fd;
	bool began;       /* was all opened, so that there is a state? */
	uint64_t earlier; /* rows drawn from in earlier runs */
	uint64_t n_rows;  /* read in this one */
	uint64_t n_drawn; /* drawn from in this one */
	enum stop stop;
};

/*
 * Open what the options name, in the order in which a mistake is best told:
 * settings, files, at last the input.  What is open when it fails is closed
 * by run_free() as ever.
 */
bool run_open(struct run *, struct error *);
void run_free(struct run *);

/* A part of that: the grammar, when the pieces are there. */
bool run_open_grammar(struct run *, struct error *);

/*
 * Draw from a row, or look at it, write what there is to say, and go on from
 * there: stop tells whether that was the last.  A row that comes to nothing,
 * an error or a dead end of the grammar, leaves all as it was before it.
 */
bool run_row(struct run *, struct row *, struct error *);

/*
 * Tell a person how far it is, where one may be looking and a while has
 * passed, or SIGUSR1 asks: begun once the input is open; looked at as often
 * as is liked; at the end, so that the line is gone.
 */
void run_progress_begin(struct run *);
void run_progress(struct run *);
void run_progress_end(struct run *);

/* A before_read call: what was drawn is written, and the progress told. */
bool run_before_read(void *run, int fd, struct error *);

/*
 * What --report asks for: begun once the samplers are there, and written to
 * its file at the end.
 */
bool run_report_open(struct run *, struct error *);
bool run_report_write(struct run *, const struct error *, struct error *);

/*
 * Bring it to its end, whether all went well (good) or err says what did
 * not: the model, then the output, then what depends on its being written.
 * Returns whether all went well to the end; err tells the first that didn't.
 */
bool run_finish(struct run *, bool good, struct error *err);

#endif
