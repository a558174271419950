/* SPDX-License-Identifier: MIT */
/* Which tokens of a model file end a text. */
#ifndef TOKPICK_ENDS_H
#define TOKPICK_ENDS_H

#include "gguf.h"

/*
 * Fill in g->ends: the ids that the file names, and the control and
 * user-defined tokens whose texts are well known for it.
 */
bool ends_find(struct gguf *, struct error *);

#endif
