/* SPDX-License-Identifier: MIT */
/* The chain: a row's candidates, and the stages they go through. */
#ifndef TOKPICK_CHAIN_H
#define TOKPICK_CHAIN_H

#include "../window.h"
#include "candidate.h"
#include "policy.h"
#include "row.h"

struct touched;

struct chain {
	/* What a stage sees; it works on kept, which stays best first. */
	struct candidates kept;
	struct candidate *scratch; /* see rank_candidates() */
	const struct sampling *settings;
	const struct window *window;

	/* What became of the row. */
	size_t listed; /* candidates in kept.list before any stage ran */
	size_t *after; /* [n_stages] candidates left after each */

	/*
	 * Where settings->traced, else NULL: the logits by id as they would
	 * be if no stage removed a candidate.
	 */
	float *whole;     /* [V] */
	bool whole_known; /* no: a penalty made one of them NaN */

	/* How it is done. */
	size_t vocab;
	size_t first;  /* index of the first stage to run on candidates */
	size_t select; /* k: how many of the row those stages can need */
	struct touched *touched;
	struct candidate *list; /* room for select + u + u, at most V */
	float *masked;          /* [V] where rows have masks, else NULL */
};

/*
 * Get ready for rows of vocab logits.  settings must outlive it.  At least
 * `show` of the best candidates are listed, be they kept or not (0: as many
 * as the stages need).  All memory is taken here.
 */
bool chain_open(struct chain *, const struct sampling *settings, size_t vocab,
    size_t show, struct error *);
void chain_close(struct chain *);

/*
 * Take a row through the stages.  Afterwards kept holds what is left, at
 * least one candidate, and behind it in kept.list, up to `listed`, stand
 * those that were removed, the last removed first.
 */
bool chain_run(
    struct chain *, const struct row *, const struct window *, struct error *);

#endif
