/* SPDX-License-Identifier: MIT */
/* Tokens in a grammar: <[id]>, or <text>. */
#ifndef TOKPICK_GBNF_TOKEN_H
#define TOKPICK_GBNF_TOKEN_H

#include "../vocab/pieces.h"
#include "intern.h"
#include "scan.h"

/* The tokens by their texts, made when the first is asked for. */
struct gbnf_texts {
	const struct pieces *pieces; /* or NULL */
	struct intern texts;
	uint32_t (*ids)[2]; /* [texts] the first two with each, or NO_TOKEN */
	size_t room;
};

#define NO_TOKEN UINT32_MAX

void gbnf_texts_free(struct gbnf_texts *);

/* The id of the token that is written here. */
bool gbnf_token(struct scan *, struct gbnf_texts *, uint32_t *id);

#endif
