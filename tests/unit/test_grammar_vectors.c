/* SPDX-License-Identifier: MIT */
/* What golem drew inside grammars is allowed, and stops where nothing is. */
#include "grammars.h"

#include "../../src/input/slurp.h"

enum { LINE_ROOM = 1024, ENDS_MAX = 8 };

struct drawing {
	struct grammar *grammar;
	struct pieces *pieces;
	struct constraint *constraint;
	size_t vocab;
	bool goes_on; /* where nothing is allowed */
};

/* The word behind an option among the arguments, or NULL. */
static char *
value_of(const char *args, const char *option)
{
	static char word[LINE_ROOM];
	const char *found = strstr(args, option);

	if (found == NULL || sscanf(found + strlen(option), "%s", word) != 1)
		return NULL;
	return word;
}

static void
constrained_path(char path[PATH_ROOM], const char *args, const char *option)
{
	char name[LINE_ROOM + 16];

	snprintf(name, sizeof(name), "constrained/%s", value_of(args, option));
	vector_path(path, name);
}

static size_t
find_ends(const char *args, uint32_t *ends)
{
	size_t n = 0;

	while ((args = strstr(args, "--eos ")) != NULL && n < ENDS_MAX) {
		args += strlen("--eos ");
		ends[n++] = (uint32_t)strtoul(args, NULL, 10);
	}
	return n;
}

static void
begin(struct drawing *d, const char *args)
{
	char path[PATH_ROOM], *text;
	uint32_t ends[ENDS_MAX];
	size_t n_ends = find_ends(args, ends), size;
	struct error err;

	constrained_path(path, args, "--pieces ");
	d->pieces = pieces_read(path, &err);
	assert_non_null(d->pieces);
	constrained_path(path, args, "--grammar-file ");
	text = slurp(path, &size, &err);
	assert_non_null(text);
	d->grammar = gbnf_parse(text, size, path, "root", d->pieces, &err);
	free(text);
	if (d->grammar == NULL)
		fail_msg("%s", err.text);
	d->vocab = strtoul(value_of(args, "--vocab "), NULL, 10);
	d->constraint = constraint_new(
	    d->grammar, d->pieces, ends, n_ends, d->vocab, &err);
	assert_non_null(d->constraint);
	d->goes_on = strstr(args, "--dead-end draw") != NULL;
}

static void
end(struct drawing *d)
{
	constraint_free(d->constraint);
	grammar_free(d->grammar);
	pieces_free(d->pieces);
}

/* How many are allowed; and asking one by one says the same. */
static size_t
count_allowed(struct drawing *d)
{
	uint32_t *words = calloc(d->vocab / 32 + 1, sizeof(*words));
	size_t count = 0;
	struct error err;
	bool allowed;

	assert_true(constraint_ask_all(d->constraint, words, &err));
	for (uint32_t id = 0; id < d->vocab; id++) {
		assert_true(constraint_ask(d->constraint, id, &allowed, &err));
		assert_int_equal(allowed, words[id / 32] >> id % 32 & 1);
		count += allowed;
	}
	free(words);
	return count;
}

static void
draw(struct drawing *d, const char *name, uint32_t id)
{
	const size_t count = count_allowed(d);
	struct error err;
	bool allowed;

	assert_true(constraint_ask(d->constraint, id, &allowed, &err));
	if (!allowed && !(d->goes_on && count == 0))
		fail_msg("%s: %u is not allowed, but %zu are", name, id, count);
	if (allowed)
		assert_true(constraint_accept(d->constraint, id, &err));
}

static void
what_was_drawn_is_allowed(void **state)
{
	FILE *file = open_vectors("constrained/cases.tsv");
	char line[LINE_ROOM], *name, *args, *ids, *next;
	struct drawing d;
	size_t cases = 0;

	(void)state;
	while (fgets(line, sizeof(line), file) != NULL) {
		name = strtok(line, "\t");
		strtok(NULL, "\t");
		args = strtok(NULL, "\t");
		ids = strtok(NULL, "\t\n");
		begin(&d, args);
		for (; *ids != '\0'; ids = next + strspn(next, " "))
			draw(&d, name, (uint32_t)strtoul(ids, &next, 10));
		end(&d);
		cases++;
	}
	fclose(file);
	assert_int_equal(cases, 54);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(what_was_drawn_is_allowed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
