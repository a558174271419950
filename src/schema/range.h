/* SPDX-License-Identifier: MIT */
/* A grammar of the decimal numbers between two bounds. */
#ifndef TOKPICK_RANGE_H
#define TOKPICK_RANGE_H

#include "../text.h"
#include "decimal.h"

/*
 * Add an item, in brackets, that matches the numbers from low to high, both
 * included, where a unit of either is 10 to the power -places: at most so
 * many digits behind the point, none needed that are zero; no zeros in front,
 * no exponent, no sign before zero.  low is not above high.
 */
void range_print(struct text *, const struct fixed *low,
    const struct fixed *high, size_t places);

#endif
