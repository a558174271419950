/* SPDX-License-Identifier: MIT */
/* Tokens in a grammar: <[id]>, or <text>. */
#ifndef TOKPICK_GBNF_TOKEN_H
#define TOKPICK_GBNF_TOKEN_H

#include "../vocab/pieces.h"
#include "scan.h"

/* The id of the token that is written here.  pieces may be NULL. */
bool gbnf_token(struct scan *, const struct pieces *, uint32_t *id);

#endif
