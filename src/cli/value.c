/* SPDX-License-Identifier: MIT */
/* One value of an option, from its text to where the table says. */
#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE 1 /* getentropy() */
#endif
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "number.h"
#include "options.h"
#include "table.h"

static bool
parse_choice(const struct option_row *row, const char *text, int *value,
    const char *where, struct error *err)
{
	for (int i = 0; row->words[i] != NULL; i++)
		if (strcmp(row->words[i], text) == 0) {
			*value = i;
			return true;
		}
	error_set(err, STATUS_USAGE, "%s: '%s' is none of", where, text);
	for (int i = 0; row->words[i] != NULL; i++)
		error_append(err, row->words[i]);
	return false;
}

static bool
parse_seed(struct options *o, const char *text, uint64_t *seed,
    const char *where, struct error *err)
{
	o->random_seed = strcmp(text, "random") == 0;
	if (!o->random_seed)
		return number_seed(text, seed, where, err);
	if (getentropy(seed, sizeof(*seed)) != 0)
		return error_system(err, errno, "%s: random", where);
	return true;
}

static bool
add_text(struct texts *texts, char *text, const char *where, struct error *err)
{
	char **larger;

	larger = realloc(texts->list, (texts->size + 1) * sizeof(*texts->list));
	if (larger == NULL)
		return error_system(err, ENOMEM, "%s", where);
	texts->list = larger;
	texts->list[texts->size++] = text;
	return true;
}

bool
options_set(struct options *o, const struct option_row *row, char *text,
    struct error *err)
{
	void *target = (char *)o + row->target;
	char where[40];

	snprintf(where, sizeof(where), "--%s", row->name);
	switch (row->kind) {
	case KIND_FLAG:
		*(bool *)target = true;
		return true;
	case KIND_INT:
		return number_int(
		    text, row->low, row->high, target, where, err);
	case KIND_FLOAT:
		return number_float(
		    text, row->low, row->high, target, where, err);
	case KIND_SEED:
		return parse_seed(o, text, target, where, err);
	case KIND_CHOICE:
		return parse_choice(row, text, target, where, err);
	case KIND_TEXT:
		*(char **)target = text;
		return true;
	case KIND_LIST:
		return add_text(target, text, where, err);
	default: /* KIND_ACTION has no value */
		return true;
	}
}
