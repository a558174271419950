/* SPDX-License-Identifier: MIT */
/* Whole zstd frames as portions, so that several are unpacked at once. */
#ifndef TOKPICK_FRAMES_H
#define TOKPICK_FRAMES_H

#include "ahead.h"
#include "bytes.h"

struct frames;

/*
 * The frames of a file that is at hand (bytes.h), from its offset on, for
 * `count` portions.
 * What only a decoder of streams can deal with is left to one: a frame that
 * is large, damaged, cut off or not one at all.  NULL if there is no memory.
 */
struct frames *frames_new(const struct bytes *, int max_window, size_t count);
void frames_free(struct frames *);

struct supply frames_supply(struct frames *);

#endif
