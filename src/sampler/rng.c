/* SPDX-License-Identifier: MIT */
/* The random generators, each defined to the bit. */
#include "rng.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* 2^-53: the spacing of doubles just below 1. */
static const double unit_step = 0x1p-53;

/* The high 64 bits of a 64 by 64 bit product, from 32-bit halves. */
static uint64_t
multiply_high(uint64_t a, uint64_t b)
{
	uint64_t a0 = (uint32_t)a, a1 = a >> 32;
	uint64_t b0 = (uint32_t)b, b1 = b >> 32;
	uint64_t low = a0 * b0, middle = a1 * b0 + (low >> 32);
	uint64_t carry = a0 * b1 + (uint32_t)middle;

	return a1 * b1 + (middle >> 32) + (carry >> 32);
}

static void
pcg_seed(struct rng *rng, uint64_t seed)
{
	rng->high = seed;
	rng->low = seed ^ 0x9e3779b97f4a7c15;
}

/* state * multiplier + increment, modulo 2^128 */
static void
pcg_step(struct rng *rng)
{
	const uint64_t mul_high = 2549297995355413924;
	const uint64_t mul_low = 4865540595714422341;
	const uint64_t inc_high = 6364136223846793005;
	const uint64_t inc_low = 1442695040888963407;
	uint64_t low, high;

	low = rng->low * mul_low;
	high = multiply_high(rng->low, mul_low) + rng->low * mul_high +
	    rng->high * mul_low;
	rng->low = low + inc_low;
	rng->high = high + inc_high + (rng->low < inc_low);
}

/* The output hashes the state that the step has just made. */
static uint64_t
pcg_next(struct rng *rng)
{
	const uint64_t cheap_multiplier = 0xda942042e4dd58b5;
	uint64_t hash;

	pcg_step(rng);
	hash = rng->high;
	hash ^= hash >> 32;
	hash *= cheap_multiplier;
	hash ^= hash >> 48;
	return hash * (rng->low | 1);
}

static double
pcg_unit(struct rng *rng)
{
	const uint64_t low_53 = (UINT64_C(1) << 53) - 1;

	return (double)(pcg_next(rng) & low_53) * unit_step;
}

static void
pcg_print(const struct rng *rng, char *text)
{
	snprintf(
	    text, RNG_TEXT, "%016" PRIx64 "%016" PRIx64, rng->high, rng->low);
}

static bool
pcg_parse(struct rng *rng, const char *text)
{
	char high[17] = "";

	memcpy(high, text, 16);
	rng->high = strtoull(high, NULL, 16);
	rng->low = strtoull(text + 16, NULL, 16);
	return true;
}

const struct generator generator_pcg = {.name = "pcg-dxsm",
    .digits = 32,
    .limit = "",
    .print = pcg_print,
    .parse = pcg_parse,
    .seed = pcg_seed,
    .next = pcg_next,
    .unit = pcg_unit};

static void
splitmix64_seed(struct rng *rng, uint64_t seed)
{
	*rng = (struct rng){.low = seed};
}

static uint64_t
splitmix64_next(struct rng *rng)
{
	uint64_t z = rng->low += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

static double
splitmix64_unit(struct rng *rng)
{
	return (double)(splitmix64_next(rng) >> 11) * unit_step;
}

static void
splitmix64_print(const struct rng *rng, char *text)
{
	snprintf(text, RNG_TEXT, "%016" PRIx64, rng->low);
}

static bool
splitmix64_parse(struct rng *rng, const char *text)
{
	rng->low = strtoull(text, NULL, 16);
	return true;
}

const struct generator generator_splitmix64 = {.name = "splitmix64",
    .digits = 16,
    .limit = "",
    .print = splitmix64_print,
    .parse = splitmix64_parse,
    .seed = splitmix64_seed,
    .next = splitmix64_next,
    .unit = splitmix64_unit};

void
rng_copy(const struct generator *g, struct rng *to, const struct rng *from)
{
	to->high = from->high;
	to->low = from->low;
	to->sequence = from->sequence;
	to->purpose = from->purpose;
	if (g->long_state)
		to->mt = from->mt;
}

void
rng_print(const struct generator *g, const struct rng *rng, char text[RNG_TEXT])
{
	g->print(rng, text);
}

bool
rng_parse(const struct generator *g, const char *text, struct rng *rng)
{
	return strlen(text) == g->digits &&
	    text[strspn(text, "0123456789abcdefABCDEF")] == '\0' &&
	    g->parse(rng, text);
}
