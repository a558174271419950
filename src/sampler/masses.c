/* SPDX-License-Identifier: MIT */
/* How far down from the best a wanted part of all probability reaches. */
#include "masses.h"

float
masses_floor(const struct masses *m, double mass)
{
	uint32_t bits;
	double sum = 0;
	float floor;

	for (uint32_t b = 0; b < MASS_BINS - 1; b++) {
		sum += m->bin[b];
		if (sum < mass)
			continue;
		bits = ((MASS_ONE - b) << (23 - MASS_BITS)) - 1;
		memcpy(&floor, &bits, sizeof(floor));
		return floor;
	}
	return -1;
}
