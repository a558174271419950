/* SPDX-License-Identifier: MIT */
/* What an unknown option may have been meant to be. */
#include "suggest.h"

#include <stdio.h>
#include <string.h>

#include "table.h"

/* Names longer than this are nobody's. */
enum { LONGEST = 32 };

static char
lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static size_t
least(size_t a, size_t b, size_t c)
{
	size_t ab = a < b ? a : b;

	return ab < c ? ab : c;
}

/*
 * How many letters must be changed, added, dropped or swapped with their
 * neighbour to make b of a: Damerau's distance, with three rows of the
 * table at a time.
 */
static size_t
distance(const char *a, size_t n, const char *b)
{
	size_t rows[3][LONGEST + 1], m = strlen(b), cost;
	size_t *two_back = rows[0], *back = rows[1], *row = rows[2], *swap;

	for (size_t j = 0; j <= m; j++)
		back[j] = j;
	for (size_t i = 1; i <= n; i++) {
		row[0] = i;
		for (size_t j = 1; j <= m; j++) {
			cost = lower(a[i - 1]) != b[j - 1];
			row[j] = least(
			    back[j] + 1, row[j - 1] + 1, back[j - 1] + cost);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] &&
			    a[i - 2] == b[j - 1] && two_back[j - 2] < row[j])
				row[j] = two_back[j - 2] + 1;
		}
		swap = two_back;
		two_back = back;
		back = row;
		row = swap;
	}
	return back[m];
}

/* The longest name that begins the text: "temp" for "temperature". */
static const char *
begun(const char *text, size_t length)
{
	const char *found = NULL;
	size_t n, longest = 2; /* fewer letters say too little */

	for (size_t i = 0; i < option_count; i++) {
		n = strlen(option_table[i].name);
		if (n > longest && n < length &&
		    memcmp(text, option_table[i].name, n) == 0) {
			longest = n;
			found = option_table[i].name;
		}
	}
	return found;
}

/* The nearest name within a third of the letters, or NULL. */
static const char *
nearest(const char *name, size_t length)
{
	size_t best = length / 3 + 1, d; /* to be less than */
	const char *found = NULL;

	if (length > LONGEST)
		return NULL;
	for (size_t i = 0; i < option_count; i++) {
		d = distance(name, length, option_table[i].name);
		if (d < best) {
			best = d;
			found = option_table[i].name;
		}
	}
	return found;
}

/* Names that begin so, or NULL where none or one does. */
static const char *
beginnings(const char *name, size_t length, char *text, size_t room)
{
	size_t used = 0, count = 0;

	for (size_t i = 0; i < option_count; i++) {
		if (strncmp(option_table[i].name, name, length) != 0)
			continue;
		if (used < room)
			used += (size_t)snprintf(text + used, room - used,
			    "%s--%s", count > 0 ? ", " : "",
			    option_table[i].name);
		count++;
	}
	return count > 1 ? text : NULL;
}

bool
suggest_option(const char *argument, int letter, struct error *err)
{
	char text[512];
	const char *name = argument + 2, *found;
	size_t length;

	if (strncmp(argument, "--", 2) != 0)
		return error_set(err, STATUS_USAGE,
		    "-%c: no such option; tokpick -h shows them", letter);
	length = strcspn(name, "=");
	found = beginnings(name, length, text, sizeof(text));
	if (found != NULL)
		return error_set(err, STATUS_USAGE, "--%.*s: which of %s?",
		    (int)length, name, found);
	found = nearest(name, length);
	if (found == NULL)
		found = begun(name, length);
	if (found != NULL)
		return error_set(err, STATUS_USAGE,
		    "--%.*s: no such option; did you mean --%s?", (int)length,
		    name, found);
	return error_set(err, STATUS_USAGE,
	    "--%.*s: no such option; tokpick --help shows them",
	    (int)(length < 100 ? length : 100), name);
}
