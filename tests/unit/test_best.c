/* SPDX-License-Identifier: MIT */
/* The best of a row, found once, and believed by all who need no more. */
#include "made.h"
#include "ranking.h"

#include "../../src/sampler/best.h"

enum { VOCAB = 700 };

static void
they_are_the_best_and_ranked(void **state)
{
	static const size_t ks[] = {1, 2, 7, 40, 250, VOCAB - 1, VOCAB};
	struct candidate ranked[VOCAB];
	float logits[VOCAB];
	uint64_t random = 1;
	struct best best;
	struct error err;

	(void)state;
	for (size_t i = scaled(200); i > 0; i--) {
		struct row row = {.size = VOCAB, .logits = logits};
		size_t k = ks[random_below(&random, LENGTH(ks))];

		random_row(&random, logits, VOCAB);
		for (uint32_t id = 0; id < VOCAB; id++)
			ranked[id] = (struct candidate){id, logits[id], 0};
		qsort(ranked, VOCAB, sizeof(*ranked), by_rank);
		assert_true(best_open(&best, k, VOCAB, &err));
		assert_true(best_find(&best, &row, &err));
		assert_non_null(row.best);
		assert_true(row.best->size >= k);
		assert_same_list(row.best->list, ranked, k);
		best_close(&best);
	}
}

static void
none_are_found_for_nobody(void **state)
{
	const float logits[] = {1, NAN};
	struct row row = {.number = 3, .size = 2, .logits = logits};
	struct best best;
	struct error err;

	(void)state;
	assert_true(best_open(&best, 0, 2, &err));
	assert_true(best_find(&best, &row, &err));
	assert_null(row.best);
	best_close(&best);
	assert_true(best_open(&best, 1, 2, &err));
	assert_false(best_find(&best, &row, &err));
	assert_string_equal(err.text,
	    "row 3: logit of token 1 is NaN: logits are finite, or -inf for a "
	    "token that can't be drawn");
	assert_null(row.best);
	best_close(&best);
}

/* A run closes all that it has, opened or not, and closed already. */
static void
closing_again_is_nothing(void **state)
{
	struct best best;
	struct error err;

	(void)state;
	assert_true(best_open(&best, 5, VOCAB, &err));
	best_close(&best);
	assert_null(best.kept.list);
	assert_null(best.scratch);
	best_close(&best);
}

/* The best that is said, as it is said, or the row's own. */
static void
assert_first(const char *settings, size_t n, uint32_t joined, uint32_t expected)
{
	struct candidate said[] = {{9, 5, 0}, {8, 4, 0}, {7, 3, 0}, {6, 2, 0}};
	const struct candidates best = {said, n};
	float logits[VOCAB];
	struct row row = {
	    .number = 1, .size = VOCAB, .logits = logits, .best = &best};
	struct error err;
	struct made m;

	for (size_t id = 0; id < VOCAB; id++)
		logits[id] = id == 3 ? 2 : id == 9 ? 1 : 0;
	make(&m, VOCAB, 0, settings);
	join(&m, joined);
	assert_true(sampler_weigh(m.sampler, &row, m.window, &err));
	assert_int_equal(sampler_list(m.sampler, 0).id, expected);
	unmake(&m);
}

/* The real best is 3, and 9 what is said to be, were it looked at. */
static void
they_are_believed_where_they_are_enough(void **state)
{
	(void)state;
	assert_first(
	    "--policy golem --no-defaults --temp 1 --top-k 4", 4, 0, 9);
	assert_first(
	    "--policy golem --no-defaults --temp 1 --top-k 4", 3, 0, 3);
	assert_first("--policy golem --no-defaults --temp 1 --top-k 3 "
	             "--logit-bias 600+1",
	    4, 0, 9);
	assert_first("--policy golem --no-defaults --temp 1 --top-k 4 "
	             "--logit-bias 600+1",
	    4, 0, 3);
	/* Who is touched is read from the row. */
	assert_first("--policy golem --no-defaults --temp 1 --top-k 3 "
	             "--presence-penalty 0.5",
	    4, 9, 8);
	/* Only as many are wanted as are touched in this row. */
	assert_first("--policy golem --no-defaults --temp 1 --top-k 3 "
	             "--presence-penalty 0.5 --repeat-last-n 64",
	    4, 600, 9);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(they_are_the_best_and_ranked),
	    cmocka_unit_test(none_are_found_for_nobody),
	    cmocka_unit_test(closing_again_is_nothing),
	    cmocka_unit_test(they_are_believed_where_they_are_enough),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
