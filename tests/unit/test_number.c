/* SPDX-License-Identifier: MIT */
/* Numbers are taken whole, within their range, or refused. */
#include <float.h>

#include "helper.h"

#include "../../src/cli/number.h"

/* The message names the place and the text. */
static void
assert_refused(bool taken, const char *text, const struct error *err)
{
	if (taken)
		fail_msg("'%s' is taken", text);
	assert_int_equal(err->status, STATUS_USAGE);
	assert_non_null(strstr(err->text, "--place: "));
	assert_non_null(strstr(err->text, text));
}

static void
take_int(const char *text, double low, double high, int64_t expected)
{
	struct error err;
	int64_t value = 77;

	if (!number_int(text, low, high, &value, "--place", &err))
		fail_msg("%s", err.text);
	assert_true(value == expected);
}

static void
refuse_int(const char *text, double low, double high, const char *reason)
{
	struct error err;
	int64_t value = 77;

	assert_refused(
	    number_int(text, low, high, &value, "--place", &err), text, &err);
	assert_non_null(strstr(err.text, reason));
	assert_int_equal(value, 77);
}

static void
take_float(const char *text, double low, double high, float expected)
{
	struct error err;
	float value = 77;

	if (!number_float(text, low, high, &value, "--place", &err))
		fail_msg("%s", err.text);
	assert_int_equal(float_bits(value), float_bits(expected));
}

static void
refuse_float(const char *text, double low, double high)
{
	struct error err;
	float value = 77;

	assert_refused(
	    number_float(text, low, high, &value, "--place", &err), text, &err);
	assert_true(value == 77);
}

/* What is no number of any kind. */
static const char *const no_numbers[] = {
    "", " ", "abc", " 1", "1 ", "1x", "\t1", "\n1", "1,2", "--1", "+-1", "- 1"};

static void
whole_numbers_are_taken(void **state)
{
	(void)state;
	take_int("0", 0, 0, 0);
	take_int("-1", 0, 0, -1);
	take_int("+7", 0, 0, 7);
	take_int("007", 0, 0, 7);
	take_int("9223372036854775807", 0, 0, INT64_MAX);
	take_int("-9223372036854775808", 0, 0, INT64_MIN);
	take_int("1", 1, 2147483647, 1);
	take_int("2147483647", 1, 2147483647, INT32_MAX);
}

static void
anything_else_is_no_whole_number(void **state)
{
	(void)state;
	for (size_t i = 0; i < LENGTH(no_numbers); i++)
		refuse_int(no_numbers[i], 0, 0, "is not a whole number");
	refuse_int("1.0", 0, 0, "is not a whole number");
	refuse_int("1e3", 0, 0, "is not a whole number");
	refuse_int("0x10", 0, 0, "is not a whole number");
}

static void
whole_numbers_have_a_range(void **state)
{
	(void)state;
	refuse_int("0", 1, 2147483647, "range: 1 to 2147483647");
	refuse_int("2147483648", 1, 2147483647, "range: 1 to 2147483647");
	refuse_int("-1", 0, 5, "range: 0 to 5");
	refuse_int("99999999999999999999", 0, 5, "range: 0 to 5");
	refuse_int("9223372036854775808", 0, 0, "range: ");
	refuse_int("-9223372036854775809", 0, 0, "range: ");
}

static void
floats_are_taken(void **state)
{
	(void)state;
	take_float("0", 0, 0, 0);
	take_float("-0", 0, 0, -0.0f);
	take_float("0.95", 0, 1, 0.95f);
	take_float("1e3", 0, 0, 1000);
	take_float(".5", 0, 1, 0.5f);
	take_float("3.4028235e38", 0, 0, FLT_MAX);
	take_float("1e-45", 0, 0, 0x1p-149f);
	take_float("1", 0, 1, 1);
	take_float("0", 0, 1, 0);
}

/*
 * Just above half-way between 1 and the next float.  The nearest double is
 * the half-way itself, from where a cast would go to 1.
 */
static void
floats_are_rounded_once(void **state)
{
	(void)state;
	take_float("1.00000005960464477539062500001", 0, 0, 0x1.000002p+0f);
}

