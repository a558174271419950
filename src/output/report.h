/* SPDX-License-Identifier: MIT */
/* The report: what a run's draws were like, as a page to look at. */
#ifndef TOKPICK_REPORT_H
#define TOKPICK_REPORT_H

#include "../pairs.h"
#include "points.h"
#include "trace.h"

/* So many tokens of the text are kept from its start, and from its end. */
enum { REPORT_TEXT = 5000 };

/* The figures of a row; the candidates left after each step are the rest. */
enum report_figure {
	FIGURE_ENTROPY,
	FIGURE_P,
	FIGURE_RANK,
	FIGURE_DIFFERS, /* 1 where the recorded id is another */
	FIGURE_STEPS,
};

/* What was drawn from a row. */
struct report_token {
	uint32_t id;
	uint32_t recorded; /* if it differs */
	bool differs;
	double p;
	uint64_t rank;
};

struct report {
	const struct pieces *pieces; /* NULL: ids are shown */
	bool expects;                /* are ids compared? */
	size_t steps;
	char (*names)[STEP_NAME]; /* [steps] */
	uint64_t first;           /* number of the first row */
	uint64_t compared;        /* rows that had a recorded id */
	uint64_t likeliest;       /* draws of rank 1 */
	struct points points;
	double *figures; /* [FIGURE_STEPS + steps] of the row at hand */
	struct report_token *tokens; /* [2 * REPORT_TEXT] see report_token() */
};

/*
 * Begin.  All memory is taken here, however many rows come: points.h.  The
 * sampler tells the steps; its settings are traced.
 */
bool report_open(struct report *, const struct sampler *, const struct pieces *,
    bool expects, struct error *);
void report_close(struct report *);

/* Add a row, of which the first draw counts; recorded: its id, or NULL. */
void report_add(
    struct report *, const struct shown *, const uint32_t *recorded);

/* What was drawn from row i, one of them from 0; NULL if it was not kept. */
const struct report_token *report_token(const struct report *, uint64_t i);

/* What else the page tells. */
struct report_facts {
	const char *version;
	char *const *inputs; /* [n_inputs] where the rows came from */
	size_t n_inputs;
	size_t vocab;
	const char *stop;  /* why it ended … */
	const char *error; /* … and with what message, or NULL */
	const struct pairs *settings;
};

/* Write the page to a file, whole or not at all: whole_file.h. */
bool report_write(const struct report *, const struct report_facts *,
    const char *file, struct error *);

#endif
