/* SPDX-License-Identifier: MIT */
/* A fuzzer's bytes as numbers, choices and rows; when they are over, zeros. */
#ifndef TOKPICK_FUZZ_FEED_H
#define TOKPICK_FUZZ_FEED_H

#include "../unit/helper.h"

int LLVMFuzzerTestOneInput(const uint8_t *, size_t);

/* What has to hold, and what is said where it does not. */
#define EXPECT(condition, ...)                        \
	do {                                          \
		if (!(condition)) {                   \
			fprintf(stderr, __VA_ARGS__); \
			fputc('\n', stderr);          \
			abort();                      \
		}                                     \
	} while (0)

struct feed {
	const uint8_t *at, *end;
};

static inline uint64_t
feed_bits(struct feed *f, size_t bytes)
{
	uint64_t bits = 0;

	for (; bytes > 0; bytes--)
		bits = bits << 8 | (f->at < f->end ? *f->at++ : 0);
	return bits;
}

static inline size_t
feed_below(struct feed *f, size_t n)
{
	return (size_t)(feed_bits(f, n > 256 ? 2 : 1) % n);
}

/* Out of the zeros behind the end, never. */
static inline bool
feed_one_in(struct feed *f, size_t n)
{
	return feed_below(f, n) == n - 1;
}

/* One of some values, of which the first is what there is by default. */
#define FEED_ONE(f, type, ...)                     \
	(((type const[]){__VA_ARGS__})[feed_below( \
	    (f), LENGTH(((type const[]){__VA_ARGS__})))])

/* The same of floats, or any finite one that is no higher than most. */
#define FEED_FLOAT(f, most, ...)                        \
	(feed_one_in((f), 8) ? feed_finite((f), (most)) \
	                     : FEED_ONE((f), float, __VA_ARGS__))

static inline float
feed_finite(struct feed *f, float most)
{
	float value = float_from_bits((uint32_t)feed_bits(f, 4));

	return isfinite(value) && value <= most ? value : 0;
}

static const float feed_specials[] = {0.0f, -0.0f, 1, -1, 0x1p-149f, -0x1p-149f,
    0x1.fffffcp-127f, 0x1p-126f, 0x1.fffffep127f, -0x1.fffffep127f, 88.75f,
    -88.75f, 104, -104, 200, -200, -INFINITY, 0x1p-24f, 1 + 0x1p-23f,
    1 - 0x1p-24f};

/* Now and then a row has NaN or +inf, which is to be refused. */
static inline void
feed_spoil(struct feed *f, float *logits, size_t n)
{
	for (size_t i = feed_below(f, 4); i > 0; i--)
		logits[feed_below(f, n)] = float_from_bits(
		    (uint32_t)feed_bits(f, 4));
	if (feed_one_in(f, 32))
		logits[feed_below(f, n)] = feed_one_in(f, 2) ? NAN : INFINITY;
}

/* Any bits, many ties, edges of float, or random rows of many kinds. */
static inline void
feed_row(struct feed *f, float *logits, size_t n)
{
	size_t kind = feed_below(f, 5);
	uint64_t seed;

	if (kind >= 3) {
		seed = feed_bits(f, 2);
		random_row(&seed, logits, n);
	}
	for (size_t i = 0; i < n && kind < 3; i++) {
		if (kind == 0)
			logits[i] = (float)((int)feed_bits(f, 1) - 128) / 8;
		else if (kind == 1)
			logits[i] =
			    feed_specials[feed_below(f, LENGTH(feed_specials))];
		else
			logits[i] = float_from_bits((uint32_t)feed_bits(f, 4));
	}
	feed_spoil(f, logits, n);
}

/* All, many, few, or what the bytes say. */
static inline void
feed_mask(struct feed *f, uint32_t *mask, size_t vocab)
{
	size_t kind = feed_below(f, 4);
	uint64_t seed = feed_bits(f, 2);

	for (size_t i = 0; i <= vocab / 32; i++) {
		if (kind == 3) {
			mask[i] = (uint32_t)feed_bits(f, 4);
			continue;
		}
		mask[i] = UINT32_MAX;
		for (size_t times = kind; times > 0; times--)
			mask[i] &= (uint32_t)random_bits(&seed);
	}
}

/* Mostly few, so that a run is short; now and then where other ways begin. */
static inline size_t
feed_vocab(struct feed *f, size_t most)
{
	size_t kind = feed_below(f, 64);

	if (kind < 52)
		return 1 + feed_below(f, 40);
	return 1 + feed_below(f, kind < 62 ? 300 : most);
}

/* How many rows there may be of so many values. */
static inline size_t
feed_rows(size_t vocab)
{
	return vocab <= 300 ? 4 : 1;
}

#endif
