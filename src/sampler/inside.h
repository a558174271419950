/* SPDX-License-Identifier: MIT */
/*
 * Draws inside a constraint.  Asking it of every token would cost more than
 * all else, so it is asked only of what was drawn; when that is refused, the
 * row goes through the chain once more, with a mask of what it allows.  The
 * stages before the first that works on candidates do not ask for more than
 * the k best, so k allowed ones in their order are enough; tokpick(1),
 * "Grammars".
 */
#ifndef TOKPICK_INSIDE_H
#define TOKPICK_INSIDE_H

#include "chain.h"
#include "mass.h"

struct inside {
	struct constraint *constraint;
	struct chain chain; /* a twin of the sampler's; none where wide */
	size_t vocab;
	uint32_t *allowed; /* [ceil(vocab / 32)] the mask, as in struct row */
	bool weighed;      /* has the chain seen the row at hand? */
	bool dead_end;     /* nothing is allowed in it */
	struct mass mass;  /* of the chain's distribution, if traced */
};

/*
 * For the rows of a chain, or for wide ones, where of is NULL.  vocab is
 * that of the rows.  Constraint and chain must outlive it.
 */
bool inside_open(struct inside *, struct constraint *, const struct chain *of,
    size_t vocab, struct error *);
void inside_close(struct inside *);

/* A new row has come: nothing is known of it. */
void inside_restart(struct inside *);

/*
 * Fill allowed, of every id that the row's mask allows, and tell a dead end.
 * False and err where the constraint fails.
 */
bool inside_ask_all(struct inside *, const struct row *, struct error *);

/* Take the row through the chain, or tell a dead end. */
bool inside_weigh(
    struct inside *, const struct row *, const struct window *, struct error *);

#endif
