/* SPDX-License-Identifier: MIT */
/* All pieces in order of their bytes, so that what they share is met once. */
#ifndef TOKPICK_LEXICON_H
#define TOKPICK_LEXICON_H

#include "../vocab/pieces.h"
#include "automaton.h"

struct lexicon;

/*
 * The pieces of the ids below vocab, without empty ones, which are matched by
 * nothing.  NULL if there is no memory.
 */
struct lexicon *lexicon_new(const struct pieces *, size_t vocab);
void lexicon_free(struct lexicon *);

/*
 * Set the bit of each id whose bytes may come next, leaving others alone.
 * False and err where the automaton says so.
 */
bool lexicon_ask(
    struct lexicon *, struct automaton *, uint32_t *words, struct error *);

#endif
