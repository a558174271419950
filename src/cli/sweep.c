/* SPDX-License-Identifier: MIT */
/* Sweeps: many settings, each a line of options beside the command line. */
#include "sweep.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../input/slurp.h"
#include "grid.h"
#include "parse.h"
#include "settle.h"
#include "table.h"

/* Words of a line. */
enum { WORDS_MOST = 256 };

/* What the lines come from. */
struct lines {
	const char *where;
	size_t number;
	struct options *base;
	int argc;
	char **argv;
};

/* Put "sweep: line 3: " before what is wrong with it. */
static bool
in_line(const struct lines *l, struct error *err)
{
	struct error inner = *err;

	return error_set(err, inner.status, "%s: line %zu: %s", l->where,
	    l->number, inner.text);
}

/* Split at blanks, in place; words[0] stands for a program's name. */
static bool
split(char *line, char *words[WORDS_MOST + 2], int *n, struct error *err)
{
	static char none[] = "";
	char *rest = NULL, *word;

	words[0] = none;
	*n = 1;
	for (word = strtok_r(line, " \t\r", &rest); word != NULL;
	     word = strtok_r(NULL, " \t\r", &rest)) {
		if (*n > WORDS_MOST)
			return error_set(err, STATUS_USAGE,
			    "more than %d words", WORDS_MOST);
		words[(*n)++] = word;
	}
	words[*n] = NULL;
	return true;
}

/* What is drawn from may differ, but masks are read in step with the rows. */
static bool
is_of_one_setting(const struct option_row *row)
{
	return (row->group == GROUP_DRAW || row->group == GROUP_LLAMA) &&
	    strcmp(row->name, "mask") != 0;
}

/* A line may change that, and nothing else. */
static bool
check_words(char **words, int n, bool *seeded, struct error *err)
{
	struct options alone = {0};
	bool good = parse_given(&alone, n, words, err);
	const struct option_row *row;

	for (size_t i = 0; good && i < option_count; i++) {
		row = &option_table[i];
		if (alone.given[i] && !is_of_one_setting(row))
			good = error_set(err, STATUS_USAGE,
			    "--%s is for the whole run, not for one setting "
			    "of it",
			    row->name);
	}
	if (good && alone.operands > 0)
		good = error_set(err, STATUS_USAGE, "'%s' is no option",
		    words[n - (int)alone.operands]);
	if (good && alone.random_seed)
		good = error_set(err, STATUS_USAGE,
		    "--seed: the seeds of a sweep are numbers");
	*seeded = alone.given[option_find("seed") - option_table];
	options_free(&alone);
	return good;
}

/* What one run of it could do, but not several side by side. */
static bool
check_setting(
    const struct options *o, const struct options *base, struct error *err)
{
	if (o->sampling.policy->wide != base->sampling.policy->wide)
		return error_set(err, STATUS_USAGE,
		    "--policy: the rows are read for %s, whose numbers have "
		    "another width than those of %s",
		    base->sampling.policy->name, o->sampling.policy->name);
	if (o->rng_state != base->rng_state)
		return error_set(err, STATUS_USAGE,
		    "--rng-state is for a run with one setting");
	return true;
}

static bool
parse_line(
    const struct lines *l, char *line, struct options *o, struct error *err)
{
	char *words[WORDS_MOST + 2];
	bool seeded;
	int n;

	if (!split(line, words, &n, err) ||
	    !check_words(words, n, &seeded, err))
		return false;
	*o = (struct options){.swept = true, .model = l->base->model};
	if (!parse_given(o, l->argc, l->argv, err) ||
	    !parse_given(o, n, words, err))
		return false;
	o->files = l->base->files;
	o->n_files = l->base->n_files;
	if (!seeded)
		o->sampling.seed = l->base->sampling.seed;
	return options_settle(o, err) && check_setting(o, l->base, err);
}

static size_t
count_lines(const char *text)
{
	size_t n = 1;

	for (; *text != '\0'; text++)
		n += *text == '\n';
	return n;
}

static bool
parse_lines(struct lines *l, char *text, struct error *err)
{
	struct settings *sweep = &l->base->sweep;
	size_t most = count_lines(text);
	char *line, *end;

	if (most > SWEEP_MOST)
		return error_set(err, STATUS_USAGE, "%s: more than %d settings",
		    l->where, SWEEP_MOST);
	sweep->list = calloc(most, sizeof(*sweep->list));
	sweep->lines = calloc(most, sizeof(*sweep->lines));
	if (sweep->list == NULL || sweep->lines == NULL)
		return error_system(err, ENOMEM, "%zu settings", most);
	for (line = text; line != NULL; line = end) {
		l->number++;
		end = strchr(line, '\n');
		if (end != NULL)
			*end++ = '\0';
		line += strspn(line, " \t\r");
		if (*line == '\0' || *line == '#')
			continue;
		sweep->lines[sweep->size] = strdup(line);
		if (sweep->lines[sweep->size] == NULL)
			return error_system(err, ENOMEM, "a setting");
		sweep->size++;
		if (!parse_line(l, line, &sweep->list[sweep->size - 1], err))
			return in_line(l, err);
	}
	if (sweep->size == 0)
		return error_set(err, STATUS_USAGE,
		    "%s: there is no setting: one a line is wanted", l->where);
	return true;
}

/* What stood behind a NUL byte would be lost. */
static char *
read_text(const char *file, struct error *err)
{
	size_t size;
	char *text = slurp(file, &size, err);

	if (text == NULL || strlen(text) == size)
		return text;
	error_set(err, STATUS_FAILED,
	    "%s: not a text: it has a NUL byte at %zu", file, strlen(text));
	free(text);
	return NULL;
}

bool
sweep_read(struct options *o, int argc, char **argv, struct error *err)
{
	struct lines lines = {
	    .where = o->grid != NULL ? "--grid" : o->sweep_file,
	    .base = o,
	    .argc = argc,
	    .argv = argv};

	o->sweep.text = o->grid != NULL ? grid_lines(o->grid, err)
	                                : read_text(o->sweep_file, err);
	return o->sweep.text != NULL && parse_lines(&lines, o->sweep.text, err);
}

void
sweep_free(struct options *o)
{
	for (size_t i = 0; i < o->sweep.size; i++) {
		o->sweep.list[i].model = NULL; /* the command line's */
		options_free(&o->sweep.list[i]);
		free(o->sweep.lines[i]);
	}
	free(o->sweep.list);
	free(o->sweep.lines);
	free(o->sweep.text);
}
