/* SPDX-License-Identifier: MIT */
/* What a sampler remembers from row to row, as texts and back. */
#ifndef TOKPICK_MEMORY_H
#define TOKPICK_MEMORY_H

#include "../pairs.h"
#include "chain.h"

/* Add a name and a value for each thing that the settings make it remember. */
bool memory_print(const struct sampling *, const struct rng *,
    const struct chain *, struct pairs *, struct error *);

/*
 * Take one of them back, of a name that memory_print() gives for the same.
 * reseeded: a generator stays as the seed has started it.  False and err, which
 * says what is wrong with the value.
 */
bool memory_parse(const struct sampling *, struct rng *, struct chain *,
    const struct pair *, bool reseeded, struct error *);

#endif
