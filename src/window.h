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

/*
 * Let an id join and, when the window is full, the oldest one leave.  An id
 * outside the vocabulary takes its place and counts as nothing.  False and
 * err if memory runs out (only while the window is still growing).
 */
bool window_add(struct window *, uint32_t id, struct error *err);

/* How often an id below the vocabulary's size stands in the window. */
uint32_t window_count(const struct window *, uint32_t id);

/*
 * The distinct ids in the window that the vocabulary has, in no particular
 * order; the array is the window's and lasts until the next window_add().
 */
size_t window_distinct(const struct window *, const uint32_t **ids);

#endif
