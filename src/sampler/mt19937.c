/* SPDX-License-Identifier: MIT */
/* The Mersenne Twister, as C++'s <random> has it. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rng.h"

/* Where the recurrence looks ahead, and the two parts of a word it joins. */
enum { AHEAD = 397 };
static const uint32_t upper = 0x80000000, lower = 0x7fffffff;

static void
mt_seed(struct rng *rng, uint64_t seed)
{
	struct mt19937 *mt = &rng->mt;

	mt->word[0] = (uint32_t)seed;
	for (uint32_t i = 1; i < MT_WORDS; i++)
		mt->word[i] = 1812433253 *
		        (mt->word[i - 1] ^ mt->word[i - 1] >> 30) +
		    i;
	mt->used = MT_WORDS;
}

/* The next block of words, each from itself, its neighbour and one ahead. */
static void
twist(struct mt19937 *mt)
{
	uint32_t joined;

	for (size_t i = 0; i < MT_WORDS; i++) {
		joined = (mt->word[i] & upper) |
		    (mt->word[(i + 1) % MT_WORDS] & lower);
		mt->word[i] = mt->word[(i + AHEAD) % MT_WORDS] ^ joined >> 1 ^
		    (joined & 1 ? 0x9908b0df : 0);
	}
	mt->used = 0;
}

static uint32_t
mt_word(struct mt19937 *mt)
{
	uint32_t y;

	if (mt->used >= MT_WORDS)
		twist(mt);
	y = mt->word[mt->used++];
	y ^= y >> 11;
	y ^= y << 7 & 0x9d2c5680;
	y ^= y << 15 & 0xefc60000;
	return y ^ y >> 18;
}

static uint64_t
mt_next(struct rng *rng)
{
	uint64_t low = mt_word(&rng->mt);

	return low | (uint64_t)mt_word(&rng->mt) << 32;
}

/* Rounding may reach 1, which no draw may. */
static double
mt_unit(struct rng *rng)
{
	double unit = (double)mt_next(rng) * 0x1p-64;

	return unit < 1 ? unit : 1 - 0x1p-53;
}

/* One word rounded to float over 2^32, or just below 1. */
static float
mt_coin(struct rng *rng)
{
	float unit = (float)mt_word(&rng->mt) * 0x1p-32f;

	return unit < 1 ? unit : 1 - 0x1p-24f;
}

static void
mt_print(const struct rng *rng, char *text)
{
	for (size_t i = 0; i < MT_WORDS; i++)
		snprintf(text + 8 * i, 9, "%08" PRIx32, rng->mt.word[i]);
	snprintf(text + 8 * MT_WORDS, 9, "%08" PRIx32, rng->mt.used);
}

static bool
mt_parse(struct rng *rng, const char *text)
{
	char word[9] = "";
	uint32_t value = 0;

	for (size_t i = 0; i <= MT_WORDS; i++) {
		memcpy(word, text + 8 * i, 8);
		value = (uint32_t)strtoul(word, NULL, 16);
		if (i < MT_WORDS)
			rng->mt.word[i] = value;
	}
	rng->mt.used = value;
	return value <= MT_WORDS;
}

const struct generator generator_mt19937 = {.name = "mt19937",
    .digits = 8 * (MT_WORDS + 1),
    .long_state = true,
    .limit = ", the last 8 counting up to 624 words used",
    .print = mt_print,
    .parse = mt_parse,
    .seed = mt_seed,
    .next = mt_next,
    .unit = mt_unit,
    .coin = mt_coin};
