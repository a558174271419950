/* SPDX-License-Identifier: MIT */
/* What one run holds; main.c is what it does. */
#ifndef TOKPICK_RUN_H
#define TOKPICK_RUN_H

#include "cli/options.h"
#include "constraint/mask.h"
#include "exec.h"
#include "expect.h"
#include "input/rows.h"
#include "lane.h"
#include "output/progress.h"
#include "output/report.h"
#include "output/sink.h"
#include "output/tally.h"
#include "sampler/best.h"
#include "sequences.h"

/* Everything a run holds; all zero before it is opened. */
struct run {
	struct options options;
	struct buffer out;
	struct before_read before_read;
	size_t limit; /* how many ids of a row count */
	struct pieces *pieces;
	struct source *source;
	size_t threads;    /* that read large files */
	struct exec *exec; /* NULL without --exec */
	struct rows *rows;
	enum dtype dtype;        /* of their values */
	uint64_t skipped;        /* rows before the first that counts */
	struct mask *mask;       /* NULL without --mask */
	struct grammar *grammar; /* NULL without one */
	struct ids recorded;     /* that join in place of those drawn */
	struct ids expected;     /* that those drawn are compared with */
	struct sequences sequences;
	size_t n_settings;  /* several by --sweep, or to inspect temperatures */
	size_t n_lanes;     /* those for each sequence that goes on at a time */
	struct lane *lanes; /* [sequences at a time][settings] */
	uint64_t n_begun;   /* sequences */
	struct sampler **samplers; /* [settings] of the row at hand, … */
	struct shown *shown;       /* … and what there is to say of it */
	struct expect *expect;     /* [settings] */
	struct best best;          /* of a row, for all settings */
	struct tally *tallies;     /* [settings] for --sweep-summary */
	uint32_t joined;           /* the last id that joined */
	struct ids unsent;         /* those that --exec has yet to be told */
	struct report report;      /* of --report */
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

/*
 * Parts of that, in this order: the operands, and how many values a row has;
 * the grammar, when the pieces are there; the lanes, as they are before the
 * first row; the model, if there is one.
 */
bool run_find_vocab(struct run *, struct error *);
bool run_open_grammar(struct run *, struct error *);
bool run_open_lanes(struct run *, struct error *);
bool run_start_model(struct run *, struct error *);

/*
 * When what is no longer needed has been given up: the rows, for whose first
 * bytes it may have to wait.
 */
bool run_open_input(struct run *, struct error *);

/*
 * How many threads are to read: as many as are asked for (0: they aren't), or
 * one for each processor (-1: nobody knows) as long as that is of use.
 */
size_t run_threads(int64_t asked, long processors);

/* Files as a source, none of which is opened yet. */
bool run_open_operands(
    struct run *, char *const *files, size_t n, struct error *);

/* In place of a run: print what the operands are, and do nothing else. */
bool run_info(struct run *, struct error *);

/* Begin the conversations of another sequence, whose lanes are these. */
bool run_begin_sequence(struct run *, struct lane *, struct error *);

/*
 * Draw from a row, or look at it, write what there is to say, and go on from
 * there: stop tells whether that was the last.  A row that comes to nothing,
 * an error or a dead end of the grammar, leaves all as it was before it.
 */
bool run_row(struct run *, struct row *, struct error *);

/* At the end of the input: refuses recorded ids that are left over. */
bool run_check_recorded(const struct run *, struct error *);

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
