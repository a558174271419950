/* SPDX-License-Identifier: MIT */
/* One step of all threads: from what they matched to what comes next. */
#ifndef TOKPICK_THREADS_H
#define TOKPICK_THREADS_H

#include "automaton.h"

struct threads;

/* NULL if there is no memory. */
struct threads *threads_new(void);
void threads_free(struct threads *);

/* Begin a step: no threads, and not complete. */
void threads_begin(struct threads *);

/* A thread that goes on at a place, and one that stays as it is. */
bool threads_add(struct threads *, uint32_t place, uint32_t node);
bool threads_keep(struct threads *, uint64_t thread);

/* How often one was added in this step, the same ones too. */
uint64_t threads_added(const struct threads *);

/* Why either was false; returns false. */
bool threads_failed(const struct threads *, struct error *);

/* A text may end here. */
void threads_complete(struct threads *);

/*
 * Follow all threads to what they match next, and make that a state of the
 * automaton.  False and err if there is no memory, or if one step takes more
 * than an automaton's threads may.
 */
bool threads_finish(
    struct threads *, struct automaton *, uint32_t *state, struct error *);

#endif
