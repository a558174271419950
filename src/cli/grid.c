/* SPDX-License-Identifier: MIT */
/* A grid of settings, written out as lines of options. */
#include "grid.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../text.h"
#include "number.h"
#include "sweep.h"

/* Options in a grid, and bytes of all its lines. */
enum { AXES_MOST = 16, BYTES_MOST = 1 << 28 };

/* An option and its values, which stand in the grid's text. */
struct axis {
	const char *name, *values;
	size_t name_length, length; /* of both */
	size_t count;
	bool range; /* the values are first, first + 1, … */
	int64_t first;
};

static bool
bad_axis(const char *at, struct error *err)
{
	return error_set(err, STATUS_USAGE,
	    "--grid: '%.40s': OPTION=VALUE,... or OPTION=FIRST:LAST is wanted, "
	    "with ; between options",
	    at);
}

/* first:last, both whole numbers; otherwise a list with commas between. */
static bool
read_values(struct axis *a, struct error *err)
{
	const char *colon = memchr(a->values, ':', a->length);
	char first[24], last[24];
	int64_t from, to;
	size_t n;

	a->count = 1;
	for (size_t i = 0; i < a->length; i++)
		a->count += a->values[i] == ',';
	if (colon == NULL)
		return true;
	n = (size_t)(colon - a->values);
	if (n >= sizeof(first) || a->length - n - 1 >= sizeof(last))
		return bad_axis(a->name, err);
	snprintf(first, sizeof(first), "%.*s", (int)n, a->values);
	snprintf(
	    last, sizeof(last), "%.*s", (int)(a->length - n - 1), colon + 1);
	if (!number_int(first, -0x1p53, 0x1p53, &from, "--grid", err) ||
	    !number_int(last, -0x1p53, 0x1p53, &to, "--grid", err))
		return false;
	if (to < from || to - from >= SWEEP_MOST)
		return error_set(err, STATUS_USAGE,
		    "--grid: '%.40s': from %" PRId64 " to %" PRId64
		    " there are not 1 to %d values",
		    a->name, from, to, SWEEP_MOST);
	a->range = true;
	a->first = from;
	a->count = (size_t)(to - from) + 1;
	return true;
}

/* One of them, of so many bytes. */
static bool
read_axis(const char *from, size_t length, struct axis *a, struct error *err)
{
	*a = (struct axis){.name = from, .name_length = strcspn(from, "=;")};
	if (a->name_length == 0 || a->name_length + 1 >= length)
		return bad_axis(from, err);
	a->values = from + a->name_length + 1;
	a->length = length - a->name_length - 1;
	return read_values(a, err);
}

/* How many there are goes to *n, and how many combinations to *all. */
static bool
read_axes(const char *grid, struct axis axes[AXES_MOST], size_t *n, size_t *all,
    struct error *err)
{
	size_t length;

	*n = 0;
	*all = 1;
	for (;; grid += length + 1) {
		length = strcspn(grid, ";");
		if (*n == AXES_MOST)
			return error_set(err, STATUS_USAGE,
			    "--grid: more than %d options", AXES_MOST);
		if (!read_axis(grid, length, &axes[*n], err))
			return false;
		if (axes[*n].count > SWEEP_MOST / *all)
			return error_set(err, STATUS_USAGE,
			    "--grid: more than %d settings", SWEEP_MOST);
		*all *= axes[(*n)++].count;
		if (grid[length] == '\0')
			return true;
	}
}

/* The i-th value of a list. */
static void
find_value(const struct axis *a, size_t i, const char **value, size_t *length)
{
	const char *end = a->values + a->length, *comma;

	for (*value = a->values;; *value = comma + 1) {
		comma = memchr(*value, ',', (size_t)(end - *value));
		*length = (size_t)((comma != NULL ? comma : end) - *value);
		if (i-- == 0)
			return;
	}
}

/* "--temp 0.5 --seed 1": one combination, by its number. */
static void
write_line(struct text *to, const struct axis *axes, size_t n, size_t i)
{
	size_t each[AXES_MOST], length;
	const struct axis *a;
	const char *value;

	for (size_t k = n; k-- > 0; i /= axes[k].count)
		each[k] = i % axes[k].count;
	for (size_t k = 0; k < n; k++) {
		a = &axes[k];
		text_print(to, "%s--", k > 0 ? " " : "");
		text_add(to, a->name, a->name_length);
		text_add(to, " ", 1);
		if (a->range) {
			text_print(to, "%" PRId64, a->first + (int64_t)each[k]);
			continue;
		}
		find_value(a, each[k], &value, &length);
		text_add(to, value, length);
	}
}

char *
grid_lines(const char *grid, struct error *err)
{
	struct text text = {.cap = BYTES_MOST};
	struct axis axes[AXES_MOST];
	size_t n, all;

	if (!read_axes(grid, axes, &n, &all, err))
		return NULL;
	for (size_t i = 0; i < all; i++) {
		if (i > 0)
			text_add(&text, "\n", 1);
		write_line(&text, axes, n, i);
	}
	if (text.full)
		error_set(err, STATUS_USAGE,
		    "--grid: its settings take more than %d bytes", BYTES_MOST);
	else if (text.lost)
		error_system(err, ENOMEM, "%zu settings", all);
	else
		return text.bytes;
	free(text.bytes);
	return NULL;
}
