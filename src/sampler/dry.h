/* SPDX-License-Identifier: MIT */
/*
 * DRY: what would go on with a repetition is penalised, the more the longer
 * the repetition (p-e-w's sampler, as in llama.cpp); tokpick(1), "llama.cpp",
 * "dry".
 */
#ifndef TOKPICK_DRY_H
#define TOKPICK_DRY_H

#include "../message.h"
#include "policy.h"

struct dry;

/* Its own history of ids, empty.  NULL and err if memory runs out. */
struct dry *dry_new(
    const struct sampling *settings, size_t vocab, struct error *);
void dry_free(struct dry *);

/* An id joins the history; the oldest one leaves when it is full. */
void dry_join(struct dry *, uint32_t id);

/* The history, the oldest first. */
size_t dry_size(const struct dry *);
uint32_t dry_at(const struct dry *, size_t i);

/*
 * Find what would repeat, once a row; the n ids are in *ids till the next.
 * False where the history is too short, or a breaker too near, to look.
 */
bool dry_prepare(struct dry *, const uint32_t **ids, size_t *n);

/* The most ids there can be. */
size_t dry_limit(const struct dry *);

/* The logit of an id, lower if it would go on with a repetition. */
float dry_penalise(const struct dry *, uint32_t id, float logit);

#endif
