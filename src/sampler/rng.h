/* SPDX-License-Identifier: MIT */
/* The random generators, each defined to the bit. */
#ifndef TOKPICK_RNG_H
#define TOKPICK_RNG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A generator's state.  PCG-DXSM uses both words, SplitMix64 the low one.
 */
struct rng {
	uint64_t high;
	uint64_t low;
};

/* A generator, by its rules. */
struct generator {
	const char *name;
	size_t words; /* of 64 bits in its state: low alone, or high too */
	void (*seed)(struct rng *, uint64_t seed);
	uint64_t (*next)(struct rng *); /* 64 random bits */
	double (*unit)(struct rng *);   /* one next() as a number in [0, 1) */
};

/*
 * PCG-DXSM as in Go's math/rand/v2, seeded as golem seeds it: the state is
 * the seed above seed ^ 0x9e3779b97f4a7c15; unit is the low 53 bits.
 * policies.md "golem"; O'Neill, "PCG", and her DXSM output function.
 */
extern const struct generator generator_pcg;

/*
 * SplitMix64 (Steele, Lea, Flood): the state is the seed; a step adds the
 * golden gamma, the output mixes the new state; unit is the high 53 bits.
 * policies.md "strict".
 */
extern const struct generator generator_splitmix64;

/* Room for a state as text: hexadecimal, high word first. */
enum { RNG_TEXT = 2 * 16 + 1 };
void rng_print(
    const struct generator *, const struct rng *, char text[RNG_TEXT]);

/* The state in a text of exactly as many digits.  False if it is none. */
bool rng_parse(const struct generator *, const char *text, struct rng *);

#endif
