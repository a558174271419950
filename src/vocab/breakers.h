/* SPDX-License-Identifier: MIT */
/* Sequence breakers for dry, from texts to token ids. */
#ifndef TOKPICK_BREAKERS_H
#define TOKPICK_BREAKERS_H

#include "../sampler/policy.h"
#include "pieces.h"

/* Add one breaker, a copy of size ids, to *list, which realloc() moves. */
bool breakers_append(struct breaker **list, size_t *n, const uint32_t *ids,
    size_t size, struct error *);

/*
 * Add to *list (grown with realloc, as is each one's ids) the breakers that
 * a text stands for; tokpick(1), "llama.cpp", "--dry-sequence-breaker".  A
 * token whose piece contains the text breaks alone.  One whose piece ends with
 * a beginning of it is a head, and the tokens of the rest follow it: found by
 * the longest piece that matches, again and again, since pieces alone do
 * not say how a tokenizer would cut it.  Escapes are those of a pieces file.
 */
bool breakers_add(const struct pieces *, const char *text,
    struct breaker **list, size_t *n, struct error *);

#endif
