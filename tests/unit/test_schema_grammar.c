/* SPDX-License-Identifier: MIT */
/* The grammars of all schemas in tests/data/schemas can be parsed. */
#include <dirent.h>

#include "helper.h"

#include "../../src/constraint/gbnf.h"
#include "../../src/input/slurp.h"
#include "../../src/schema/schema.h"

static void
check_file(const char *path)
{
	struct error err;
	struct grammar *grammar;
	size_t size;
	char *text, *gbnf;

	text = slurp(path, &size, &err);
	assert_non_null(text);
	gbnf = schema_to_gbnf(text, size, path, &err);
	free(text);
	if (gbnf == NULL)
		fail_msg("%s", err.text);
	grammar = gbnf_parse(gbnf, strlen(gbnf), path, "root", NULL, &err);
	free(gbnf);
	if (grammar == NULL)
		fail_msg("%s", err.text);
	grammar_free(grammar);
}

static void
every_grammar_of_a_schema_is_one(void **state)
{
	static const char folder[] = "tests/data/schemas";
	DIR *dir = opendir(folder);
	struct dirent *entry;
	char path[PATH_ROOM];
	size_t count = 0;

	(void)state;
	assert_non_null(dir);
	while ((entry = readdir(dir)) != NULL) {
		if (entry->d_name[0] == '.')
			continue;
		snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name);
		check_file(path);
		count++;
	}
	closedir(dir);
	assert_true(count > 10);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(every_grammar_of_a_schema_is_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
