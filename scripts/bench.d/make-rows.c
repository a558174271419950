/* SPDX-License-Identifier: MIT */
/* Rows of logits for scripts/bench, the same ones on every machine. */

/*
 * usage: make-rows VOCAB ROWS [bf16] >FILE
 *
 * f32, or the upper halves of the same.
 *
 * What a selection meets in a row of a language model: a Gaussian body of
 * standard deviation 2.5 around 0, and a dozen tokens well above it.  Even
 * the arithmetic is tokpick's own, so that the bytes never differ.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../src/sampler/dmath.h"

enum { HIGH_TOKENS = 12 };

static const double sigma = 2.5, high_from = 12, high_to = 20;

/* SplitMix64. */
static uint64_t
next_random(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

/* In [low, high). */
static double
next_between(uint64_t *state, double low, double high)
{
	double unit = (double)(next_random(state) >> 11) * 0x1p-53;

	return low + (high - low) * unit;
}

/* Two independent Gaussian values (Marsaglia's polar method). */
static void
next_gaussians(uint64_t *state, float *pair)
{
	double u, v, square, scale;

	do {
		u = next_between(state, -1, 1);
		v = next_between(state, -1, 1);
		square = u * u + v * v;
	} while (square >= 1 || square == 0);
	scale = sigma *
	    (double)math_sqrtf((float)(-2 * math_log(square) / square));
	pair[0] = (float)(u * scale);
	pair[1] = (float)(v * scale);
}

/* row has room for one value more, so that pairs fit an odd vocabulary. */
static void
make_row(uint64_t *state, float *row, size_t vocab)
{
	for (size_t i = 0; i < vocab; i += 2)
		next_gaussians(state, row + i);
	for (int i = 0; i < HIGH_TOKENS; i++)
		row[next_random(state) % vocab] = (float)next_between(
		    state, high_from, high_to);
}

/* The bench runs where a float's upper half comes last in memory. */
static void
keep_upper_halves(float *row, size_t vocab)
{
	char *bytes = (char *)row;

	for (size_t i = 0; i < vocab; i++)
		memmove(bytes + 2 * i, bytes + 4 * i + 2, 2);
}

int
main(int argc, char **argv)
{
	uint64_t state = 1;
	bool halves = argc == 4 && strcmp(argv[3], "bf16") == 0;
	size_t vocab, rows;
	float *row;

	if (argc != 3 + halves || (vocab = strtoul(argv[1], NULL, 10)) == 0) {
		fputs("usage: make-rows VOCAB ROWS [bf16] >FILE\n", stderr);
		return 2;
	}
	rows = strtoul(argv[2], NULL, 10);
	row = malloc((vocab + 1) * sizeof(*row));
	if (row == NULL) {
		perror("make-rows");
		return 1;
	}
	for (; rows > 0; rows--) {
		make_row(&state, row, vocab);
		if (halves)
			keep_upper_halves(row, vocab);
		if (fwrite(row, halves ? 2 : 4, vocab, stdout) != vocab)
			break;
	}
	free(row);
	if (rows > 0 || fflush(stdout) != 0) {
		perror("make-rows");
		return 1;
	}
	return 0;
}
