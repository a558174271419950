/* SPDX-License-Identifier: MIT */
/* The number formats of 16 bits, many at once. */
#ifndef TOKPICK_HALVES_H
#define TOKPICK_HALVES_H

#include <stddef.h>

#include "cpu.h"

/* n values at from, at any address, as floats at to; exact, NaNs included. */
void halves_from_f16(const unsigned char *from, size_t n, float *to);
void halves_from_bf16(const unsigned char *from, size_t n, float *to);

/* What a kernel is called with: n is a multiple of this. */
enum { HALVES_STEP = 64 };

/* The ways to do it; as maxima_kernels in maxima.h. */
struct halves_kernel {
	const char *name;
	enum cpu needs;
	void (*f16)(const unsigned char *from, size_t n, float *to);
	void (*bf16)(const unsigned char *from, size_t n, float *to);
};
extern const struct halves_kernel halves_kernels[];

#endif
