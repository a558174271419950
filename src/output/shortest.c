/* SPDX-License-Identifier: MIT */
/* Numbers in decimal: the fewest digits that read back as the same one. */
#include "shortest.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

static bool
reads_back_float(const char *text, float value)
{
	return strtof(text, NULL) == value &&
	    (float)strtod(text, NULL) == value;
}

/*
 * With FLT_DIG digits %g finds every text that has as many or fewer, since
 * such a text survives the way through a float.  The denormals are not that
 * exact, so for them the search begins at one digit.  NaN never reads back:
 * the search ends where every float has, at FLT_DECIMAL_DIG.
 */
void
shortest_float(char text[SHORTEST], float value)
{
	int digits = fabsf(value) < FLT_MIN ? 1 : FLT_DIG;

	for (; digits <= FLT_DECIMAL_DIG; digits++) {
		snprintf(text, SHORTEST, "%.*g", digits, (double)value);
		if (reads_back_float(text, value))
			break;
	}
}

/* The same, where DBL_DIG is 15. */
void
shortest_double(char text[SHORTEST], double value)
{
	int digits = fabs(value) < DBL_MIN ? 1 : DBL_DIG;

	for (; digits <= DBL_DECIMAL_DIG; digits++) {
		snprintf(text, SHORTEST, "%.*g", digits, value);
		if (strtod(text, NULL) == value)
			break;
	}
}
