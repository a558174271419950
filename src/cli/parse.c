/* SPDX-License-Identifier: MIT */
/* The command line, parsed by the table of options. */
#include <getopt.h>
#include <stdlib.h>

#include "model.h"
#include "options.h"
#include "parse.h"
#include "settle.h"
#include "suggest.h"
#include "sweep.h"
#include "table.h"

/* What getopt_long returns for the long option in row i of the table. */
enum { LONG = 256 };

static bool
takes_argument(const struct option_row *row)
{
	return row->argument != NULL;
}

/* The table in the two shapes that getopt_long wants. */
static void
make_getopt(struct option *longs, char *shorts)
{
	const struct option_row *row;

	*shorts++ = ':'; /* tell a missing argument from an unknown option */
	for (size_t i = 0; i < option_count; i++) {
		row = &option_table[i];
		longs[i] = (struct option){row->name,
		    takes_argument(row) ? required_argument : no_argument, NULL,
		    LONG + (int)i};
		if (row->letter == 0)
			continue;
		*shorts++ = row->letter;
		if (takes_argument(row))
			*shorts++ = ':';
	}
	longs[option_count] = (struct option){0};
	*shorts = '\0';
}

static size_t
row_of(int found)
{
	size_t i;

	if (found >= LONG)
		return (size_t)(found - LONG);
	for (i = 0; option_table[i].letter != found; i++)
		continue;
	return i;
}

/* What getopt_long could not take, as the user wrote it. */
static bool
refuse(int found, char **argv, struct error *err)
{
	const char *argument = argv[optind - 1];

	if (found == ':') {
		if (optopt >= LONG)
			return error_set(err, STATUS_USAGE,
			    "--%s: wants an argument, %s",
			    option_table[optopt - LONG].name,
			    option_table[optopt - LONG].argument);
		return error_set(err, STATUS_USAGE,
		    "-%c: wants an argument, %s", optopt,
		    option_table[row_of(optopt)].argument);
	}
	if (optopt >= LONG)
		return error_set(err, STATUS_USAGE, "--%s: takes no argument",
		    option_table[optopt - LONG].name);
	return suggest_option(optopt > 0 ? "-" : argument, optopt, err);
}

bool
parse_given(struct options *o, int argc, char **argv, struct error *err)
{
	struct option longs[OPTIONS_MAX + 1];
	char shorts[2 * OPTIONS_MAX + 2];
	size_t i;
	int found;

	make_getopt(longs, shorts);
	opterr = 0;
	optind = 0; /* getopt_long() begins anew */
	while ((found = getopt_long(argc, argv, shorts, longs, NULL)) != -1) {
		if (found == '?' || found == ':')
			return refuse(found, argv, err);
		i = row_of(found);
		o->given[i] = true;
		if (!options_set(o, &option_table[i], optarg, err))
			return false;
		o->action = (enum action)option_table[i].value;
		if (o->action == ACTION_HELP && found < LONG)
			o->action = ACTION_BRIEF_HELP;
		if (o->action != ACTION_DRAW)
			return true;
	}
	o->operands = (size_t)(argc - optind);
	return true;
}

bool
options_parse(struct options *o, int argc, char **argv, struct error *err)
{
	static char dash[] = "-", *standard_input[] = {dash, NULL};

	*o = (struct options){0};
	if (!parse_given(o, argc, argv, err))
		return false;
	if (o->action != ACTION_DRAW)
		return true;
	if (o->show_model)
		return model_show(o, err);
	o->files = o->operands > 0 ? argv + argc - o->operands : standard_input;
	o->n_files = o->operands > 0 ? o->operands : o->exec == NULL;
	if (o->info)
		o->action = ACTION_INFO;
	if (!options_settle(o, err))
		return false;
	return (o->sweep_file == NULL && o->grid == NULL) ||
	    sweep_read(o, argc, argv, err);
}

void
options_free(struct options *o)
{
	free(o->biases.list);
	free(o->ends_text.list);
	free(o->prompt.list);
	free(o->stop.ends.list);
	free(o->sampling.biases);
	free(o->sampling.stages);
	free(o->temps.list);
	state_free(o->state);
	gguf_free(o->model);
	sweep_free(o);
	free(o->breaker_ids.list);
	free(o->breaker_texts.list);
	for (size_t i = 0; i < o->sampling.n_breakers; i++)
		free(o->sampling.breakers[i].ids);
	free(o->sampling.breakers);
}
