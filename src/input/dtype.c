/* SPDX-License-Identifier: MIT */
/* The number formats that rows are stored in. */
#include "dtype.h"

#include <stdint.h>
#include <string.h>

#include "../little.h"
#include "../sampler/halves.h"
#include "codes.h"

const char *const dtype_names[] = {"f32", "f64", "f16", "bf16", NULL};

const char *
dtype_name(enum dtype dtype)
{
	return dtype > DTYPE_BF16 ? "codes of 16 bits" : dtype_names[dtype];
}

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

size_t
dtype_row_size(enum dtype dtype, size_t n)
{
	if (n > SIZE_MAX / sizeof(double) - CODES_HEAD)
		return 0;
	if (dtype > DTYPE_BF16)
		return codes_size(n);
	return n * dtype_size(dtype);
}

bool
dtype_is_native(enum dtype dtype)
{
	const uint16_t is_f32 = dtype == DTYPE_F32;
	unsigned char first; /* in memory: the lowest, if it is native */

	memcpy(&first, &is_f32, 1);
	return first != 0;
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
	uint64_t bits = little(from, 8);
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
			to[i] = float_of(little_32(from + 4 * i));
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
	default:
		codes_to_float(from, n, dtype == DTYPE_CODES_MASK, to);
		break;
	}
}

void
dtype_to_double(
    enum dtype dtype, const unsigned char *from, size_t n, double *to)
{
	size_t size = dtype_size(dtype);
	float narrow;

	if (dtype > DTYPE_BF16) {
		codes_to_double(from, n, dtype == DTYPE_CODES_MASK, to);
		return;
	}
	for (size_t i = 0; i < n; i++) {
		if (dtype == DTYPE_F64) {
			to[i] = from_f64(from + size * i);
			continue;
		}
		dtype_to_float(dtype, from + size * i, 1, &narrow);
		to[i] = (double)narrow;
	}
}
