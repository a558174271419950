/* SPDX-License-Identifier: MIT */
/* The table of options agrees with itself. */
#include "helper.h"

#include "../../src/cli/options.h"
#include "../../src/cli/table.h"

static void
check_value(const struct option_row *row, const char *value)
{
	struct options o = {0};
	struct error err;
	char text[64];

	if (value == NULL)
		return;
	assert_true(strlen(value) < sizeof(text));
	strcpy(text, value);
	if (!options_set(&o, row, text, &err))
		fail_msg("--%s: '%s': %s", row->name, value, err.text);
	assert_true(row->kind != KIND_LIST); /* nothing to free */
}

/* Those of each policy, and those of --no-defaults. */
static void
each_default_is_a_value_of_its_option(void **state)
{
	(void)state;
	for (size_t i = 0; i < option_count; i++) {
		for (int policy = 0; policy < POLICIES; policy++)
			check_value(
			    &option_table[i], option_table[i].fallback[policy]);
		check_value(&option_table[i], option_table[i].off);
	}
}

/* Each policy that takes it has it: a fraction has no value for "not given". */
static void
fractions_have_a_default(void **state)
{
	const struct option_row *row;

	(void)state;
	for (row = option_table; row < option_table + option_count; row++)
		for (int policy = 0; policy < POLICIES; policy++)
			if (row->kind == KIND_FLOAT &&
			    option_is_taken(row, policy) &&
			    row->fallback[policy] == NULL)
				fail_msg("--%s has no default", row->name);
}

/* No others can be written to a state, or read out of one. */
static void
what_is_saved_can_be_printed(void **state)
{
	static const enum kind printable[] = {
	    KIND_FLAG, KIND_INT, KIND_FLOAT, KIND_SEED, KIND_CHOICE};
	const struct option_row *row;
	bool good;

	(void)state;
	for (row = option_table; row < option_table + option_count; row++) {
		good = !row->saved || row->print != NULL;
		for (size_t k = 0; k < LENGTH(printable); k++)
			good |= row->kind == printable[k];
		if (!good)
			fail_msg("--%s has no print()", row->name);
	}
}

/* A word twice, or a letter, would have two meanings. */
static void
no_name_or_letter_is_there_twice(void **state)
{
	const struct option_row *row, *other, *end;

	(void)state;
	end = option_table + option_count;
	for (row = option_table; row < end; row++)
		for (other = row + 1; other < end; other++) {
			assert_true(strcmp(row->name, other->name) != 0);
			assert_true(
			    row->letter == 0 || row->letter != other->letter);
		}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(each_default_is_a_value_of_its_option),
	    cmocka_unit_test(fractions_have_a_default),
	    cmocka_unit_test(what_is_saved_can_be_printed),
	    cmocka_unit_test(no_name_or_letter_is_there_twice),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
