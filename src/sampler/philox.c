/* SPDX-License-Identifier: MIT */
/*
 * Philox4x32-10 (Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy
 * as 1, 2, 3"): a random number as a function of where it is used, with
 * nothing that goes on from one to the next.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "rng.h"

enum { ROUNDS = 10 };

void
philox_block(const uint32_t counter[4], uint64_t key, uint32_t block[4])
{
	uint32_t k0 = (uint32_t)key, k1 = (uint32_t)(key >> 32);
	uint32_t a = counter[0], b = counter[1], c = counter[2], d = counter[3];
	uint64_t first, second;

	for (int i = 0; i < ROUNDS; i++) {
		first = (uint64_t)a * 0xd2511f53;
		second = (uint64_t)c * 0xcd9e8d57;
		a = (uint32_t)(second >> 32) ^ b ^ k0;
		b = (uint32_t)second;
		c = (uint32_t)(first >> 32) ^ d ^ k1;
		d = (uint32_t)first;
		k0 += 0x9e3779b9;
		k1 += 0xbb67ae85;
	}
	block[0] = a;
	block[1] = b;
	block[2] = c;
	block[3] = d;
}

static void
seed(struct rng *rng, uint64_t seed)
{
	*rng = (struct rng){.high = seed};
}

static uint64_t
next(struct rng *rng)
{
	const uint32_t counter[4] = {(uint32_t)rng->low,
	    (uint32_t)(rng->low >> 32), rng->sequence, rng->purpose};
	uint32_t block[4];

	philox_block(counter, rng->high, block);
	return block[0] | (uint64_t)block[1] << 32;
}

static double
unit(struct rng *rng)
{
	return (double)(next(rng) >> 11) * 0x1p-53;
}

/* Rounding may reach 1, which no toss may. */
static float
coin(struct rng *rng)
{
	float value = (float)unit(rng);

	return value < 1 ? value : 1 - 0x1p-24f;
}

static void
print(const struct rng *rng, char *text)
{
	snprintf(text, RNG_TEXT, "%016" PRIx64, rng->high);
}

static bool
parse(struct rng *rng, const char *text)
{
	seed(rng, strtoull(text, NULL, 16));
	return true;
}

const struct generator generator_philox = {.name = "philox4x32-10",
    .digits = 16,
    .limit = "",
    .placed = true,
    .print = print,
    .parse = parse,
    .seed = seed,
    .next = next,
    .unit = unit,
    .coin = coin};
