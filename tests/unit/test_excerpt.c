/* SPDX-License-Identifier: MIT */
/* Pieces as tables show them: escaped, and never wider than they may be. */
#include "helper.h"

#include "../../src/output/excerpt.h"
#include "../../src/output/width.h"
#include "../../src/utf8.h"

static void
check(const char *bytes, size_t n, size_t width, bool unicode,
    const char *expected, size_t columns)
{
	struct excerpt e;

	excerpt_make(&e, bytes, n, width, unicode);
	assert_int_equal(e.size, strlen(expected));
	assert_memory_equal(e.text, expected, e.size);
	assert_int_equal(e.columns, columns);
}

static void
what_can_be_seen_stands_as_it_is(void **state)
{
	(void)state;
	check("", 0, 8, true, "\"\"", 2);
	check(" the", 4, 8, true, "\" the\"", 6);
	check("caf\u00e9", 5, 8, true, "\"caf\u00e9\"", 6);
	check("\u65e5\u672c", 6, 8, true, "\"\u65e5\u672c\"", 6);
	check("\U0001f600", 4, 8, true, "\"\U0001f600\"", 4);
}

static void
what_can_not_be_seen_is_escaped(void **state)
{
	(void)state;
	check("\n\r\t", 3, 20, true, "\"\\n\\r\\t\"", 8);
	check("\0\x1b\x7f", 3, 20, true, "\"\\x00\\x1b\\x7f\"", 14);
	check("a\"b\\c", 5, 20, true, "\"a\\\"b\\\\c\"", 9);
	check("\xff\xc3", 2, 20, true, "\"\\xff\\xc3\"", 10);
	check("\xc2\x85", 2, 20, true, "\"\\u{85}\"", 8);
	check("\u202e", 3, 20, true, "\"\\u{202e}\"", 10);
	check("\ufeff", 3, 20, true, "\"\\u{feff}\"", 10);
	check("\U000e0041", 4, 20, true, "\"\\u{e0041}\"", 11);
}

/* A mark joins what stands before it, but not the quote. */
static void
marks_take_no_column(void **state)
{
	(void)state;
	check("e\u0301!", 4, 8, true, "\"e\u0301!\"", 4);
	check("\u0301e", 3, 12, true, "\"\\u{301}e\"", 10);
	check("\u0915\u094d\u0937", 9, 8, true, "\"\u0915\u094d\u0937\"", 4);
}

static void
without_unicode_all_is_ascii(void **state)
{
	(void)state;
	check("caf\u00e9", 5, 20, false, "\"caf\\xc3\\xa9\"", 13);
	check("longer", 6, 5, false, "\"lon~", 5);
}

static void
what_does_not_fit_is_cut(void **state)
{
	(void)state;
	check("longer", 6, 8, true, "\"longer\"", 8);
	check("longer", 6, 7, true, "\"longe\u2026", 7);
	check("longer", 6, 2, true, "\"\u2026", 2);
	/* Neither an escape nor a wide character is halved. */
	check("ab\xff", 3, 7, true, "\"ab\u2026", 4);
	check("ab\xff", 3, 8, true, "\"ab\\xff\"", 8);
	check("\u65e5\u672c", 6, 5, true, "\"\u65e5\u2026", 4);
}

/* However many marks there are, the text has room for them or ends. */
static void
a_pile_of_marks_is_cut(void **state)
{
	char piece[1 + 2 * 1000];
	struct excerpt e;

	(void)state;
	piece[0] = 'a';
	for (size_t i = 0; i < 1000; i++)
		memcpy(piece + 1 + 2 * i, "\u0301", 2);
	excerpt_make(&e, piece, sizeof(piece), 8, true);
	assert_int_equal(e.columns, 3);
	assert_true(e.size <= EXCERPT);
	assert_memory_equal(e.text + e.size - 3, "\u2026", 3);
}

/* Any bytes give well-formed text of one line, not wider than it may be. */
static void
any_bytes_fit(void **state)
{
	uint64_t random = 1;
	unsigned char *bytes;
	struct excerpt e;
	size_t n, width, length;

	(void)state;
	for (size_t round = scaled(20000); round > 0; round--) {
		n = random_below(&random, 40);
		width = 2 + random_below(&random, 30);
		bytes = guarded_new(n);
		for (size_t i = 0; i < n; i++)
			bytes[i] = (unsigned char)random_bits(&random);
		excerpt_make(&e, (char *)bytes, n, width, one_in(&random, 2));
		assert_true(e.columns <= width && e.size <= EXCERPT);
		for (size_t i = 0; i < e.size; i += length) {
			length = utf8_length(
			    (unsigned char *)e.text + i, e.size - i);
			assert_true(length > 0);
			assert_true((unsigned char)e.text[i] >= ' ' &&
			    e.text[i] != 0x7f);
		}
		guarded_free(bytes, n);
	}
}

static void
characters_have_their_widths(void **state)
{
	(void)state;
	assert_int_equal(width_of('a'), 1);
	assert_int_equal(width_of('\n'), -1);
	assert_int_equal(width_of(0x7f), -1);
	assert_int_equal(width_of(0x9f), -1);
	assert_int_equal(width_of(0xa0), 1);
	assert_int_equal(width_of(0x2ff), 1);
	assert_int_equal(width_of(0x300), 0);
	assert_int_equal(width_of(0x36f), 0);
	assert_int_equal(width_of(0x370), 1);
	assert_int_equal(width_of(0x1100), 2);
	assert_int_equal(width_of(0x1160), 0);
	assert_int_equal(width_of(0x200d), -1);
	assert_int_equal(width_of(0x2588), 1);
	assert_int_equal(width_of(0x4e00), 2);
	assert_int_equal(width_of(0xac00), 2);
	assert_int_equal(width_of(0xe000), -1);
	assert_int_equal(width_of(0xfe0f), -1);
	assert_int_equal(width_of(0x1f600), 2);
	assert_int_equal(width_of(0x20000), 2);
	assert_int_equal(width_of(0x10fffd), -1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(what_can_be_seen_stands_as_it_is),
	    cmocka_unit_test(what_can_not_be_seen_is_escaped),
	    cmocka_unit_test(marks_take_no_column),
	    cmocka_unit_test(without_unicode_all_is_ascii),
	    cmocka_unit_test(what_does_not_fit_is_cut),
	    cmocka_unit_test(a_pile_of_marks_is_cut),
	    cmocka_unit_test(any_bytes_fit),
	    cmocka_unit_test(characters_have_their_widths),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
