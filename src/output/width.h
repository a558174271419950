/* SPDX-License-Identifier: MIT */
/* How many columns of a terminal a character takes. */
#ifndef TOKPICK_WIDTH_H
#define TOKPICK_WIDTH_H

#include <stdint.h>

/*
 * 1; 2 for wide characters; 0 for marks, which join the character before
 * them; -1 for what can't be seen or moves things about: controls, format
 * and direction characters, separators of lines, variation selectors,
 * private use.  By Unicode 14; what it leaves unassigned counts as 1.
 */
int width_of(uint32_t character);

#endif
