/* SPDX-License-Identifier: MIT */
/* JSON text: commas, escapes, and numbers that read back the same. */
#include <float.h>

#include "helper.h"

#include "../../src/output/json.h"

/* The line stands in the buffer: it is never full here. */
static struct buffer buffer;
static struct error error;

static void
begin(struct json *j)
{
	buffer_open(&buffer, -1, "nowhere");
	json_begin(j, &buffer, &error);
}

static void
assert_written(struct json *j, const char *expected)
{
	assert_true(json_end(j));
	assert_int_equal(buffer.bytes[buffer.size - 1], '\n');
	buffer.bytes[buffer.size - 1] = '\0';
	assert_string_equal((const char *)buffer.bytes, expected);
}

static void
commas_stand_between_values(void **state)
{
	struct json j;

	(void)state;
	begin(&j);
	json_open(&j, NULL, '{');
	json_unsigned(&j, "a", 1);
	json_open(&j, "b", '[');
	json_bool(&j, NULL, true);
	json_bool(&j, NULL, false);
	json_open(&j, NULL, '{');
	json_close(&j, '}');
	json_open(&j, NULL, '[');
	json_close(&j, ']');
	json_null(&j, NULL);
	json_close(&j, ']');
	json_signed(&j, "c", -2);
	json_close(&j, '}');
	assert_written(&j, "{\"a\":1,\"b\":[true,false,{},[],null],\"c\":-2}");
}

static void
check_text(const char *bytes, size_t n, const char *expected)
{
	struct json j;

	begin(&j);
	json_text(&j, NULL, bytes, n);
	assert_written(&j, expected);
}

static void
strings_are_escaped(void **state)
{
	(void)state;
	check_text("", 0, "\"\"");
	check_text("plain", 5, "\"plain\"");
	check_text("\"\\/", 3, "\"\\\"\\\\/\"");
	check_text("\0\n\x1f\x7f", 4, "\"\\u0000\\u000a\\u001f\\u007f\"");
	check_text("\u00e9\u20ac\U0001f600", 9, "\"\u00e9\u20ac\U0001f600\"");
}

/* Each byte that begins no character is one replacement character. */
static void
bytes_that_are_no_utf8_are_replaced(void **state)
{
	(void)state;
	check_text("a\xff"
	           "b",
	    3, "\"a\ufffdb\"");
	check_text("\xc3", 1, "\"\ufffd\"");
	check_text("\xe2\x82", 2, "\"\ufffd\ufffd\"");
	check_text("\xed\xa0\x80", 3, "\"\ufffd\ufffd\ufffd\"");
	check_text("\xc0\x80", 2, "\"\ufffd\ufffd\"");
}

static void
keys_are_escaped_too(void **state)
{
	struct json j;

	(void)state;
	begin(&j);
	json_open(&j, NULL, '{');
	json_text(&j, "a\"b", "c", 1);
	json_close(&j, '}');
	assert_written(&j, "{\"a\\\"b\":\"c\"}");
}

static void
check_float(float value, const char *expected)
{
	struct json j;

	begin(&j);
	json_float(&j, NULL, value);
	assert_written(&j, expected);
}

static void
check_double(double value, const char *expected)
{
	struct json j;

	begin(&j);
	json_double(&j, NULL, value);
	assert_written(&j, expected);
}

static void
numbers_are_as_short_as_they_can_be(void **state)
{
	(void)state;
	check_float(0, "0");
	check_float(-0.0f, "-0");
	check_float(1, "1");
	check_float(0.1f, "0.1");
	check_float(0.95f, "0.95");
	check_float(16777216, "16777216");
	check_float(FLT_MAX, "3.4028235e+38");
	check_float(0x1p-149f, "1e-45");
	check_double(0.1, "0.1");
	check_double((double)0.1f, "0.10000000149011612");
	check_double(DBL_MAX, "1.7976931348623157e+308");
	check_double(0x1p-1074, "5e-324");
}

static void
what_json_has_no_number_for_is_null(void **state)
{
	(void)state;
	check_float(NAN, "null");
	check_float(INFINITY, "null");
	check_float(-INFINITY, "null");
	check_double((double)NAN, "null");
	check_double(-(double)INFINITY, "null");
}

static void
integers_keep_all_their_digits(void **state)
{
	struct json j;

	(void)state;
	begin(&j);
	json_open(&j, NULL, '[');
	json_unsigned(&j, NULL, UINT64_MAX);
	json_signed(&j, NULL, INT64_MIN);
	json_signed(&j, NULL, INT64_MAX);
	json_close(&j, ']');
	assert_written(&j,
	    "[18446744073709551615,-9223372036854775808,"
	    "9223372036854775807]");
}

static void
numbers_read_back_the_same(void **state)
{
	uint64_t random = 1, bits;
	struct json j;
	double value;
	float narrow;

	(void)state;
	for (size_t i = scaled(100000); i > 0; i--) {
		bits = random_bits(&random);
		memcpy(&value, &bits, sizeof(value));
		memcpy(&narrow, &bits, sizeof(narrow));
		begin(&j);
		if (isfinite(value))
			json_double(&j, NULL, value);
		buffer.bytes[buffer.size] = '\0';
		if (isfinite(value))
			assert_true(
			    strtod((char *)buffer.bytes, NULL) == value);
		begin(&j);
		json_float(&j, NULL, narrow);
		buffer.bytes[buffer.size] = '\0';
		if (isfinite(narrow))
			assert_true(
			    strtof((char *)buffer.bytes, NULL) == narrow);
	}
}

/* A failed write is remembered, and told at the end. */
static void
a_failure_is_told_at_the_end(void **state)
{
	static char large[BUFFER_SIZE];
	struct json j;

	(void)state;
	memset(large, 'x', sizeof(large));
	begin(&j);
	json_open(&j, NULL, '[');
	json_text(&j, NULL, large, sizeof(large));
	json_text(&j, NULL, "after", 5);
	json_close(&j, ']');
	assert_false(json_end(&j));
	assert_int_equal(error.status, STATUS_FAILED);
	assert_non_null(strstr(error.text, "nowhere: "));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(commas_stand_between_values),
	    cmocka_unit_test(strings_are_escaped),
	    cmocka_unit_test(bytes_that_are_no_utf8_are_replaced),
	    cmocka_unit_test(keys_are_escaped_too),
	    cmocka_unit_test(numbers_are_as_short_as_they_can_be),
	    cmocka_unit_test(what_json_has_no_number_for_is_null),
	    cmocka_unit_test(integers_keep_all_their_digits),
	    cmocka_unit_test(numbers_read_back_the_same),
	    cmocka_unit_test(a_failure_is_told_at_the_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
