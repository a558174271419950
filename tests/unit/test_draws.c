/* SPDX-License-Identifier: MIT */
/* What golem's rows cost in random numbers, and what the rarest ones draw. */
#include "drawing.h"

#include "../../src/input/rows.h"

enum { CASES_MAX = 512 };

/* A line of golem.tsv. */
struct vector {
	char *name, *rows, *args, *ids;
};

struct vectors {
	struct vector list[CASES_MAX];
	size_t size;
};

static char *
copy(const char *text)
{
	assert_non_null(text);
	return strdup(text);
}

static void
read_vectors(struct vectors *v)
{
	FILE *file = open_vectors("golem.tsv");
	char *line = NULL, *rest;
	struct vector *to;
	size_t room = 0;

	for (v->size = 0; getline(&line, &room, file) > 0; v->size++) {
		assert_true(v->size < CASES_MAX);
		to = &v->list[v->size];
		to->name = copy(strtok_r(line, "\t", &rest));
		to->rows = copy(strtok_r(NULL, "\t", &rest));
		to->args = copy(strtok_r(NULL, "\t", &rest));
		to->ids = copy(strtok_r(NULL, "\n", &rest));
	}
	free(line);
	fclose(file);
}

static void
free_vectors(struct vectors *v)
{
	for (size_t i = 0; i < v->size; i++) {
		free(v->list[i].name);
		free(v->list[i].rows);
		free(v->list[i].args);
		free(v->list[i].ids);
	}
}

static const struct vector *
find(const struct vectors *v, const char *name)
{
	for (size_t i = 0; i < v->size; i++)
		if (strcmp(v->list[i].name, name) == 0)
			return &v->list[i];
	fail_msg("golem.tsv has no case %s", name);
	return NULL;
}

/* The parts of a run. */
struct replay {
	struct options options;
	struct history history;
	struct sampler *sampler;
	struct source *source;
	struct rows *rows;
};

static void
replay_open(struct replay *r, const struct vector *v, char *const *file)
{
	struct options *o = &r->options;
	struct error err;

	parse_options(o, v->args);
	assert_true(history_open(&r->history, (size_t)o->vocab,
	    o->sampling.repeat_last_n, &o->prompt, &o->stop, &err));
	r->sampler = sampler_new(&o->sampling, (size_t)o->vocab, 0, &err);
	assert_non_null(r->sampler);
	r->source = source_new(file, 1, (enum input_format)o->input,
	    (int)o->max_window, NULL, &err);
	assert_non_null(r->source);
	r->rows = rows_new(
	    r->source, (size_t)o->vocab, (enum dtype)o->dtype, false, &err);
	assert_non_null(r->rows);
}

static void
replay_close(struct replay *r)
{
	rows_free(r->rows);
	source_free(r->source);
	sampler_free(r->sampler);
	history_close(&r->history);
	options_free(&r->options);
}

static bool
next_number(char **text, unsigned long *number)
{
	char *end;

	*number = strtoul(*text, &end, 10);
	if (end == *text)
		return false;
	*text = end;
	return true;
}

/* Each row's id and what it cost, until the rows or the ids are over. */
static void
check_case(const struct vector *v, char *costs)
{
	char path[PATH_ROOM], *file[] = {path}, *ids = v->ids;
	struct replay r;
	struct decision d;
	struct row row;
	struct error err;
	unsigned long id = 0, cost = 0;
	size_t rows = 0;

	vector_path(path, v->rows);
	replay_open(&r, v, file);
	while (rows_next(r.rows, &row, &err) == ROWS_ROW) {
		if (!pick(r.sampler, &row, r.history.window, &d, &err))
			fail_msg("%s: %s", v->name, err.text);
		assert_true(history_check_next(&r.history, &err));
		history_add(&r.history, d.id, d.id);
		if (!next_number(&ids, &id) || !next_number(&costs, &cost))
			fail_msg("%s: expects fewer rows", v->name);
		if (d.random != (cost == 1) || d.id != id)
			fail_msg("%s: row %zu: id %u, %d random numbers, "
			         "not %lu, %lu",
			    v->name, (size_t)row.number, d.id, d.random, id,
			    cost);
		rows++;
	}
	assert_true(rows > 0);
	replay_close(&r);
}

static void
each_row_costs_the_recorded_random_numbers(void **state)
{
	static struct vectors v;
	FILE *file = open_vectors("golem-draws.tsv");
	char *line = NULL, *name, *rest;
	size_t room = 0, cases = 0;

	(void)state;
	read_vectors(&v);
	for (; getline(&line, &room, file) > 0; cases++) {
		name = strtok_r(line, "\t", &rest);
		check_case(find(&v, name), rest);
	}
	assert_int_equal(cases, 129);
	free(line);
	fclose(file);
	free_vectors(&v);
}

/* The first draw from the softmax of a few logits. */
static uint32_t
first_draw(const char *seed, const float *logits, size_t vocab)
{
	const struct row row = {.number = 1, .size = vocab, .logits = logits};
	char text[80];
	struct options o;
	struct sampler *s;
	struct window *none;
	struct decision d;
	struct error err;

	snprintf(text, sizeof(text), "--no-defaults -V %zu -s %s", vocab, seed);
	parse_options(&o, text);
	s = sampler_new(&o.sampling, vocab, 0, &err);
	none = window_new(vocab, 0, &err);
	assert_true(s != NULL && none != NULL);
	assert_true(pick(s, &row, none, &d, &err));
	assert_true(d.random);
	sampler_free(s);
	window_free(none);
	options_free(&o);
	return d.id;
}

/*
 * One unit in 2^25 is so near to 1 that its float is 1, which is below no
 * sum of probabilities: the last token that can be drawn is.  These seeds
 * begin with such a unit.
 */
static void
a_unit_that_rounds_to_1_draws_the_last(void **state)
{
	static const char *const seeds[] = {"3236789", "10370085", "32376428"};
	static const float some[] = {0, 0, 0, 0};
	static const float banned[] = {0, -INFINITY, 0, -INFINITY, -INFINITY};
	static const float rising[] = {1, 2, 3};

	(void)state;
	for (size_t i = 0; i < LENGTH(seeds); i++) {
		assert_int_equal(first_draw(seeds[i], some, 4), 3);
		assert_int_equal(first_draw(seeds[i], banned, 5), 2);
		assert_int_equal(first_draw(seeds[i], rising, 3), 0);
	}
}

/* And about as many become 0.5, which is not below a sum of 0.5. */
static void
a_unit_on_a_border_draws_what_follows(void **state)
{
	static const char *const seeds[] = {"27535353", "38826544", "50625261"};
	static const float even[] = {0, 0};

	(void)state;
	for (size_t i = 0; i < LENGTH(seeds); i++)
		assert_int_equal(first_draw(seeds[i], even, 2), 1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(each_row_costs_the_recorded_random_numbers),
	    cmocka_unit_test(a_unit_that_rounds_to_1_draws_the_last),
	    cmocka_unit_test(a_unit_on_a_border_draws_what_follows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
