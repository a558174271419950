/* SPDX-License-Identifier: MIT */
/* A binary heap of candidates with the worst at its root. */
#ifndef TOKPICK_HEAP_H
#define TOKPICK_HEAP_H

#include "candidate.h"

/* Make n candidates, in any order, a heap. */
void heap_make(struct candidate *heap, size_t n);

/* Restore the heap when the candidate at index i may be too good for it. */
void heap_sink(struct candidate *heap, size_t n, size_t i);

/* Turn a heap of n into a list, best first. */
void heap_sort(struct candidate *heap, size_t n);

#endif
