/* SPDX-License-Identifier: MIT */
/* For files whose every bit counts, whatever flags they are built with. */
#ifndef TOKPICK_EXACT_H
#define TOKPICK_EXACT_H

/* A fused multiply-add rounds once where the text says twice. */
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#elif defined(__GNUC__)
#pragma GCC optimize("fp-contract=off")
#endif

#endif
