/* SPDX-License-Identifier: MIT */
/* Grammars out of GBNF, the notation of llama.cpp. */
#ifndef TOKPICK_GBNF_H
#define TOKPICK_GBNF_H

#include "../vocab/pieces.h"
#include "grammar.h"

/*
 * The grammar that a text of size bytes describes, at most SLURP_MAX, beginning
 * in the rule of the name root.  Where a rule is defined twice, the later
 * definition counts.  Tokens by text are looked up in the pieces; NULL refuses
 * them.  NULL and err on failure, with where (which begins the message), line
 * and column.
 */
struct grammar *gbnf_parse(const char *text, size_t size, const char *where,
    const char *root, const struct pieces *, struct error *);

#endif