static void
anything_else_is_no_float(void **state)
{
	static const char *const others[] = {"nan", "-nan", "NAN(7)", "inf",
	    "-inf", "infinity", "1e39", "-1e39", "1e", "1.2.3", "0x"};

	(void)state;
	for (size_t i = 0; i < LENGTH(no_numbers); i++)
		refuse_float(no_numbers[i], 0, 0);
	for (size_t i = 0; i < LENGTH(others); i++)
		refuse_float(others[i], 0, 0);
}

static void
floats_have_a_range(void **state)
{
	(void)state;
	refuse_float("1.0000001", 0, 1);
	refuse_float("-1e-45", 0, 1);
	refuse_float("2", -1, 1);
	refuse_float("nan", 0, 1);
}

static void
doubles_keep_all_their_bits(void **state)
{
	struct error err;
	double value;

	(void)state;
	assert_true(number_double("0.1", &value, "--place", &err));
	assert_true(value == 0.1);
	assert_true(number_double("1e300", &value, "--place", &err));
	assert_true(value == 1e300);
	for (size_t i = 0; i < LENGTH(no_numbers); i++)
		assert_refused(
		    number_double(no_numbers[i], &value, "--place", &err),
		    no_numbers[i], &err);
	assert_refused(
	    number_double("nan", &value, "--place", &err), "nan", &err);
	assert_refused(
	    number_double("1e309", &value, "--place", &err), "1e309", &err);
}

static void
take_seed(const char *text, uint64_t expected)
{
	struct error err;
	uint64_t value;

	assert_true(number_seed(text, &value, "--place", &err));
	assert_true(value == expected);
}

static void
seeds_have_64_bits_and_no_sign(void **state)
{
	static const char *const wrong[] = {"-1", "-0", "1.0", "0x10",
	    "18446744073709551616", "99999999999999999999999", "seed"};
	struct error err;
	uint64_t value;

	(void)state;
	take_seed("0", 0);
	take_seed("36", 36);
	take_seed("18446744073709551615", UINT64_MAX);
	for (size_t i = 0; i < LENGTH(no_numbers); i++)
		assert_refused(
		    number_seed(no_numbers[i], &value, "--place", &err),
		    no_numbers[i], &err);
	for (size_t i = 0; i < LENGTH(wrong); i++)
		assert_refused(number_seed(wrong[i], &value, "--place", &err),
		    wrong[i], &err);
}

static void
take_range(const char *text, int64_t first, int64_t last)
{
	struct error err;
	int64_t a = 77, b = 77;

	if (!number_range(text, &a, &b, "--place", &err))
		fail_msg("%s", err.text);
	assert_int_equal(a, first);
	assert_int_equal(b, last);
}

static void
ranges_may_lack_an_end(void **state)
{
	static const char *const others[] = {"", ":", "a", "1:b", "1:2:", "1-2",
	    " 1", "1 ", "-1", "0", "0:", "0:1", "2:1", "2:0", ":0"};
	struct error err;
	int64_t a, b;

	(void)state;
	take_range("3:5", 3, 5);
	take_range("3:3", 3, 3);
	take_range("3", 3, 3);
	take_range("3:", 3, 0);
	take_range(":5", 1, 5);
	take_range("007:08", 7, 8);
	take_range("99999999999999999999:", INT64_C(1) << 53, 0);
	for (size_t i = 0; i < LENGTH(others); i++)
		assert_refused(number_range(others[i], &a, &b, "--place", &err),
		    others[i], &err);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(whole_numbers_are_taken),
	    cmocka_unit_test(anything_else_is_no_whole_number),
	    cmocka_unit_test(whole_numbers_have_a_range),
	    cmocka_unit_test(floats_are_taken),
	    cmocka_unit_test(floats_are_rounded_once),
	    cmocka_unit_test(anything_else_is_no_float),
	    cmocka_unit_test(floats_have_a_range),
	    cmocka_unit_test(doubles_keep_all_their_bits),
	    cmocka_unit_test(seeds_have_64_bits_and_no_sign),
	    cmocka_unit_test(ranges_may_lack_an_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
