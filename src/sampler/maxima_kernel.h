/* SPDX-License-Identifier: MIT */
/*
 * The template of maxima.c's kernels, which includes it once for each.
 *
 *	NAME(function)       the function's name with the kernel's
 *	TARGET               an attribute that names instructions, or nothing
 *	WIDTH                how many floats an instruction works on
 *	FLOATS               so many of them
 *	LOAD(place)          so many from there
 *	LOAD_BF16(place)     the same out of struct bf16
 *	HIGHER(a, b)         at each place the higher one
 *	HIGHEST(a)           the highest of one FLOATS
 *	TRUTHS, ALL          so many truths, and all of them true
 *	AND_GOOD(truths, a)  those where besides a is below infinity
 *	ARE_ALL(truths)      are all of them true?
 *	BITS(a, b)           bit i: it is not so that a <= b at place i
 *	SPREAD(value)        FLOATS that are all this one
 *
 * Each function is there for floats and for bf16, which are read as such: of
 * the choice in load() every instance has one side.  GCOVR_EXCL_BR_START
 */

TARGET TEMPLATE FLOATS
NAME(load)(const void *row, size_t i, bool is_bf16)
{
	return is_bf16 ? LOAD_BF16((const struct bf16 *)row + i)
	               : LOAD((const float *)row + i);
}

TARGET TEMPLATE bool
NAME(find_any)(const void *row, size_t n, size_t size, float *max, bool is_bf16)
{
	FLOATS value[4], high[4];
	TRUTHS good[4];
	size_t at = 0;

	FOR_FOUR good[j] = ALL;
	for (size_t part = 0; part < n; part++) {
		FOR_FOUR high[j] = SPREAD(-INFINITY);
		for (size_t end = at + size; at < end; at += 4 * WIDTH) {
			FOR_FOUR value[j] = NAME(load)(
			    row, at + j * WIDTH, is_bf16);
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

TARGET TEMPLATE uint64_t
NAME(above_any)(const void *values, float floor, bool is_bf16)
{
	FLOATS floors = SPREAD(floor);
	uint64_t bits = 0, some;

	for (size_t i = 0; i < MAXIMA_STEP; i += 4 * WIDTH)
		FOR_FOUR
		{
			some = (uint64_t)BITS(
			    NAME(load)(values, i + j * WIDTH, is_bf16), floors);
			bits |= some << (i + j * WIDTH);
		}
	return bits;
}

/* Those of struct maxima_kernel.  GCOVR_EXCL_BR_STOP */

TARGET static bool
NAME(find)(const float *row, size_t n, size_t size, float *max)
{
	return NAME(find_any)(row, n, size, max, false);
}

TARGET static bool
NAME(find_bf16)(const struct bf16 *row, size_t n, size_t size, float *max)
{
	return NAME(find_any)(row, n, size, max, true);
}

TARGET static uint64_t
NAME(above)(const float *values, float floor)
{
	return NAME(above_any)(values, floor, false);
}

TARGET static uint64_t
NAME(above_bf16)(const struct bf16 *values, float floor)
{
	return NAME(above_any)(values, floor, true);
}

#undef NAME
#undef TARGET
#undef WIDTH
#undef FLOATS
#undef LOAD
#undef LOAD_BF16
#undef HIGHER
#undef HIGHEST
#undef TRUTHS
#undef ALL
#undef AND_GOOD
#undef ARE_ALL
#undef BITS
#undef SPREAD
