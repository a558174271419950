/* SPDX-License-Identifier: MIT */
/* What a progress line says, and what it leaves out to fit. */
#include "helper.h"

#include "../../src/output/progress.h"

static const struct progress_count some = {1234, 5678000, 0.25};

static void
assert_text(const struct progress_count *c, double seconds, size_t columns,
    const char *want)
{
	char text[PROGRESS_TEXT];

	progress_print(text, c, seconds, columns);
	assert_string_equal(text, want);
}

static void
all_is_told_where_there_is_room(void **unused)
{
	(void)unused;
	assert_text(
	    &some, 10, 80, "1234 rows, 25%, 0:30 left, 123 rows/s, 568 kB/s");
	assert_text(&some, 2000, 80,
	    "1234 rows, 25%, 1:40:00 left, 0.62 rows/s, 2.84 kB/s");
}

static void
what_is_not_known_is_left_out(void **unused)
{
	struct progress_count c = {1, 4, 0};

	(void)unused;
	assert_text(&c, 1, 80, "1 row, 1.00 rows/s, 4 B/s");
	assert_text(&c, 0, 80, "1 row");
	c.rows = 0;
	assert_text(&c, 1, 80, "0 rows");
	c.part = 1e-9; /* more than a thousand hours */
	assert_text(&c, 1, 80, "0 rows, 0%");
	c = (struct progress_count){8, 128, 1};
	assert_text(&c, 1, 80, "8 rows, 100%, 8.00 rows/s, 128 B/s");
}

/* Whatever the width, whole parts are told, the first ones. */
static void
what_does_not_fit_is_left_out(void **unused)
{
	char whole[PROGRESS_TEXT], text[PROGRESS_TEXT];
	size_t n;

	(void)unused;
	progress_print(whole, &some, 10, 1000);
	for (size_t columns = 0; columns <= strlen(whole); columns++) {
		progress_print(text, &some, 10, columns);
		n = strlen(text);
		assert_true(n <= columns);
		assert_memory_equal(text, whole, n);
		assert_true(whole[n] == ',' || whole[n] == '\0' || n == 0);
	}
	assert_string_equal(text, whole);
	assert_text(&some, 10, 12, "1234 rows");
}

static void
rates_have_three_digits(void **unused)
{
	static const struct {
		double bytes;
		const char *text;
	} rates[] = {
	    {999, "999 B/s"},
	    {1000, "1.00 kB/s"},
	    {9994, "9.99 kB/s"},
	    {9996, "10.0 kB/s"},
	    {99960, "100 kB/s"},
	    {999600, "1.00 MB/s"},
	    {1.5e9, "1.50 GB/s"},
	    {1.5e15, "1500 TB/s"},
	};
	struct progress_count c = {.rows = 1};
	char text[PROGRESS_TEXT];

	(void)unused;
	for (size_t i = 0; i < LENGTH(rates); i++) {
		c.bytes = (uint64_t)rates[i].bytes;
		progress_print(text, &c, 1, 80);
		assert_non_null(strstr(text, "rows/s, "));
		assert_string_equal(
		    strstr(text, "rows/s, ") + 8, rates[i].text);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(all_is_told_where_there_is_room),
	    cmocka_unit_test(what_is_not_known_is_left_out),
	    cmocka_unit_test(what_does_not_fit_is_left_out),
	    cmocka_unit_test(rates_have_three_digits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
