/* SPDX-License-Identifier: MIT */
/*
 * The best of a row, searched for once where many settings draw from it: each
 * takes as many from the top as it needs, instead of going through the row.
 */
#ifndef TOKPICK_BEST_H
#define TOKPICK_BEST_H

#include "candidate.h"
#include "row.h"

#include "../message.h"

struct best {
	size_t k;               /* how many are wanted, 0: none */
	struct candidates kept; /* best first: at least the k best */
	struct candidate *scratch;
};

/* Get ready for the k best of rows of vocab logits, k at most vocab. */
bool best_open(struct best *, size_t k, size_t vocab, struct error *);
void best_close(struct best *);

/* Find them, and say so in the row.  A bad row is an error. */
bool best_find(struct best *, struct row *, struct error *);

#endif
