/* SPDX-License-Identifier: MIT */
/* Rows thinned to points, against the rows themselves. */
#include "helper.h"

#include "../../src/output/points.h"

enum { FIGURES = 3 };

/* Figures that are whole, so that sums are exact in any order. */
static void
make_figures(uint64_t row, double figures[FIGURES])
{
	uint64_t state = row;

	figures[0] = (double)row;
	figures[1] = -(double)(random_bits(&state) % 1000);
	figures[2] = (double)(random_bits(&state) % 7);
}

static void
add_rows(struct points *p, uint64_t rows)
{
	double figures[FIGURES];
	struct error err;

	assert_true(points_open(p, FIGURES, &err));
	for (uint64_t row = 0; row < rows; row++) {
		make_figures(row, figures);
		points_add(p, figures);
	}
}

/* One point against a look at each of its rows. */
static void
check_point(const struct points *p, size_t point, uint64_t first)
{
	struct range want[FIGURES];
	const struct range *got;
	double figures[FIGURES];
	uint64_t rows = points_rows(p, point);

	assert_true(rows > 0);
	for (uint64_t row = first; row < first + rows; row++) {
		make_figures(row, figures);
		for (size_t f = 0; f < FIGURES; f++) {
			if (row == first)
				want[f] = (struct range){
				    figures[f], 0, figures[f]};
			want[f].sum += figures[f];
			if (figures[f] < want[f].least)
				want[f].least = figures[f];
			if (figures[f] > want[f].most)
				want[f].most = figures[f];
		}
	}
	for (size_t f = 0; f < FIGURES; f++) {
		got = points_get(p, point, f);
		assert_true(got->least == want[f].least);
		assert_true(got->sum == want[f].sum);
		assert_true(got->most == want[f].most);
		assert_true(
		    points_mean(p, point, f) == want[f].sum / (double)rows);
	}
}

static void
every_row_is_in_one_point(void **unused)
{
	static const uint64_t counts[] = {1, 2, POINTS_MAX - 1, POINTS_MAX,
	    POINTS_MAX + 1, POINTS_MAX + 2, 2 * POINTS_MAX, 2 * POINTS_MAX + 1,
	    12345};
	struct points p;
	uint64_t first;

	(void)unused;
	for (size_t i = 0; i < LENGTH(counts); i++) {
		add_rows(&p, counts[i]);
		assert_true(p.size <= POINTS_MAX);
		assert_int_equal(p.rows, counts[i]);
		first = 0;
		for (size_t point = 0; point < p.size; point++) {
			check_point(&p, point, first);
			first += points_rows(&p, point);
		}
		assert_int_equal(first, counts[i]);
		points_close(&p);
	}
}

static void
up_to_the_limit_a_row_is_a_point(void **unused)
{
	struct points p;

	(void)unused;
	add_rows(&p, POINTS_MAX);
	assert_int_equal(p.span, 1);
	assert_int_equal(p.size, POINTS_MAX);
	points_close(&p);
	add_rows(&p, POINTS_MAX + 1);
	assert_int_equal(p.span, 2);
	assert_int_equal(p.size, POINTS_MAX / 2 + 1);
	assert_int_equal(points_rows(&p, p.size - 1), 1);
	points_close(&p);
}

static void
the_total_is_that_of_all_rows(void **unused)
{
	struct points p;
	struct range total;

	(void)unused;
	add_rows(&p, 3001);
	total = points_total(&p, 0);
	assert_true(total.least == 0);
	assert_true(total.most == 3000);
	assert_true(total.sum == 3000.0 * 3001 / 2);
	points_close(&p);
	add_rows(&p, 0);
	assert_true(points_total(&p, 0).sum == 0);
	points_close(&p);
}

static void
too_many_figures_are_an_error(void **unused)
{
	struct points p;
	struct error err;

	(void)unused;
	assert_false(points_open(&p, SIZE_MAX / 2, &err));
	assert_int_equal(err.status, STATUS_FAILED);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(every_row_is_in_one_point),
	    cmocka_unit_test(up_to_the_limit_a_row_is_a_point),
	    cmocka_unit_test(the_total_is_that_of_all_rows),
	    cmocka_unit_test(too_many_figures_are_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
