/* SPDX-License-Identifier: MIT */
/* Selection: the k best of a row, and the checks that ride along. */
#ifndef TOKPICK_SELECT_H
#define TOKPICK_SELECT_H

#include <stddef.h>

#include "candidate.h"

/*
 * Put the k best of n logits into best (room for min(k, n)), best first,
 * ranked as candidate.h says; exactly min(k, n) come, -inf included.
 * The first NaN or +inf in id order ends the search: its id is returned.
 * Without one, n is returned.  scratch: see rank_candidates().
 */
size_t select_best(const float *logits, size_t n, size_t k,
    struct candidate *best, struct candidate *scratch);

#endif
