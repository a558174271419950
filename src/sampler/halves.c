/* SPDX-License-Identifier: MIT */
/* The number formats of 16 bits, many at once. */
#include "halves.h"

#include <stdbool.h>
#include <stdint.h>

#include "unroll.h"

/*
 * Loops of fixed length without a branch are what compilers make vectors of.
 * By unions, since memcpy(), if fortified, keeps a loop from being a vector.
 */

TEMPLATE float
float_of(uint32_t bits)
{
	union {
		uint32_t bits;
		float value;
	} both = {.bits = bits};

	return both.value;
}

TEMPLATE uint32_t
bits_of(float value)
{
	union {
		float value;
		uint32_t bits;
	} both = {.value = value};

	return both.bits;
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
TEMPLATE float
f16_value(uint32_t half)
{
	uint32_t exponent = half & 0x7c00, fraction = half & 0x3ff;
	uint32_t shifted = (half & 0x7fff) << 13;
	uint32_t normal = shifted + ((uint32_t)(127 - 15) << 23);
	uint32_t special = shifted | 0x7f800000;
	uint32_t denormal = bits_of((float)(int32_t)fraction * 0x1p-24f);
	uint32_t bits;

	bits = choice(exponent == 0x7c00, special, normal);
	bits = choice(exponent == 0, denormal, bits);
	return float_of(bits | (half & 0x8000) << 16);
}

/* The upper half of a float. */
TEMPLATE float
bf16_value(uint32_t half)
{
	return float_of(half << 16);
}

/* The next i-th half; put together from bytes, it would be no vector. */
#if defined(__GNUC__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
typedef uint16_t unaligned_half __attribute__((aligned(1), may_alias));

TEMPLATE uint32_t
load(const unsigned char *from, size_t i)
{
	return ((const unaligned_half *)from)[i];
}
#else
TEMPLATE uint32_t
load(const unsigned char *from, size_t i)
{
	return (uint32_t)from[2 * i] | (uint32_t)from[2 * i + 1] << 8;
}
#endif

TEMPLATE void
f16(const unsigned char *restrict from, size_t n, float *restrict to)
{
	for (; n > 0; n -= HALVES_STEP) {
		for (size_t i = 0; i < HALVES_STEP; i++)
			to[i] = f16_value(load(from, i));
		from += 2 * HALVES_STEP;
		to += HALVES_STEP;
	}
}

TEMPLATE void
bf16(const unsigned char *restrict from, size_t n, float *restrict to)
{
	for (; n > 0; n -= HALVES_STEP) {
		for (size_t i = 0; i < HALVES_STEP; i++)
			to[i] = bf16_value(load(from, i));
		from += 2 * HALVES_STEP;
		to += HALVES_STEP;
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
		to[i] = f16_value(load(from, i));
}

void
halves_from_bf16(const unsigned char *from, size_t n, float *to)
{
	size_t i = n / HALVES_STEP * HALVES_STEP;

	choose()->bf16(from, i, to);
	for (; i < n; i++)
		to[i] = bf16_value(load(from, i));
}
