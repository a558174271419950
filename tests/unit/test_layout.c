/* SPDX-License-Identifier: MIT */
/* The columns of tables: they fit, and what matters most is there. */
#include "helper.h"

#include "../../src/output/layout.h"

static const size_t vocabs[] = {1, 16, 512, 32000, 262144};

static const struct column *
find(const struct layout *l, enum column_kind kind, size_t temp)
{
	for (size_t i = 0; i < l->size; i++)
		if (l->list[i].kind == kind && l->list[i].temp == temp)
			return &l->list[i];
	return NULL;
}

static size_t
line_width(const struct layout *l)
{
	size_t width = l->size - 1;

	for (size_t i = 0; i < l->size; i++)
		width += l->list[i].width;
	return width;
}

static void
check(const struct layout *l, const struct layout_needs *needs)
{
	assert_true(line_width(l) <= needs->width);
	assert_non_null(find(l, COLUMN_RANK, 0));
	assert_non_null(find(l, COLUMN_ID, 0));
	assert_true(l->temps > 0 && l->temps <= needs->temps);
	for (size_t t = 0; t < l->temps; t++) {
		assert_non_null(find(l, COLUMN_P, needs->first + t));
		assert_int_equal(
		    find(l, COLUMN_P, needs->first + t)->width, P_WIDTH);
	}
	assert_int_equal(find(l, COLUMN_DRAWN, 0) != NULL, needs->draws > 0);
	/* 40 columns are enough for a piece, unless ids are long. */
	if (!needs->pieces)
		assert_null(find(l, COLUMN_PIECE, 0));
	else if (needs->draws < 2 && needs->vocab < 100000)
		assert_non_null(find(l, COLUMN_PIECE, 0));
}

static void
lines_fit_from_40_columns_on(void **state)
{
	static const size_t draws[] = {0, 1, 1000};
	struct layout_needs needs;
	struct layout l;

	(void)state;
	for (size_t width = 40; width <= 250; width++)
		for (size_t i = 0; i < 2 * 3 * LENGTH(vocabs); i++) {
			needs = (struct layout_needs){.width = width,
			    .vocab = vocabs[i % LENGTH(vocabs)],
			    .draws = draws[i / LENGTH(vocabs) % 3],
			    .removed = 5,
			    .pieces = i % 2 > 0,
			    .temps = 1};
			layout_make(&l, &needs);
			check(&l, &needs);
			if (width < 80)
				continue;
			assert_non_null(find(&l, COLUMN_LOGIT, 0));
			assert_non_null(find(&l, COLUMN_REMOVED, 0));
			assert_true(find(&l, COLUMN_BAR, 0)->width >= 6);
		}
}

static void
the_bar_takes_what_is_left(void **state)
{
	struct layout_needs needs = {
	    .vocab = 512, .removed = 5, .pieces = true, .temps = 1};
	struct layout l;

	(void)state;
	for (needs.width = 80; needs.width <= 250; needs.width++) {
		layout_make(&l, &needs);
		assert_int_equal(line_width(&l), needs.width);
	}
}

/* Each temperature is in one table, and they stand in order. */
static void
temperatures_that_do_not_fit_wait(void **state)
{
	struct layout_needs needs;
	struct layout l;

	(void)state;
	for (size_t width = 40; width <= 250; width++)
		for (size_t temps = 2; temps <= 100; temps += 7) {
			needs = (struct layout_needs){.width = width,
			    .vocab = vocabs[width % LENGTH(vocabs)],
			    .pieces = temps % 2 > 0,
			    .compare = true,
			    .temps = temps};
			while (needs.temps > 0) {
				layout_make(&l, &needs);
				check(&l, &needs);
				assert_null(find(&l, COLUMN_CUMULATIVE, 0));
				needs.first += l.temps;
				needs.temps -= l.temps;
			}
			assert_int_equal(needs.first, temps);
		}
}

static void
three_temperatures_fit_into_80_columns(void **state)
{
	struct layout_needs needs = {.width = 80,
	    .vocab = 262144,
	    .pieces = true,
	    .compare = true,
	    .temps = 3};
	struct layout l;

	(void)state;
	layout_make(&l, &needs);
	assert_int_equal(l.temps, 3);
	assert_non_null(find(&l, COLUMN_PIECE, 0));
}

/* Where even that is too wide the line is, and nothing breaks. */
static void
a_line_of_one_column_is_not_enough(void **state)
{
	struct layout_needs needs = {
	    .width = 1, .vocab = 512, .pieces = true, .temps = 1};
	struct layout l;

	(void)state;
	layout_make(&l, &needs);
	assert_int_equal(l.size, 3);
	assert_non_null(find(&l, COLUMN_RANK, 0));
	assert_non_null(find(&l, COLUMN_ID, 0));
	assert_non_null(find(&l, COLUMN_P, 0));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(lines_fit_from_40_columns_on),
	    cmocka_unit_test(the_bar_takes_what_is_left),
	    cmocka_unit_test(temperatures_that_do_not_fit_wait),
	    cmocka_unit_test(three_temperatures_fit_into_80_columns),
	    cmocka_unit_test(a_line_of_one_column_is_not_enough),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
