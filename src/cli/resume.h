/* SPDX-License-Identifier: MIT */
/* Settings out of a saved state, and what the command line has against it. */
#ifndef TOKPICK_RESUME_H
#define TOKPICK_RESUME_H

#include "options.h"

/*
 * In this order: three while the command line is parsed, the last one when
 * files that settings come from have been read.  Without --load-state they
 * do next to nothing.
 */

/* Check what goes with a state, read it, and set the policy by it. */
bool resume_open(struct options *, struct error *);

/* Give each setting that the command line leaves open the state's value. */
bool resume_fill(struct options *, struct error *);

/*
 * Something could not be parsed: if it came from the state, say so, and on
 * which line.
 */
void resume_blame(const struct options *, struct error *);

/*
 * All values stand, those found with the pieces too: refuse one on the command
 * line that is not the state's, unless forced.
 */
bool resume_check(struct options *, struct error *);

#endif
