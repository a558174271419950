/* SPDX-License-Identifier: MIT */
/* Left recursion: rules that come back to themselves with nothing matched. */
#ifndef TOKPICK_LEFT_H
#define TOKPICK_LEFT_H

#include "rules.h"

/* Refuse it, before the program is linked. */
bool left_check(
    const struct rules *, const struct grammar *, const struct scan *);

#endif
