/* SPDX-License-Identifier: MIT */
/* Little-endian numbers out of bytes, whatever the host's order. */
#ifndef TOKPICK_LITTLE_H
#define TOKPICK_LITTLE_H

#include <stddef.h>
#include <stdint.h>

/* The number in size bytes, at most 8. */
static inline uint64_t
little(const unsigned char *from, size_t size)
{
	uint64_t bits = 0;

	while (size-- > 0)
		bits = bits << 8 | from[size];
	return bits;
}

static inline uint32_t
little_32(const unsigned char *from)
{
	return (uint32_t)little(from, 4);
}

#endif
