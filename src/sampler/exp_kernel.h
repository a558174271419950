/* SPDX-License-Identifier: MIT */
/*
 * The template of exp_array.c's kernels, which includes it once for each.
 *
 *	KERNEL           the name of the function
 *	TARGET           an attribute that names instructions, or nothing
 *	WIDTH            how many doubles an instruction works on
 *	DOUBLES, FLOATS  so many of them
 *	BITS             so many integers of 64 bits without sign
 *	WIDEN, NARROW    from FLOATS to DOUBLES and back
 *	POWERS, GET_POWERS, LOOK_UP(powers, i)
 *	                 how 2^(0/16) to 2^(15/16) are kept at hand, and those
 *	                 of them that the last four bits of each i number
 */

/* struct exp_kernel's run. */
TARGET static void
KERNEL(const float *restrict x, float max, float *restrict e, size_t n,
    double *restrict lanes)
{
	enum { LOTS = 4 * WIDTH, SUMS = EXP_LANES / WIDTH };
	POWERS powers = GET_POWERS;
	DOUBLES rounded[4], count[4], r[4], r2[4], tail[4], y[4], sum[SUMS];
	FLOATS narrow[4];
	BITS bits[4], power[4];
	float gap[LOTS];

	memcpy(sum, lanes, sizeof(sum));
	for (size_t i = 0; i < n; i += LOTS) {
		for (size_t k = 0; k < LOTS; k++) {
			gap[k] = x[i + k] - max;
			gap[k] = gap[k] < -FAR ? -FAR : gap[k];
		}
		memcpy(narrow, gap, sizeof(narrow));
		FOR_FOUR r[j] = WIDEN(narrow[j]);
		FOR_FOUR rounded[j] = r[j] * STEPS_PER_LN2 + ROUNDER;
		FOR_FOUR count[j] = rounded[j] - ROUNDER;
		FOR_FOUR r[j] = r[j] - count[j] * STEP_TOP;
		FOR_FOUR r[j] = r[j] - count[j] * STEP_REST;
		FOR_FOUR r2[j] = r[j] * r[j];
		FOR_FOUR tail[j] = 1.0 / 720 + r[j] * (1.0 / 5040);
		FOR_FOUR tail[j] = (1.0 / 24 + r[j] * (1.0 / 120)) +
		    r2[j] * tail[j];
		FOR_FOUR tail[j] = (1.0 / 2 + r[j] * (1.0 / 6)) +
		    r2[j] * tail[j];
		FOR_FOUR tail[j] = r[j] + r2[j] * tail[j];
		memcpy(bits, rounded, sizeof(bits));
		FOR_FOUR y[j] = LOOK_UP(powers, bits[j]);
		memcpy(power, y, sizeof(power));
		FOR_FOUR power[j] += bits[j] >> STEP_BITS << FRACTION_BITS;
		memcpy(y, power, sizeof(y));
		FOR_FOUR y[j] = y[j] + y[j] * tail[j];
		FOR_FOUR narrow[j] = NARROW(y[j]);
		FOR_FOUR memcpy(
		    e + i + j * WIDTH, &narrow[j], sizeof(narrow[j]));
		FOR_FOUR sum[(i / WIDTH + j) % SUMS] += y[j];
	}
	memcpy(lanes, sum, sizeof(sum));
}

#undef KERNEL
#undef TARGET
#undef WIDTH
#undef DOUBLES
#undef FLOATS
#undef BITS
#undef WIDEN
#undef NARROW
#undef POWERS
#undef GET_POWERS
#undef LOOK_UP
