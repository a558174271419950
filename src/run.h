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
	struct sink sink;
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
 * Bring it to its end, whether all went well (good) or err says what did
 * not: the model, then the output, then what depends on its being written.
 * Returns whether all went well to the end; err tells the first that didn't.
 */
bool run_finish(struct run *, bool good, struct error *err);

#endif
