/* SPDX-License-Identifier: MIT */
/* The number formats that rows are stored in. */
#include "dtype.h"

#include <stdint.h>
#include <string.h>

#include "halves.h"

const char *const dtype_names[] = {"f32", "f64", "f16", "bf16", NULL};

size_t
dtype_size(enum dtype dtype)
{
	switch (dtype) {
	case DTYPE_F64:
		return 8;
	case DTYPE_F32:
		return 4;
	default:
		return 2;
	}
}

bool
dtype_is_native(enum dtype dtype)
{
	const uint16_t one = 1;
	unsigned char first;

	memcpy(&first, &one, 1);
	return dtype == DTYPE_F32 && first == 1;
}

static uint64_t
load(const unsigned char *from, size_t size)
{
	uint64_t bits = 0;

	while (size-- > 0)
		bits = bits << 8 | from[size];
	return bits;
}

static float
float_of(uint32_t bits)
{
	float value;

	memcpy(&value, &bits, sizeof(value));
	return value;
}

static double
from_f64(const unsigned char *from)
{
	uint64_t bits = load(from, 8);
	double value;

	memcpy(&value, &bits, sizeof(value));
	return value;
}

void
dtype_to_float(enum dtype dtype, const unsigned char *from, size_t n, float *to)
{
	size_t i;

	switch (dtype) {
	case DTYPE_F32:
		for (i = 0; i < n; i++)
			to[i] = float_of((uint32_t)load(from + 4 * i, 4));
		break;
	case DTYPE_F64:
		for (i = 0; i < n; i++)
			to[i] = (float)from_f64(from + 8 * i);
		break;
	case DTYPE_F16:
		halves_from_f16(from, n, to);
		break;
	case DTYPE_BF16:
		halves_from_bf16(from, n, to);
		break;
	}
}

void
dtype_to_double(
    enum dtype dtype, const unsigned char *from, size_t n, double *to)
{
	size_t size = dtype_size(dtype);
	float narrow;

	for (size_t i = 0; i < n; i++) {
		if (dtype == DTYPE_F64) {
			to[i] = from_f64(from + size * i);
			continue;
		}
		dtype_to_float(dtype, from + size * i, 1, &narrow);
		to[i] = (double)narrow;
	}
}
