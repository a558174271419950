/* SPDX-License-Identifier: MIT */
/* Words into values, by the table; what follows from them is settle.h's. */
#ifndef TOKPICK_PARSE_H
#define TOKPICK_PARSE_H

#include "options.h"

/*
 * Put what is given in these words, of which the first is passed over, into
 * the options; what was given before stays where it isn't given again.  The
 * operands are moved behind, and counted.
 */
bool parse_given(struct options *, int argc, char **argv, struct error *);

#endif
