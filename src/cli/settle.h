/* SPDX-License-Identifier: MIT */
/* What follows from the command line: defaults, lists, what goes together. */
#ifndef TOKPICK_SETTLE_H
#define TOKPICK_SETTLE_H

#include "options.h"

/*
 * Options that were given are parsed: fill in the state's values and the
 * policy's defaults, parse what is more than one word, and refuse what does
 * not go together.
 */
bool options_settle(struct options *, struct error *);

#endif
