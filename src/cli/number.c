/* SPDX-License-Identifier: MIT */
/* Numbers out of texts, taken whole or refused. */
#include "number.h"

#include <ctype.h>
#include <errno.h>
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* strtol and its kin pass over blanks and stop where a number does. */
static bool
is_whole(const char *text, const char *end)
{
	return end != text && *end == '\0' && !isspace((unsigned char)*text);
}

/* Bounds that are whole numbers are shown to the last digit. */
static bool
outside(const char *text, double low, double high, const char *where,
    struct error *err)
{
	int digits = low > -FLT_MAX && high < FLT_MAX ? 19 : 9;

	return error_set(err, STATUS_USAGE,
	    "%s: %s is out of range: %.*g to %.*g", where, text, digits, low,
	    digits, high);
}

bool
number_int(const char *text, double low, double high, int64_t *value,
    const char *where, struct error *err)
{
	bool bounded = low != 0 || high != 0;
	long long parsed;
	char *end;

	errno = 0;
	parsed = strtoll(text, &end, 10);
	if (!is_whole(text, end))
		return error_set(err, STATUS_USAGE,
		    "%s: '%s' is not a whole number", where, text);
	if (errno == ERANGE && !bounded)
		return error_set(err, STATUS_USAGE,
		    "%s: %s is out of range: %" PRId64 " to %" PRId64, where,
		    text, INT64_MIN, INT64_MAX);
	if (errno == ERANGE ||
	    (bounded && ((double)parsed < low || (double)parsed > high)))
		return outside(text, low, high, where, err);
	*value = parsed;
	return true;
}

bool
number_float(const char *text, double low, double high, float *value,
    const char *where, struct error *err)
{
	float parsed;
	char *end;

	parsed = strtof(text, &end);
	if (!is_whole(text, end))
		return error_set(
		    err, STATUS_USAGE, "%s: '%s' is not a number", where, text);
	if (!isfinite(parsed))
		return error_set(err, STATUS_USAGE,
		    "%s: %s is not a finite 32-bit number", where, text);
	if ((low != 0 || high != 0) &&
	    !((double)parsed >= low && (double)parsed <= high))
		return outside(text, low, high, where, err);
	*value = parsed;
	return true;
}

bool
number_double(
    const char *text, double *value, const char *where, struct error *err)
{
	char *end;

	*value = strtod(text, &end);
	if (!is_whole(text, end))
		return error_set(
		    err, STATUS_USAGE, "%s: '%s' is not a number", where, text);
	if (!isfinite(*value))
		return error_set(err, STATUS_USAGE,
		    "%s: %s is not a finite 64-bit number", where, text);
	return true;
}

void
number_print_float(float value, char text[NUMBER_TEXT])
{
	int digits = 0;

	do
		snprintf(text, NUMBER_TEXT, "%.*g", ++digits, (double)value);
	while (strtof(text, NULL) != value);
}

void
number_print_double(double value, char text[NUMBER_TEXT])
{
	int digits = 0;

	do
		snprintf(text, NUMBER_TEXT, "%.*g", ++digits, value);
	while (strtod(text, NULL) != value);
}

bool
number_seed(
    const char *text, uint64_t *value, const char *where, struct error *err)
{
	unsigned long long parsed;
	char *end;

	errno = 0;
	parsed = strtoull(text, &end, 10);
	if (!is_whole(text, end) || strchr(text, '-') != NULL ||
	    errno == ERANGE)
		return error_set(err, STATUS_USAGE,
		    "%s: '%s' is no seed: 0 to 18446744073709551615, "
		    "or 'random'",
		    where, text);
	*value = parsed;
	return true;
}

/* Digits at *text, which is moved behind them; 0 if there are none. */
static int64_t
digits(const char **text)
{
	const int64_t most = INT64_C(1) << 53;
	int64_t n = 0;

	for (; **text >= '0' && **text <= '9'; ++*text)
		n = n < most ? 10 * n + (**text - '0') : most;
	return n < most ? n : most;
}

bool
number_range(const char *text, int64_t *first, int64_t *last, const char *where,
    struct error *err)
{
	const char *at = text, *second;

	*first = *last = digits(&at);
	second = at;
	if (at == text)
		*first = 1;
	if (*at == ':') {
		second = ++at;
		*last = digits(&at);
	}
	if (*at != '\0' || strcmp(text, ":") == 0 || *text == '\0')
		return error_set(err, STATUS_USAGE,
		    "%s: '%s' is no range: A:B, A: or :B are wanted", where,
		    text);
	if (*first < 1 || (at > second && *last < *first))
		return error_set(err, STATUS_USAGE,
		    "%s: %s: the rows are counted from 1, and the last one "
		    "is not before the first",
		    where, text);
	return true;
}
