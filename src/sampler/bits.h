/* SPDX-License-Identifier: MIT */
/* Which bits of a word are set: for (; bits != 0; bits &= bits - 1). */
#ifndef TOKPICK_BITS_H
#define TOKPICK_BITS_H

#include <stdint.h>

/* The place of the lowest one; there is one. */
static inline unsigned
bits_lowest(uint64_t bits)
{
#if defined(__GNUC__)
	return (unsigned)__builtin_ctzll(bits);
#else
	unsigned n = 0;

	while ((bits >> n & 1) == 0)
		n++;
	return n;
#endif
}

#endif
