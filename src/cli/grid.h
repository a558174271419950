/* SPDX-License-Identifier: MIT */
/* A grid of settings, written out as lines of options. */
#ifndef TOKPICK_GRID_H
#define TOKPICK_GRID_H

#include "../message.h"

/*
 * The lines of a grid, "temp=0.5,1;seed=1:100": every combination, the last
 * option changing fastest.  Allocated; NULL and err on failure.
 */
char *grid_lines(const char *grid, struct error *);

#endif
