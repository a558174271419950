/* SPDX-License-Identifier: MIT */
/* A row of which every token is kept, and not listed before it must be. */
#ifndef TOKPICK_ENTIRE_H
#define TOKPICK_ENTIRE_H

#include <stddef.h>

struct chain;

/*
 * In place of a list of V candidates, which is three times the row and would
 * be gone through again and again: the row.  kept.size is V then.
 */
struct entire {
	const float *row; /* [V] the logits; NULL: kept.list has what is kept */
	float max;        /* the highest of them */
	float temp;       /* what they are to be divided by, when ranked */
	float *weights;   /* [V] exponentials, after a softmax */
	double sum;       /* theirs; 0 before a softmax */
	double listed;    /* the mass of the c->listed best, which are listed */
};

/* Keep a row of good logits with that maximum. */
void entire_take(struct chain *, const float *row, float max);

/* chain_softmax() where there is no list: the weights and their sum. */
void entire_weigh(struct chain *);

/*
 * chain_rank_prefix() where there is no list: as many of the best candidates
 * as have that mass, or 0 of them.  They stand in kept.list with their p.
 */
size_t entire_rank(struct chain *, double mass, size_t least);

/* List every token, with its p after a softmax.  It is whole no longer. */
void entire_list(struct chain *);

#endif
