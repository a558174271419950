/* SPDX-License-Identifier: MIT */
/* Memory for rows: whole pages, and large ones for much of it. */
#ifndef TOKPICK_PAGES_H
#define TOKPICK_PAGES_H

#include <stddef.h>

/*
 * n bytes at the start of a page, for free() to give back: vectors that
 * cross lines of the cache are slow.  NULL if there is no memory.
 */
void *pages_new(size_t n);

#endif
