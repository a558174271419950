/* SPDX-License-Identifier: MIT */
/*
 * The template of maxima.c's kernels, which includes it once for each.
 *
 *	FIND, ABOVE          the names of the functions
 *	TARGET               an attribute that names instructions, or nothing
 *	WIDTH                how many floats an instruction works on
 *	FLOATS               so many of them
 *	LOAD(place)          so many from there
 *	HIGHER(a, b)         at each place the higher one
 *	HIGHEST(a)           the highest of one FLOATS
 *	TRUTHS, ALL          so many truths, and all of them true
 *	AND_GOOD(truths, a)  those where besides a is below infinity
 *	ARE_ALL(truths)      are all of them true?
 *	BITS(a, b)           bit i: it is not so that a <= b at place i
 *	SPREAD(value)        FLOATS that are all this one
 */

/* struct maxima_kernel's find. */
TARGET static bool
FIND(const float *row, size_t n, size_t size, float *max)
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

/* struct maxima_kernel's above. */
TARGET static uint64_t
ABOVE(const float *value, float floor)
{
	FLOATS floors = SPREAD(floor);
	uint64_t bits = 0, some;

	for (size_t i = 0; i < MAXIMA_STEP; i += 4 * WIDTH)
		FOR_FOUR
		{
			some = (uint64_t)BITS(
			    LOAD(value + i + j * WIDTH), floors);
			bits |= some << (i + j * WIDTH);
		}
	return bits;
}

#undef FIND
#undef ABOVE
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
#undef BITS
#undef SPREAD
