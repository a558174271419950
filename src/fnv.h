/* SPDX-License-Identifier: MIT */
/* The hash FNV-1a (Fowler, Noll, Vo), 64 bits: for what must be found unharmed
 * when it is read again, and for names. */
#ifndef TOKPICK_FNV_H
#define TOKPICK_FNV_H

#include <stddef.h>
#include <stdint.h>

#define FNV_BEGIN UINT64_C(0xcbf29ce484222325)

static inline uint64_t
fnv_byte(uint64_t hash, unsigned char byte)
{
	return (hash ^ byte) * UINT64_C(0x100000001b3);
}

static inline uint64_t
fnv_bytes(uint64_t hash, const char *from, size_t n)
{
	for (size_t i = 0; i < n; i++)
		hash = fnv_byte(hash, (unsigned char)from[i]);
	return hash;
}

/* The least significant byte first, whatever the processor's order. */
static inline uint64_t
fnv_number(uint64_t hash, uint64_t number)
{
	for (int i = 0; i < 8; i++, number >>= 8)
		hash = fnv_byte(hash, (unsigned char)(number & 0xff));
	return hash;
}

#endif
