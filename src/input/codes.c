/* SPDX-License-Identifier: MIT */
/* Log-probabilities as codes of 16 bits. */
#include "../sampler/exact.h"

#include "codes.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "../little.h"

static float
load_float(const unsigned char *from)
{
	uint32_t bits = little_32(from);
	float value;

	memcpy(&value, &bits, sizeof(value));
	return value;
}

size_t
codes_size(size_t n)
{
	return CODES_HEAD + 2 * (n + n % 2);
}

/* The product is stored before it is added to: rounded, whatever the host. */
static void
convert(const unsigned char *codes, size_t n, float scale, float lowest,
    float least, float *to)
{
	uint32_t code;
	float product, sum;

	for (size_t i = 0; i < n; i++) {
		code = (uint32_t)codes[2 * i] | (uint32_t)codes[2 * i + 1] << 8;
		product = scale * (float)(int32_t)code;
		sum = lowest + product;
		to[i] = code == 0 ? least : sum;
	}
}

/* What a code of 0 is. */
static float
least_of(float scale, float lowest, bool mask)
{
	return mask && scale != 0 ? -INFINITY : lowest;
}

void
codes_to_float(const unsigned char *from, size_t n, bool mask, float *to)
{
	float scale = load_float(from), lowest = load_float(from + 4);

	convert(from + CODES_HEAD, n, scale, lowest,
	    least_of(scale, lowest, mask), to);
}

void
codes_to_double(const unsigned char *from, size_t n, bool mask, double *to)
{
	enum { SOME = 64 };
	float scale = load_float(from), lowest = load_float(from + 4);
	float least = least_of(scale, lowest, mask), narrow[SOME];
	size_t some;

	for (size_t at = 0; at < n; at += some) {
		some = n - at < SOME ? n - at : SOME;
		convert(from + CODES_HEAD + 2 * at, some, scale, lowest, least,
		    narrow);
		for (size_t i = 0; i < some; i++)
			to[at + i] = (double)narrow[i];
	}
}
