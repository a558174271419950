/* SPDX-License-Identifier: MIT */
/* Decimal numbers: read, compared, rounded to a grid, and put in a range. */
#include "helper.h"

#include "../../src/schema/decimal.h"
#include "../../src/schema/range.h"

static struct decimal
number(const char *text)
{
	struct decimal d;

	if (!decimal_read(&d, text, strlen(text)))
		fail_msg("%s is refused", text);
	return d;
}

static void
numbers_are_compared_by_value(void **state)
{
	/* Each row above the ones before it; a row's texts are equal. */
	static const char *const rows[][4] = {
	    {"-1e299", "-10e298"},
	    {"-123456789012345678901234567890"},
	    {"-20", "-2e1", "-20.0"},
	    {"-19.5"},
	    {"-2"},
	    {"-0.001", "-1e-3"},
	    {"0", "-0", "0.000", "0e5"},
	    {"1e-301", "0.1e-300"},
	    {"0.05", "5e-2", "0.50E-1"},
	    {"0.5"},
	    {"2", "2.0", "20e-1", "0.0002e4"},
	    {"10", "1e1"},
	    {"9007199254740992"},
	    {"9007199254740993"},
	    {"123456789012345678901234567890"},
	};
	struct decimal a, b;

	(void)state;
	for (size_t i = 0; i < LENGTH(rows); i++)
		for (size_t j = 0; j < LENGTH(rows); j++)
			for (size_t k = 0; k < 4 && rows[i][k] != NULL; k++) {
				a = number(rows[i][k]);
				b = number(rows[j][0]);
				assert_int_equal((decimal_compare(&a, &b) > 0) -
				        (decimal_compare(&a, &b) < 0),
				    (i > j) - (i < j));
			}
}

static void
numbers_that_readers_round_are_refused(void **state)
{
	static const char *const bad[] = {"1234567890123456.5", "1e300",
	    "-1e999999999999999999999", "1e-302", "1e-99999999999",
	    "0.1234567890123456", "1234567890123456e3",
	    "1234567890123456789012345678901",
	    "1000000000000000000000000000000"};
	struct decimal d;

	(void)state;
	for (size_t i = 0; i < LENGTH(bad); i++)
		if (decimal_read(&d, bad[i], strlen(bad[i])))
			fail_msg("%s is taken", bad[i]);
}

/* However many zeros stand on either side of the point. */
static void
numbers_that_are_too_long_are_refused(void **state)
{
	enum { LONG = 100010 };
	static char text[LONG + 1];
	struct decimal d;

	(void)state;
	memset(text, '0', LONG);
	text[0] = '1';
	assert_false(decimal_read(&d, text, LONG));
	text[0] = '0';
	text[1] = '.';
	text[LONG - 1] = '1';
	assert_false(decimal_read(&d, text, LONG));
	text[LONG - 1] = '0';
	assert_true(decimal_read(&d, text, LONG - 20));
	assert_int_equal(d.n, 0);
}

static void
check_fixed(const struct fixed *f, const char *expected)
{
	char text[FIXED + 2], *first = text + 1;

	memcpy(text + 1, f->digits, FIXED);
	text[FIXED + 1] = '\0';
	while (*first == '0' && first[1] != '\0')
		first++;
	if (f->negative)
		*--first = '-';
	assert_string_equal(first, expected);
}

