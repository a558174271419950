/* SPDX-License-Identifier: MIT */
/* zstd taken off a stream of bytes; tokpick(1), "zstd". */
#ifndef TOKPICK_ZSTD_H
#define TOKPICK_ZSTD_H

#include "bytes.h"
#include "frame.h"

/* The largest --max-window that this build of libzstd takes, and the least. */
int unzstd_window_max(void);
int unzstd_window_min(void);

struct unzstd;

/*
 * A decoder of the bytes in b after the n <= FRAME_MAGIC_SIZE in head, which
 * were read from it already.  A frame that needs a window above
 * 2^max_window is refused; no memory is taken on a header's word beyond
 * that.  b must outlive it.  NULL and err on failure.
 */
struct unzstd *unzstd_new(struct bytes *b, const unsigned char *head, size_t n,
    int max_window, struct error *);
void unzstd_free(struct unzstd *);

/*
 * Decode up to n > 0 bytes; *got is 0 at the end and only there.  All that
 * was decoded before a fault is handed out before the fault is reported,
 * with the byte offset at which its frame begins.
 */
bool unzstd_read(
    struct unzstd *, void *to, size_t n, size_t *got, struct error *);

#endif
