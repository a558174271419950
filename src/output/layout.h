/* SPDX-License-Identifier: MIT */
/* Which columns a table has, and how wide they are. */
#ifndef TOKPICK_LAYOUT_H
#define TOKPICK_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>

/* What a column shows of a candidate; both last are of one temperature. */
enum column_kind {
	COLUMN_DRAWN,
	COLUMN_RANK,
	COLUMN_ID,
	COLUMN_PIECE,
	COLUMN_LOGIT,
	COLUMN_CUMULATIVE,
	COLUMN_REMOVED,
	COLUMN_P,
	COLUMN_BAR,
};

struct column {
	enum column_kind kind;
	size_t width; /* without the blank that stands between columns */
	size_t temp;  /* which temperature, for COLUMN_P and COLUMN_BAR */
	double most;  /* the p of a bar over the whole width */
};

/* Temperatures that are shown side by side, however wide the terminal. */
enum { LAYOUT_TEMPS = 64 };
enum { LAYOUT_COLUMNS = 7 + 2 * LAYOUT_TEMPS };

struct layout {
	struct column list[LAYOUT_COLUMNS];
	size_t size;
	size_t temps; /* those that fit, at least one */
};

/* What there is to show. */
struct layout_needs {
	size_t width;   /* of the terminal */
	size_t vocab;   /* ranks and ids are at most as long as this */
	size_t draws;   /* 0: nothing was drawn, so nothing is marked */
	size_t removed; /* length of the longest name of a step */
	bool pieces;    /* are they known? */
	bool compare;   /* of several temperatures */
	size_t first;   /* the first temperature to show … */
	size_t temps;   /* … and how many are left to show */
};

/* Probabilities have twelve decimals. */
enum { P_WIDTH = 14 };

/*
 * As many columns as fit into the width, the less needed left out first;
 * rank, id and a probability always stay.
 */
void layout_make(struct layout *, const struct layout_needs *);

#endif
