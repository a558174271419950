/* SPDX-License-Identifier: MIT */
/* The window against a model that keeps every id and counts afresh. */
#include "helper.h"

#include "../../src/window.h"

enum { MOST_IDS = 20000 };

struct model {
	int64_t limit;
	uint32_t ids[MOST_IDS]; /* all that were ever added */
	size_t size;
};

/* Where the window begins among all ids. */
static size_t
first_of(const struct model *m)
{
	if (m->limit < 0 || (uint64_t)m->limit >= m->size)
		return 0;
	return m->size - (size_t)m->limit;
}

static uint32_t
count_of(const struct model *m, uint32_t id)
{
	uint32_t count = 0;

	for (size_t i = first_of(m); i < m->size; i++)
		count += m->ids[i] == id;
	return count;
}

static void
assert_same(const struct window *w, const struct model *m, size_t vocab)
{
	size_t distinct = 0, n;
	const uint32_t *ids;

	for (uint32_t id = 0; id < vocab; id++) {
		assert_int_equal(window_count(w, id), count_of(m, id));
		distinct += count_of(m, id) > 0;
	}
	/* As many as there are, each in the window, none of them twice. */
	n = window_distinct(w, &ids);
	assert_int_equal(n, distinct);
	for (size_t i = 0; i < n; i++) {
		assert_true(ids[i] < vocab);
		assert_true(count_of(m, ids[i]) > 0);
		for (size_t j = 0; j < i; j++)
			assert_true(ids[i] != ids[j]);
	}
}

/* One id in eight is beyond the vocabulary. */
static uint32_t
random_id(uint64_t *random, size_t vocab)
{
	if (!one_in(random, 8))
		return (uint32_t)random_below(random, vocab);
	return one_in(random, 2) ? UINT32_MAX : (uint32_t)vocab;
}

static void
check_window(int64_t limit, size_t vocab, size_t adds, size_t every)
{
	static struct model m;
	uint64_t random = (uint64_t)limit + vocab;
	struct error err;
	struct window *w = window_new(vocab, limit, &err);

	assert_non_null(w);
	m.limit = limit;
	m.size = 0;
	assert_same(w, &m, vocab);
	for (size_t i = 1; i <= adds; i++) {
		m.ids[m.size] = random_id(&random, vocab);
		assert_true(window_add(w, m.ids[m.size++], &err));
		if (i % every == 0)
			assert_same(w, &m, vocab);
	}
	window_free(w);
}

static void
small_windows_count_the_last_ids(void **state)
{
	static const int64_t limits[] = {0, 1, 2, 3, 64};

	(void)state;
	for (size_t i = 0; i < LENGTH(limits); i++) {
		check_window(limits[i], 1, 300, 1);
		check_window(limits[i], 5, 500, 1);
		check_window(limits[i], 100, 500, 1);
	}
}

/* The ring begins with fewer places than the limit, and goes round later. */
static void
large_windows_grow_to_their_limit(void **state)
{
	(void)state;
	check_window(5000, 50, scaled(MOST_IDS), 500);
	check_window(1024, 50, scaled(5000), 250);
	check_window(1025, 50, scaled(5000), 250);
	check_window(INT64_MAX, 50, scaled(5000), 500);
}

static void
unbounded_windows_count_everything(void **state)
{
	(void)state;
	check_window(-1, 50, scaled(5000), 500);
	check_window(INT64_MIN, 1, 300, 10);
}

/* The oldest id leaves even where it counts as nothing. */
static void
ids_beyond_the_vocabulary_take_their_place(void **state)
{
	struct error err;
	struct window *w = window_new(10, 2, &err);
	const uint32_t *ids;

	(void)state;
	assert_non_null(w);
	assert_true(window_add(w, 7, &err));
	assert_true(window_add(w, 10, &err));
	assert_int_equal(window_count(w, 7), 1);
	assert_true(window_add(w, 1000000, &err));
	assert_int_equal(window_count(w, 7), 0);
	assert_int_equal(window_distinct(w, &ids), 0);
	window_free(w);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(small_windows_count_the_last_ids),
	    cmocka_unit_test(large_windows_grow_to_their_limit),
	    cmocka_unit_test(unbounded_windows_count_everything),
	    cmocka_unit_test(ids_beyond_the_vocabulary_take_their_place),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
