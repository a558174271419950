/* SPDX-License-Identifier: MIT */
/* The values of options as texts: what options_set() does, backwards. */
#include "print.h"

#include <errno.h>
#include <float.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "number.h"
#include "table.h"

/* Of a token id. */
enum { MOST_DIGITS = 10 };

/* One for each; several stand side by side to be inspected. */
bool
print_temps(const struct options *o, const char *name, struct pairs *to,
    struct error *err)
{
	char text[NUMBER_TEXT];

	for (size_t i = 0; i < o->temps.size; i++) {
		if (o->sampling.policy->wide)
			number_print_double(o->temps.list[i].wide, text);
		else
			number_print_float(o->temps.list[i].narrow, text);
		if (!pairs_add(to, name, text, 0, err))
			return false;
	}
	return true;
}

/* Those out of files, too, and in the order in which they are added. */
bool
print_biases(const struct options *o, const char *name, struct pairs *to,
    struct error *err)
{
	const struct sampling *s = &o->sampling;
	char add[NUMBER_TEXT], text[NUMBER_TEXT + 16];

	for (size_t i = 0; i < s->n_biases; i++) {
		if (s->biases[i].add < -FLT_MAX)
			strcpy(add, "-inf");
		else
			number_print_float(s->biases[i].add, add);
		snprintf(text, sizeof(text), "%" PRIu32 "%s%s", s->biases[i].id,
		    add[0] == '-' ? "" : "+", add);
		if (!pairs_add(to, name, text, 0, err))
			return false;
	}
	return true;
}

/* Those found by the pieces, too. */
bool
print_breakers(const struct options *o, const char *name, struct pairs *to,
    struct error *err)
{
	const struct breaker *b = o->sampling.breakers;
	bool good = true;
	size_t used;
	char *text;

	for (size_t i = 0; good && i < o->sampling.n_breakers; i++) {
		text = calloc(b[i].size + 1, MOST_DIGITS + 1);
		if (text == NULL)
			return error_system(err, ENOMEM, "--%s", name);
		used = 0;
		for (size_t k = 0; k < b[i].size; k++)
			used += (size_t)snprintf(text + used, MOST_DIGITS + 2,
			    "%s%" PRIu32, k > 0 ? "," : "", b[i].ids[k]);
		good = pairs_add(to, name, text, 0, err);
		free(text);
	}
	return good;
}

/* -1 depends on --ctx-size, which may be another when the run goes on. */
bool
print_dry_last_n(const struct options *o, const char *name, struct pairs *to,
    struct error *err)
{
	const struct sampling *s = &o->sampling;
	char text[NUMBER_TEXT];

	snprintf(text, sizeof(text), "%" PRId64,
	    s->dry_last_n < 0 ? s->dry_most : s->dry_last_n);
	return pairs_add(to, name, text, 0, err);
}

bool
print_samplers(const struct options *o, const char *name, struct pairs *to,
    struct error *err)
{
	const struct sampling *s = &o->sampling;
	size_t room = 1, used = 0;
	char *text;
	bool good;

	for (size_t i = 0; i < s->n_stages; i++)
		room += strlen(s->stages[i]->name) + 1;
	text = calloc(room, 1);
	if (text == NULL)
		return error_system(err, ENOMEM, "--%s", name);
	for (size_t i = 0; i < s->n_stages; i++)
		used += (size_t)snprintf(text + used, room - used, "%s%s",
		    i > 0 ? ";" : "", s->stages[i]->name);
	good = pairs_add(to, name, text, 0, err);
	free(text);
	return good;
}

/* A whole number that has no default and was not given has no value. */
static bool
has_value(const struct options *o, const struct option_row *row)
{
	size_t i = (size_t)(row - option_table);

	return o->given[i] || o->saved[i] || row->fallback[o->policy] != NULL;
}

bool
print_value(const struct options *o, const struct option_row *row,
    struct pairs *to, struct error *err)
{
	const void *target = (const char *)o + row->target;
	char number[NUMBER_TEXT];
	const char *text = number;

	if (!option_is_taken(row, o->policy))
		return true;
	if (row->print != NULL)
		return row->print(o, row->name, to, err);
	switch (row->kind) {
	case KIND_FLAG:
		text = *(const bool *)target ? "yes" : "no";
		break;
	case KIND_INT:
		if (*(const int64_t *)target == 0 && !has_value(o, row))
			return true;
		snprintf(number, sizeof(number), "%" PRId64,
		    *(const int64_t *)target);
		break;
	case KIND_FLOAT:
		number_print_float(*(const float *)target, number);
		break;
	case KIND_SEED:
		snprintf(number, sizeof(number), "%" PRIu64,
		    *(const uint64_t *)target);
		break;
	default: /* KIND_CHOICE: the others have their own print() */
		text = row->words[*(const int *)target];
		break;
	}
	return pairs_add(to, row->name, text, 0, err);
}

bool
print_settings(const struct options *o, struct pairs *to, struct error *err)
{
	for (size_t i = 0; i < option_count; i++)
		if (option_table[i].saved &&
		    !print_value(o, &option_table[i], to, err))
			return false;
	return true;
}
