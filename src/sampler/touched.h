/* SPDX-License-Identifier: MIT */
/*
 * The touched set: the few token ids whose logits biases and penalties
 * change, so that the row itself never is.
 *
 * With u ids touched, the k best of the changed row are among the touched
 * ids and the k best others; and those k others are among the k + u best of
 * the raw row, since at most u places there are taken by touched ids.  So:
 * select k + u from the raw row, drop the touched, add each touched id with
 * its changed logit, rank, cut to k.  That is exact whichever way the
 * logits move.
 */
#ifndef TOKPICK_TOUCHED_H
#define TOKPICK_TOUCHED_H

#include "candidate.h"
#include "policy.h"

struct chain;
struct touched;

/*
 * For the ids of the biases in settings, and up to `others` more.  settings
 * must outlive it.  NULL and err if memory runs out.
 */
struct touched *touched_new(const struct sampling *settings, size_t vocab,
    size_t others, struct error *);
void touched_free(struct touched *);

/* The most ids it can ever hold. */
size_t touched_limit(const struct touched *);

/* Forget all ids but the biased ones; add some. */
void touched_restart(struct touched *);
void touched_add(struct touched *, const uint32_t *ids, size_t n);

/* How many it holds: u. */
size_t touched_size(const struct touched *);

/*
 * Work out their changed logits from the row's: the biases, then what the
 * stages before the chain's first do to each.  False and err where one
 * becomes NaN; a logit raised to +inf is sure of its draw.
 */
bool touched_change(struct touched *, const float *logits, const struct chain *,
    struct error *);

/*
 * Replace the touched ones among n candidates and add the others; list has
 * room for n + u.  Returns the new count, at most that.
 */
size_t touched_swap(struct touched *, struct candidate *list, size_t n);

/* Give the touched ids their changed logits in a row. */
void touched_put(const struct touched *, float *logits);

/* Is a changed logit NaN, which can't be ranked?  Then err says so. */
bool touched_is_nan(uint32_t id, float logit, struct error *);

#endif
