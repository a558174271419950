/* SPDX-License-Identifier: MIT */
/* Settings out of a model file: what nothing that goes before it says. */
#ifndef TOKPICK_MODEL_H
#define TOKPICK_MODEL_H

#include "options.h"

/*
 * While the command line is parsed, when the policy and a state's settings
 * stand, in this order.  Without --gguf they do nothing.
 */

/* Read the file: the size of rows, and up to which id they are drawn from. */
bool model_open(struct options *, struct error *);

/*
 * Later, when it turns out that rows are of so many values and the command
 * line does not tell: they are that wide, and the file's tokens the limit.
 */
bool model_widen(struct options *, int64_t vocab, struct error *);

/*
 * Give each setting that is neither on the command line nor in the state the
 * file's value, if it has one and the policy takes it.
 */
bool model_fill(struct options *, struct error *);

/* Add the file's ends to those of the stop rules. */
bool model_ends(struct options *, struct error *);

/*
 * Something is wrong: if err blames an option whose value came from the file,
 * say so, and by which key.
 */
void model_blame(const struct options *, struct error *);

/* In place of all that: --show-model wants the file and nothing else. */
bool model_show(struct options *, struct error *);

#endif
