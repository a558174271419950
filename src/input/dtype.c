/* SPDX-License-Identifier: MIT */
/* The number formats that rows are stored in. */
#include "dtype.h"

#include <stdint.h>
#include <string.h>

#include "../little.h"

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

/* Sign, 5 bits of exponent (bias 15), 10 of fraction. */
static float
from_f16(const unsigned char *from)
{
	uint32_t bits = (uint32_t)little(from, 2);
	uint32_t sign = (bits & 0x8000) << 16;
	uint32_t exponent = bits >> 10 & 31, fraction = bits & 0x3ff;
	float denormal;

	if (exponent == 31)
		return float_of(sign | 0x7f800000 | fraction << 13);
	if (exponent > 0)
		return float_of(
		    sign | (exponent + 127 - 15) << 23 | fraction << 13);
	denormal = (float)fraction * 0x1p-24f;
	return sign ? -denormal : denormal;
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
		for (i = 0; i < n; i++)
			to[i] = from_f16(from + 2 * i);
		break;
	case DTYPE_BF16:
		for (i = 0; i < n; i++)
			to[i] = float_of(
			    (uint32_t)little(from + 2 * i, 2) << 16);
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
