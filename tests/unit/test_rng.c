/* SPDX-License-Identifier: MIT */
/* The generators against recorded outputs of the ones they follow. */
#include "helper.h"

#include "../../src/sampler/rng.h"

enum { OUTPUTS = 8, COLUMNS = 1 + 3 * OUTPUTS };

/* One line: the seed, then as many words, units and, perhaps, float units. */
static void
check_line(const struct generator *generator, char *line)
{
	char *word[COLUMNS], *rest;
	struct rng words, units;
	double unit;
	size_t n;

	for (n = 0; n < COLUMNS; n++) {
		word[n] = strtok_r(n == 0 ? line : NULL, " \t\n", &rest);
		if (word[n] == NULL)
			break;
	}
	assert_true(n == COLUMNS || n == COLUMNS - OUTPUTS);

	generator->seed(&words, strtoull(word[0], NULL, 10));
	units = words;
	for (size_t i = 1; i <= OUTPUTS; i++) {
		assert_true(
		    generator->next(&words) == strtoull(word[i], NULL, 16));
		unit = generator->unit(&units);
		assert_true(unit == strtod(word[i + OUTPUTS], NULL));
		if (n == COLUMNS)
			assert_true(
			    (float)unit == strtof(word[i + 2 * OUTPUTS], NULL));
	}
	assert_true(words.high == units.high && words.low == units.low);
}

static void
check_vectors(const struct generator *generator, const char *name)
{
	FILE *file = open_vectors(name);
	char *line = NULL;
	size_t room = 0, lines = 0;

	for (; getline(&line, &room, file) > 0; lines++)
		check_line(generator, line);
	assert_true(lines >= 14);
	free(line);
	fclose(file);
}

static void
pcg_gives_the_recorded_numbers(void **state)
{
	(void)state;
	check_vectors(&generator_pcg, "rng-pcg.tsv");
}

static void
splitmix64_gives_the_recorded_numbers(void **state)
{
	(void)state;
	check_vectors(&generator_splitmix64, "rng-splitmix64.tsv");
}

/* A state goes through a text and on as if never stopped. */
static void
check_text(const struct generator *generator)
{
	struct rng rng, copy;
	char text[RNG_TEXT];
	uint64_t random = 1;

	for (size_t i = scaled(1000); i > 0; i--) {
		generator->seed(&rng, random_bits(&random));
		generator->next(&rng);
		rng_print(generator, &rng, text);
		assert_int_equal(strlen(text), generator->digits);
		assert_true(rng_parse(generator, text, &copy));
		for (int j = 0; j < 4; j++)
			assert_true(
			    generator->next(&rng) == generator->next(&copy));
		text[random_below(&random, strlen(text))] = 'g';
		assert_false(rng_parse(generator, text, &copy));
	}
	rng_print(generator, &rng, text);
	text[strlen(text) - 1] = '\0';
	assert_false(rng_parse(generator, text, &copy));
	assert_false(rng_parse(generator, "", &copy));
}

static void
states_go_through_a_text(void **state)
{
	(void)state;
	check_text(&generator_pcg);
	check_text(&generator_splitmix64);
}

/* A unit is below 1, yet its float need not be: the draw reckons with it. */
static void
check_units(const struct generator *generator)
{
	double unit, least = 1, most = 0;
	struct rng rng;

	generator->seed(&rng, 1);
	for (size_t i = scaled(1000000); i > 0; i--) {
		unit = generator->unit(&rng);
		assert_true(unit >= 0 && unit < 1);
		least = unit < least ? unit : least;
		most = unit > most ? unit : most;
	}
	assert_true(least < 0.01 && most > 0.99);
}

static void
units_reach_from_0_to_below_1(void **state)
{
	(void)state;
	check_units(&generator_pcg);
	check_units(&generator_splitmix64);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(pcg_gives_the_recorded_numbers),
	    cmocka_unit_test(splitmix64_gives_the_recorded_numbers),
	    cmocka_unit_test(states_go_through_a_text),
	    cmocka_unit_test(units_reach_from_0_to_below_1),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
