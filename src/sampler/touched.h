/* SPDX-License-Identifier: MIT */
/*
 * The touched set: the few token ids whose logits biases and penalties
 * change, so that the row itself never is.
 *
 * The k best of the changed row are among the touched ids and the k best
 * others.  So: select the k best others from the raw row, drop what came
 * along of the touched, add the touched ids with their changed logits, rank,
 * cut to k.  That is exact whichever way the logits move.
 */
#ifndef TOKPICK_TOUCHED_H
#define TOKPICK_TOUCHED_H

#include "candidate.h"
#include "policy.h"
#include "row.h"

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

/* Read their logits in a row; they stay till the next.  Returns them all. */
const float *touched_read(struct touched *, const struct row *);

/*
 * Work out their changed logits from those: the biases, then what the stages
 * before the chain's first do to each.  False and err where one becomes NaN;
 * a logit raised to +inf is sure of its draw.  In a twin, what the row's mask
 * refuses is -inf, whatever comes of it.
 */
bool touched_change(
    struct touched *, const struct chain *, const struct row *, struct error *);

/*
 * Replace the touched ones among n candidates and add the others, but for
 * those that k untouched ones are better than; list has room for n + u.
 * Returns the new count, at most that.
 */
size_t touched_swap(
    const struct touched *, struct candidate *list, size_t n, size_t k);

/* Give the touched ids their changed logits in a row. */
void touched_put(const struct touched *, float *logits);

/* Is a changed logit NaN, which can't be ranked?  Then err says so. */
bool touched_is_nan(uint32_t id, float logit, struct error *);

#endif
