/* SPDX-License-Identifier: MIT */
/* What this processor can do, and the operating system lets it do. */
#ifndef TOKPICK_CPU_H
#define TOKPICK_CPU_H

#include <stdbool.h>

#if defined(__GNUC__) && (defined(__x86_64__) || defined(__i386__))
#define CPU_X86 1
#else
#define CPU_X86 0
#endif
/* Little-endian, since kernels load values of 16 bits as they are in a row. */
#if defined(__GNUC__) && defined(__AARCH64EL__)
#define CPU_ARM 1
#else
#define CPU_ARM 0
#endif

/* Sets of instructions that kernels ask for beyond those of the build. */
enum cpu { CPU_ANY, CPU_NEON, CPU_SSE2, CPU_AVX2, CPU_AVX512 };

/*
 * Is that set there to be used?  In builds with -DTOKPICK_TEST the environment
 * variable TOKPICK_WITHOUT, a text that names some of "neon sse2 avx2 avx512",
 * turns those off.
 */
bool cpu_has(enum cpu);

#endif
