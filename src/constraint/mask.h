/* SPDX-License-Identifier: MIT */
/* Token bitmasks, read in step with the rows; tokpick(1). */
#ifndef TOKPICK_MASK_H
#define TOKPICK_MASK_H

#include "../input/source.h"

struct mask;

/*
 * Masks of ceil(vocab / 32) little-endian 32-bit words out of a file, raw
 * or zstd; id j is bit j mod 32 of word j / 32, and 1 allows it.  file and
 * before must outlive it.  NULL and err on failure.
 */
struct mask *mask_open(char *file, size_t vocab, int max_window,
    const struct before_read *before, struct error *);
void mask_close(struct mask *);

/* Pass over the masks of n rows. */
bool mask_skip(struct mask *, uint64_t n, struct error *);

/*
 * The next row's mask, in *words until the next call.  A file that ends is
 * an error: every row has its mask.  row numbers the message.
 */
bool mask_next(
    struct mask *, uint64_t row, const uint32_t **words, struct error *);

#endif
