/* SPDX-License-Identifier: MIT */
/* The highest logits of the parts of a row, and the checks that ride along. */
#include "maxima.h"

#include <math.h> /* INFINITY; no function */

/* Loops of fixed length without a branch are what compilers make vectors of. */
#if defined(__GNUC__)
#define TEMPLATE static inline __attribute__((always_inline))
#else
#define TEMPLATE static inline
#endif

/* A macro, since gcc gives up on a loop that has a function for it. */
#define HIGHER(a, b) ((a) > (b) ? (a) : (b))

/* The highest of one step, by halves. */
TEMPLATE float
step_maximum(const float *row)
{
	enum { QUARTER = MAXIMA_STEP / 4 };
	float max[QUARTER], one, other;

	for (size_t i = 0; i < QUARTER; i++) {
		one = HIGHER(row[i], row[i + QUARTER]);
		other = HIGHER(row[i + 2 * QUARTER], row[i + 3 * QUARTER]);
		max[i] = HIGHER(one, other);
	}
	for (size_t i = 0; i < QUARTER / 2; i++)
		max[i] = HIGHER(max[i], max[i + QUARTER / 2]);
	for (size_t i = 0; i < QUARTER / 4; i++)
		max[i] = HIGHER(max[i], max[i + QUARTER / 4]);
	one = HIGHER(max[0], max[1]);
	other = HIGHER(max[2], max[3]);
	return HIGHER(one, other);
}

TEMPLATE bool
find(const float *row, size_t n, size_t size, float *max)
{
	const float *end = row;
	unsigned bad = 0;
	float highest, step;

	for (size_t part = 0; part < n; part++) {
		highest = -INFINITY;
		for (end += size; row < end; row += MAXIMA_STEP) {
			step = step_maximum(row);
			highest = HIGHER(step, highest);
			for (size_t i = 0; i < MAXIMA_STEP; i++)
				bad |= !(row[i] < INFINITY);
		}
		max[part] = highest;
	}
	return bad == 0;
}

static bool
find_portable(const float *row, size_t n, size_t size, float *max)
{
	return find(row, n, size, max);
}

#if CPU_X86
__attribute__((target("avx2"))) static bool
find_avx2(const float *row, size_t n, size_t size, float *max)
{
	return find(row, n, size, max);
}

__attribute__((target("avx512f"))) static bool
find_avx512(const float *row, size_t n, size_t size, float *max)
{
	return find(row, n, size, max);
}
#endif

const struct maxima_kernel maxima_kernels[] = {
#if CPU_X86
    {"avx512", CPU_AVX512, find_avx512},
    {"avx2", CPU_AVX2, find_avx2},
#endif
    {"portable", CPU_ANY, find_portable},
    {NULL, CPU_ANY, NULL},
};

bool
maxima_find(const float *row, size_t n, size_t size, float *max)
{
	const struct maxima_kernel *kernel = maxima_kernels;

	while (!cpu_has(kernel->needs))
		kernel++;
	return kernel->run(row, n, size, max);
}

size_t
maxima_first_bad(const float *row, size_t n)
{
	size_t i = 0;

	while (i < n && row[i] < INFINITY)
		i++;
	return i;
}

size_t
maxima_of_row(const float *row, size_t n, float *max)
{
	size_t i = n / MAXIMA_STEP * MAXIMA_STEP;
	bool good = true;

	*max = -INFINITY;
	if (i > 0)
		good = maxima_find(row, 1, i, max);
	for (; i < n; i++) {
		*max = HIGHER(row[i], *max);
		good = good && row[i] < INFINITY;
	}
	return good ? n : maxima_first_bad(row, n);
}
