/* SPDX-License-Identifier: MIT */
/*
 * The template of maxima.c's kernels, which includes it once for each.
 *
 *	KERNEL               the name of the function
 *	TARGET               an attribute that names instructions, or nothing
 *	WIDTH                how many floats an instruction works on
 *	FLOATS               so many of them
 *	LOAD(place)          so many from there
 *	HIGHER(a, b)         at each place the higher one
 *	HIGHEST(a)           the highest of one FLOATS
 *	TRUTHS, ALL          so many truths, and all of them true
 *	AND_GOOD(truths, a)  those where besides a is below infinity
 *	ARE_ALL(truths)      are all of them true?
 */

/* struct maxima_kernel's run. */
TARGET static bool
KERNEL(const float *row, size_t n, size_t size, float *max)
{
	FLOATS value[4], high[4];
	TRUTHS good[4];

	FOR_FOUR good[j] = ALL;
	for (size_t part = 0; part < n; part++, row += size) {
		FOR_FOUR high[j] = LOAD(row + j * WIDTH);
		for (size_t i = 0; i < size; i += 4 * WIDTH) {
			FOR_FOUR value[j] = LOAD(row + i + j * WIDTH);
			FOR_FOUR high[j] = HIGHER(value[j], high[j]);
			FOR_FOUR good[j] = AND_GOOD(good[j], value[j]);
		}
		high[0] = HIGHER(high[0], high[1]);
		high[2] = HIGHER(high[2], high[3]);
		max[part] = HIGHEST(HIGHER(high[0], high[2]));
	}
	good[0] &= good[1];
	good[2] &= good[3];
	return ARE_ALL(good[0] & good[2]);
}

#undef KERNEL
#undef TARGET
#undef WIDTH
#undef FLOATS
#undef LOAD
#undef HIGHER
#undef HIGHEST
#undef TRUTHS
#undef ALL
#undef AND_GOOD
#undef ARE_ALL
