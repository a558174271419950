/* SPDX-License-Identifier: MIT */
/* The number formats of 16 bits, many at once. */
#ifndef TOKPICK_HALVES_H
#define TOKPICK_HALVES_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "cpu.h"

/* A bf16, the upper half of a float, little-endian and at any address. */
struct bf16 {
	unsigned char bytes[2];
};

static inline float
bf16_float(struct bf16 half)
{
	uint32_t bits = (uint32_t)half.bytes[0] << 16 |
	    (uint32_t)half.bytes[1] << 24;
	float value;

	memcpy(&value, &bits, sizeof(value));
	return value;
}

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
