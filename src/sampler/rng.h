/* SPDX-License-Identifier: MIT */
/* The random generators, each defined to the bit. */
#ifndef TOKPICK_RNG_H
#define TOKPICK_RNG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* mt19937's state: the words of a block, and how many have been used. */
enum { MT_WORDS = 624 };
struct mt19937 {
	uint32_t word[MT_WORDS];
	uint32_t used;
};

/*
 * A generator's state.  PCG-DXSM uses high and low, SplitMix64 low alone;
 * Philox has the seed in high, and where a number is used in the others.
 */
struct rng {
	uint64_t high;
	uint64_t low;
	uint32_t sequence;
	uint32_t purpose;
	struct mt19937 mt;
};

/* A generator, by its rules. */
struct generator {
	const char *name;
	size_t digits;     /* hexadecimal, of its state as a text */
	const char *limit; /* what else the digits must keep to, for people */
	bool long_state;   /* is it in mt, which costs to copy? */
	bool placed;       /* rng_place() says which number is next */
	void (*print)(const struct rng *, char *text);
	bool (*parse)(struct rng *, const char *text);
	void (*seed)(struct rng *, uint64_t seed);
	uint64_t (*next)(struct rng *); /* 64 random bits */
	double (*unit)(struct rng *);   /* one next() as a number in [0, 1) */
	float (*coin)(struct rng *);    /* a float in [0, 1), where xtc is */
};

/*
 * PCG-DXSM as in Go's math/rand/v2, seeded as golem seeds it: the state is
 * the seed above seed ^ 0x9e3779b97f4a7c15; unit is the low 53 bits.
 * tokpick(1), "golem"; O'Neill, "PCG", and her DXSM output function.
 */
extern const struct generator generator_pcg;

/*
 * SplitMix64 (Steele, Lea, Flood): the state is the seed; a step adds the
 * golden gamma, the output mixes the new state; unit is the high 53 bits.
 * tokpick(1), "strict".
 */
extern const struct generator generator_splitmix64;

/*
 * mt19937 (Matsumoto, Nishimura) as in C++'s <random>; tokpick(1), "llama.cpp",
 * "Random numbers".  next() is two words, the first one low; unit is that
 * number rounded to double over 2^64, or just below 1.
 */
extern const struct generator generator_mt19937;

/*
 * Philox4x32-10, keyed by the seed: its number is a function of the row's
 * number and sequence and of what it is for, which have to be set before;
 * unit is the high 53 bits of the block's first two words, the first one low.
 * tokpick(1), "Random numbers by row".
 */
extern const struct generator generator_philox;
void philox_block(const uint32_t counter[4], uint64_t key, uint32_t block[4]);

/* What a number of a row is for. */
#define PURPOSE_COIN 1
#define PURPOSE_DRAW(i) ((i) == 0 ? 0 : 16 + (uint32_t)(i))
/* The second draw, inside a grammar. */
#define PURPOSE_AGAIN(i) ((i) == 0 ? 2 : UINT32_C(1) << 31 | PURPOSE_DRAW(i))

/* Copy as much of a state as this generator uses. */
void rng_copy(const struct generator *, struct rng *to, const struct rng *from);

/* Room for any state as a text: hexadecimal, the first word first. */
enum { RNG_TEXT = MT_WORDS * 8 + 8 + 1 };
void rng_print(
    const struct generator *, const struct rng *, char text[RNG_TEXT]);

/* The state in a text of exactly as many digits.  False if it is none. */
bool rng_parse(const struct generator *, const char *text, struct rng *);

#endif
