/* SPDX-License-Identifier: MIT */
/* The number formats of 16 bits, many at once. */
#include "halves.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Loops of fixed length without a branch are what compilers make vectors of. */
#if defined(__GNUC__)
#define TEMPLATE static inline __attribute__((always_inline))
#else
#define TEMPLATE static inline
#endif

/* Bytes put together would be no vector, where they lie together already. */
TEMPLATE uint32_t
load(const unsigned char *from)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	uint16_t bits;

	memcpy(&bits, from, sizeof(bits));
	return bits;
#else
	return (uint32_t)from[0] | (uint32_t)from[1] << 8;
#endif
}

TEMPLATE void
store(uint32_t bits, float *to)
{
	memcpy(to, &bits, sizeof(bits));
}

TEMPLATE uint32_t
bits_of(float value)
{
	uint32_t bits;

	memcpy(&bits, &value, sizeof(bits));
	return bits;
}

/* Without a branch, which ?: may become. */
TEMPLATE uint32_t
choice(bool condition, uint32_t one, uint32_t other)
{
	uint32_t mask = UINT32_C(0) - condition;

	return (one & mask) | (other & ~mask);
}

/*
 * Sign, 5 bits of exponent (bias 15), 10 of fraction.  All three cases are
 * computed, and one is chosen: a float has the same fraction with 13 bits
 * more, and another bias; infinities and NaNs have the highest exponent in
 * either; and without an exponent the value is the fraction over 2^24.
 */
TEMPLATE uint32_t
f16_bits(uint32_t half)
{
	uint32_t exponent = half & 0x7c00, fraction = half & 0x3ff;
	uint32_t shifted = (half & 0x7fff) << 13;
	uint32_t normal = shifted + ((uint32_t)(127 - 15) << 23);
	uint32_t special = shifted | 0x7f800000;
	uint32_t denormal = bits_of((float)(int32_t)fraction * 0x1p-24f);
	uint32_t bits;

	bits = choice(exponent == 0x7c00, special, normal);
	bits = choice(exponent == 0, denormal, bits);
	return bits | (half & 0x8000) << 16;
}

TEMPLATE void
f16(const unsigned char *restrict from, size_t n, float *restrict to)
{
	for (const float *end = to + n; to < end; to += HALVES_STEP) {
		for (size_t i = 0; i < HALVES_STEP; i++)
			store(f16_bits(load(from + 2 * i)), to + i);
		from += 2 * HALVES_STEP;
	}
}

/* The upper half of a float. */
TEMPLATE void
bf16(const unsigned char *restrict from, size_t n, float *restrict to)
{
	for (const float *end = to + n; to < end; to += HALVES_STEP) {
		for (size_t i = 0; i < HALVES_STEP; i++)
			store(load(from + 2 * i) << 16, to + i);
		from += 2 * HALVES_STEP;
	}
}

static void
f16_portable(const unsigned char *from, size_t n, float *to)
{
	f16(from, n, to);
}

static void
bf16_portable(const unsigned char *from, size_t n, float *to)
{
	bf16(from, n, to);
}

/* Wider registers are of no use: most of it is the memory's time. */
#if CPU_X86
__attribute__((target("avx2"))) static void
f16_avx2(const unsigned char *from, size_t n, float *to)
{
	f16(from, n, to);
}

__attribute__((target("avx2"))) static void
bf16_avx2(const unsigned char *from, size_t n, float *to)
{
	bf16(from, n, to);
}
#endif

const struct halves_kernel halves_kernels[] = {
#if CPU_X86
    {"avx2", CPU_AVX2, f16_avx2, bf16_avx2},
#endif
    {"portable", CPU_ANY, f16_portable, bf16_portable},
    {NULL, CPU_ANY, NULL, NULL},
};

static const struct halves_kernel *
choose(void)
{
	const struct halves_kernel *kernel = halves_kernels;

	while (!cpu_has(kernel->needs))
		kernel++;
	return kernel;
}

void
halves_from_f16(const unsigned char *from, size_t n, float *to)
{
	size_t i = n / HALVES_STEP * HALVES_STEP;

	choose()->f16(from, i, to);
	for (; i < n; i++)
		store(f16_bits(load(from + 2 * i)), to + i);
}

void
halves_from_bf16(const unsigned char *from, size_t n, float *to)
{
	size_t i = n / HALVES_STEP * HALVES_STEP;

	choose()->bf16(from, i, to);
	for (; i < n; i++)
		store(load(from + 2 * i) << 16, to + i);
}
