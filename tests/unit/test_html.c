/* SPDX-License-Identifier: MIT */
/* What comes from elsewhere can't be markup. */
#include "helper.h"

#include "../../src/output/html.h"

static struct buffer buffer;

static struct html
begin(struct error *err)
{
	buffer_open(&buffer, -1, "nothing");
	return (struct html){.buffer = &buffer, .error = err};
}

static void
assert_written(const char *want)
{
	assert_int_equal(buffer.size, strlen(want));
	assert_memory_equal(buffer.bytes, want, buffer.size);
}

static void
markup_is_escaped(void **unused)
{
	static const char text[] = "</script>&\"'\n\t\xc3\xa9\xc2\xb0";
	struct error err;
	struct html h = begin(&err);

	(void)unused;
	html_text(&h, text, sizeof(text) - 1);
	assert_written("&lt;/script&gt;&amp;&quot;&#39;\n\t\xc3\xa9\xc2\xb0");
}

/* No byte of any text is markup, and what is left is UTF-8. */
static void
no_byte_is_markup(void **unused)
{
	struct error err;
	struct html h;
	char byte;

	(void)unused;
	for (int c = 0; c < 256; c++) {
		h = begin(&err);
		byte = (char)c;
		html_text(&h, &byte, 1);
		assert_true(buffer.size > 0);
		for (size_t i = 0; i < buffer.size; i++) {
			assert_null(memchr("<>\"'", buffer.bytes[i], 4));
			assert_true(buffer.bytes[i] < 0x80);
			assert_true(
			    buffer.bytes[i] >= 0x20 || c == '\n' || c == '\t');
		}
	}
}

static void
controls_and_stray_bytes_are_shown(void **unused)
{
	static const char text[] = "\0\x1b\x7f\xff\xc2\x85\xe2\x82";
	struct error err;
	struct html h = begin(&err);

	(void)unused;
	html_text(&h, text, sizeof(text) - 1);
	assert_written("\\x00\\x1b\\x7f\\xff\\xc2\\x85\\xe2\\x82");
}

/* A failed write is remembered, and nothing is written behind the hole. */
static void
a_failure_is_the_end(void **unused)
{
	struct error err = {.text = ""};
	struct html h = begin(&err);

	(void)unused;
	for (int i = 0; i < BUFFER_SIZE; i++)
		html_put(&h, "x");
	assert_false(h.failed);
	html_put(&h, "x");
	assert_true(h.failed);
	assert_int_equal(err.status, STATUS_FAILED);
	assert_non_null(strstr(err.text, "nothing: "));
	html_text(&h, "after", 5);
	assert_written("");
}

static void
numbers_are_short(void **unused)
{
	static const struct {
		double value;
		const char *text;
	} numbers[] = {{0, "0"}, {12, "12"}, {262144, "262144"},
	    {0.12345, "0.123"}, {12.345, "12.3"}, {1234.5, "1234"}};
	struct error err;
	struct html h;

	(void)unused;
	for (size_t i = 0; i < LENGTH(numbers); i++) {
		h = begin(&err);
		html_number(&h, numbers[i].value);
		assert_written(numbers[i].text);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(markup_is_escaped),
	    cmocka_unit_test(no_byte_is_markup),
	    cmocka_unit_test(controls_and_stray_bytes_are_shown),
	    cmocka_unit_test(a_failure_is_the_end),
	    cmocka_unit_test(numbers_are_short),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
