/* SPDX-License-Identifier: MIT */
/* A small file, read whole. */
#ifndef TOKPICK_SLURP_H
#define TOKPICK_SLURP_H

#include <stddef.h>

#include "../message.h"

/* A file above this many bytes is refused: it is not a list of ours. */
enum { SLURP_MAX = 1 << 30 };

/*
 * The bytes of a file, *size of them and a NUL behind, which the caller
 * frees.  NULL and err on failure.
 */
char *slurp(const char *file, size_t *size, struct error *);

#endif
