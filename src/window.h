/* SPDX-License-Identifier: MIT */
/* The window: the last tokens of a conversation, counted by id. */
#ifndef TOKPICK_WINDOW_H
#define TOKPICK_WINDOW_H

#include <stddef.h>
#include <stdint.h>

#include "message.h"

struct window;

/*
 * A window on the last `limit` ids (negative: on all of them, 0: on none)
 * over a vocabulary of that many tokens.  NULL and err on failure.
 */
struct window *window_new(size_t vocab, int64_t limit, struct error *err);
void window_free(struct window *);

/* Have room for one more id.  False and err if memory runs out. */
bool window_make_room(struct window *, struct error *err);

/*
 * Let an id, which there has to be room for, join and, when the window is
 * full, the oldest one leave.  An id outside the vocabulary takes its place
 * and counts as nothing.
 */
void window_put(struct window *, uint32_t id);

/* Make room, then let it join.  False and err if memory runs out. */
bool window_add(struct window *, uint32_t id, struct error *err);

/* How often an id below the vocabulary's size stands in the window. */
uint32_t window_count(const struct window *, uint32_t id);

/*
 * The distinct ids in the window that the vocabulary has, in no particular
 * order; the array is the window's and lasts until the next id joins.
 */
size_t window_distinct(const struct window *, const uint32_t **ids);

/*
 * What a window is made again from: one with a limit from its ids in order,
 * added again, one without from its distinct ids and their counts.
 */
int64_t window_limit(const struct window *);
size_t window_size(const struct window *); /* ids in order; 0 without limit */
uint32_t window_at(const struct window *, size_t i); /* 0 is the oldest */

/*
 * In a window without limit, let an id join that many times, once at least.
 * False and err if memory runs out.
 */
bool window_add_times(
    struct window *, uint32_t id, uint32_t times, struct error *);

#endif
