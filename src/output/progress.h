/* SPDX-License-Identifier: MIT */
/* How far a run is, told to a person on standard error. */
#ifndef TOKPICK_PROGRESS_H
#define TOKPICK_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

/* Where it may be told. */
enum progress_mode {
	PROGRESS_NEVER,
	PROGRESS_TERMINAL, /* one line, drawn again and again */
	PROGRESS_LINES,    /* a line now and then */
};

/* What there is to tell. */
struct progress_count {
	uint64_t rows;
	uint64_t bytes; /* those of the rows */
	double part;    /* of all there is to do, 0 where that isn't known */
};

struct progress {
	enum progress_mode mode;
	bool last; /* a line stays at the end */
	struct timespec start;
	double next; /* seconds from the start */
};

/*
 * What may be shown: on a terminal, unless standard output is one too, where
 * the output is all the progress one needs.  forced: even so, and in lines
 * where standard error is no terminal.
 */
void progress_begin(struct progress *, bool forced, bool never);

/* Is it time to tell?  A look at the clock. */
bool progress_is_due(const struct progress *);

/*
 * Tell.  A terminal that is another's, because we run in the background, is
 * left alone.
 */
void progress_tell(struct progress *, const struct progress_count *);

/* A line of its own, whatever the mode: somebody asked. */
void progress_answer(const struct progress *, const struct progress_count *);

/* Take the line away, or leave a last one. */
void progress_end(const struct progress *, const struct progress_count *);

/*
 * The text for a line of so many columns: what matters most comes first, and
 * what does not fit is left out.
 */
enum { PROGRESS_TEXT = 128 };
void progress_print(char text[PROGRESS_TEXT], const struct progress_count *,
    double seconds, size_t columns);

#endif
