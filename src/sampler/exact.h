/* SPDX-License-Identifier: MIT */
/* For files whose every bit counts, whatever flags they are built with. */
#ifndef TOKPICK_EXACT_H
#define TOKPICK_EXACT_H

#include <float.h>

/*
 * A float is worked out as a float, and a double as a double: 1 and 2 keep
 * them wider between operations and so round twice, and -1 is anybody's guess.
 * 16 is 0 for these two: it speaks of _Float16 alone.
 */
#if FLT_EVAL_METHOD != 0 && FLT_EVAL_METHOD != 16
#error \
    "float or double is computed wider: build with -msse2 -mfpmath=sse (x86) \
or -fexcess-precision=fast (s390x), as the Makefile does"
#endif

#if defined(__FAST_MATH__) || \
    (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__ > 0)
#error "-ffast-math changes which ids are drawn: build without it"
#endif

/* A fused multiply-add rounds once where the text says twice. */
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#elif defined(__GNUC__)
#pragma GCC optimize("fp-contract=off")
#endif

#endif