static void
bounds_are_put_on_a_grid(void **state)
{
	static const struct {
		const char *text;
		int places;
		const char *least, *above, *most, *below;
	} cases[] = {
	    {"0", 0, "0", "1", "0", "-1"},
	    {"-0", 3, "0", "1", "0", "-1"},
	    {"2.5", 0, "3", "3", "2", "2"},
	    {"-2.5", 0, "-2", "-2", "-3", "-3"},
	    {"0.5", 0, "1", "1", "0", "0"},
	    {"-0.5", 0, "0", "0", "-1", "-1"},
	    {"1e3", 0, "1000", "1001", "1000", "999"},
	    {"-1e3", 0, "-1000", "-999", "-1000", "-1001"},
	    {"-1", 0, "-1", "0", "-1", "-2"},
	    {"1e-20", 0, "1", "1", "0", "0"},
	    {"0.125", 2, "13", "13", "12", "12"},
	    {"0.125", 3, "125", "126", "125", "124"},
	    {"99.9", 1, "999", "1000", "999", "998"},
	    {"-99.9", 1, "-999", "-998", "-999", "-1000"},
	    {"1e29", 0, "100000000000000000000000000000",
	        "100000000000000000000000000001",
	        "100000000000000000000000000000",
	        "99999999999999999999999999999"},
	};
	struct decimal d;
	struct fixed f;

	(void)state;
	for (size_t i = 0; i < LENGTH(cases); i++) {
		d = number(cases[i].text);
		fixed_least(&f, &d, cases[i].places, false);
		check_fixed(&f, cases[i].least);
		fixed_least(&f, &d, cases[i].places, true);
		check_fixed(&f, cases[i].above);
		fixed_most(&f, &d, cases[i].places, false);
		check_fixed(&f, cases[i].most);
		fixed_most(&f, &d, cases[i].places, true);
		check_fixed(&f, cases[i].below);
	}
}

static void
check_range(const char *low, const char *high, int places, const char *expected)
{
	struct decimal a = number(low), b = number(high);
	struct fixed from, to;
	struct text t = {0};

	fixed_least(&from, &a, places, false);
	fixed_most(&to, &b, places, false);
	range_print(&t, &from, &to, (size_t)places);
	assert_string_equal(t.bytes, expected);
	free(t.bytes);
}

static void
integers_between_bounds_have_a_grammar(void **state)
{
	(void)state;
	check_range("0", "0", 0, "(\"0\")");
	check_range("0", "9", 0, "([0-9])");
	check_range("0", "99", 0, "([0-9] | [1-9] [0-9])");
	check_range("3", "17", 0, "([3-9] | \"1\" ([0-7]))");
	check_range("0", "100000", 0,
	    "([0-9] | [1-9] [0-9]{1,4} | \"1\" (\"0\" (\"0\" (\"0\" (\"0\" "
	    "(\"0\"))))))");
	check_range("123", "456", 0,
	    "(\"1\" (\"2\" ([3-9]) | [3-9] [0-9]) | [2-3] [0-9]{2} | "
	    "\"4\" ([0-4] [0-9] | \"5\" ([0-6])))");
	check_range("-12", "5", 0, "(\"-\" ([1-9] | \"1\" ([0-2])) | [0-5])");
	check_range("-12", "-7", 0, "(\"-\" ([7-9] | \"1\" ([0-2])))");
}

static void
numbers_between_bounds_have_one_too(void **state)
{
	(void)state;
	check_range("0", "1", 2,
	    "(\"0\" (\".\" [0-9]{1,2})? | \"1\" (\".\" \"0\"{1,2})?)");
	check_range("0.25", "0.5", 2,
	    "(\"0\" (\".\" (\"2\" ([5-9]) | [3-4] [0-9]{0,1} | "
	    "\"5\" \"0\"{0,1})))");
	check_range("1", "1.99", 2, "(\"1\" (\".\" [0-9]{1,2})?)");
	check_range("-1.5", "0", 1,
	    "(\"-\" (\"0\" (\".\" ([1-9])) | \"1\" (\".\" ([0-5]))?) | "
	    "\"0\" (\".\" \"0\"{1,1})?)");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(numbers_are_compared_by_value),
	    cmocka_unit_test(numbers_that_readers_round_are_refused),
	    cmocka_unit_test(numbers_that_are_too_long_are_refused),
	    cmocka_unit_test(bounds_are_put_on_a_grid),
	    cmocka_unit_test(integers_between_bounds_have_a_grammar),
	    cmocka_unit_test(numbers_between_bounds_have_one_too),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
