/* SPDX-License-Identifier: MIT */
/* The number formats that rows are stored in. */
#ifndef TOKPICK_DTYPE_H
#define TOKPICK_DTYPE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * All little-endian, IEEE 754; BF16 is the upper half of an F32.  The last
 * two are for whole rows, codes.h: MASK makes a code of 0 -inf, KEEP doesn't.
 */
enum dtype {
	DTYPE_F32,
	DTYPE_F64,
	DTYPE_F16,
	DTYPE_BF16,
	DTYPE_CODES_MASK,
	DTYPE_CODES_KEEP,
};

/* The names that --dtype takes, in the order of the enum, NULL last. */
extern const char *const dtype_names[];

/* The name of any of them, for people. */
const char *dtype_name(enum dtype);

/* Bytes a value takes; codes are no values by themselves. */
size_t dtype_size(enum dtype);

/* Bytes that a row of n values takes, 0 if that is too many to count. */
size_t dtype_row_size(enum dtype, size_t n);

/* Are values in memory, suitably aligned, just floats of this machine? */
bool dtype_is_native(enum dtype);

/*
 * n values at from as floats at to.  F64 is rounded to nearest (and may
 * become infinite), the other formats are exact.
 */
void dtype_to_float(enum dtype, const unsigned char *from, size_t n, float *to);

/* The same as doubles, all exact. */
void dtype_to_double(
    enum dtype, const unsigned char *from, size_t n, double *to);

#endif
