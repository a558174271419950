/* SPDX-License-Identifier: MIT */
/* What compilers write out: loops of four, and templates. */
#ifndef TOKPICK_UNROLL_H
#define TOKPICK_UNROLL_H

#include <stddef.h>

/*
 * Kernels work on four vectors at a time, and do each line to all of them: so
 * what a line needs need not be waited for.  j counts them.
 */
#if defined(__GNUC__)
#define FOR_FOUR _Pragma("GCC unroll 4") for (size_t j = 0; j < 4; j++)
#else
#define FOR_FOUR for (size_t j = 0; j < 4; j++)
#endif

/* A function that is compiled anew for each constant it is called with. */
#if defined(__GNUC__)
#define TEMPLATE static inline __attribute__((always_inline))
#else
#define TEMPLATE static inline
#endif

#endif
