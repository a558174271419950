/* SPDX-License-Identifier: MIT */
/* Logits as integers that rank the same. */
#ifndef TOKPICK_RANK_KEY_H
#define TOKPICK_RANK_KEY_H

#include <stdint.h>
#include <string.h>

/*
 * A number that is smaller the higher the logit, the same for -0 and 0.  The
 * bits of positive floats ascend with their value and those of negative ones
 * descend, so the first are flipped here and the second are not.  Adding +0
 * makes -0 +0.
 */
static inline uint32_t
rank_key(float logit)
{
	uint32_t bits;

	logit += 0.0f;
	memcpy(&bits, &logit, sizeof(bits));
	return bits & 0x80000000 ? bits : bits ^ 0x7fffffff;
}

/* The highest logit with this key or a greater one; NaN behind -inf. */
static inline float
rank_key_logit(uint32_t key)
{
	uint32_t bits = key & 0x80000000 ? key : key ^ 0x7fffffff;
	float logit;

	if (key == 0x80000000) /* -0 has the key of 0 */
		bits++;
	memcpy(&logit, &bits, sizeof(logit));
	return logit;
}

#endif
