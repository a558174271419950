/* SPDX-License-Identifier: MIT */
/* utf8_length() on every character, and on every string of few bytes. */
#include "helper.h"

#include "../../src/utf8.h"

/* RFC 3629, section 3: the bytes of a code point; how many. */
static size_t
encode(uint32_t point, unsigned char to[4])
{
	size_t n = point < 0x80 ? 1
	    : point < 0x800     ? 2
	    : point < 0x10000   ? 3
	                        : 4;
	static const unsigned char lead[] = {0, 0, 0xc0, 0xe0, 0xf0};

	for (size_t i = n; i-- > 1; point >>= 6)
		to[i] = (unsigned char)(0x80 | (point & 0x3f));
	to[0] = (unsigned char)(lead[n] | point);
	return n;
}

/* And not one byte behind it is looked at. */
static void
every_character_has_its_length(void **state)
{
	unsigned char *end = (unsigned char *)guarded_new(4) + 4, bytes[4];
	size_t n;

	(void)state;
	for (uint32_t point = 0; point <= 0x10ffff; point++) {
		n = encode(point, bytes);
		if (point >= 0xd800 && point <= 0xdfff) {
			assert_int_equal(utf8_length(bytes, n), 0);
			continue;
		}
		memcpy(end - n, bytes, n);
		if (utf8_length(end - n, n) != n)
			fail_msg("U+%04X has not length %zu", point, n);
		for (size_t cut = 0; cut < n; cut++) {
			memcpy(end - cut, bytes, cut);
			assert_int_equal(utf8_length(end - cut, cut), 0);
		}
	}
	guarded_free(end - 4, 4);
}

/*
 * There are 128, 1920, 61440 and 1048576 characters of 1 to 4 bytes.  All
 * of them were taken above: so if no more strings are taken, none is wrong.
 */
static void
nothing_else_is_a_character(void **state)
{
	static const unsigned char last[] = {0, 0x7f, 0x80, 0xbf, 0xc0, 0xff};
	unsigned char s[4];
	size_t count[5] = {0};

	(void)state;
	for (uint32_t all = 0; all < 1 << 24; all++) {
		s[0] = (unsigned char)(all >> 16);
		s[1] = (unsigned char)(all >> 8);
		s[2] = (unsigned char)all;
		count[1] += s[1] == 0 && s[2] == 0 && utf8_length(s, 1) == 1;
		count[2] += s[2] == 0 && utf8_length(s, 2) == 2;
		count[3] += utf8_length(s, 3) == 3;
		for (size_t i = 0; i < LENGTH(last) && s[0] >= 0xe0; i++) {
			s[3] = last[i];
			count[4] += utf8_length(s, 4) == 4;
		}
	}
	assert_int_equal(count[1], 128);
	assert_int_equal(count[2], 1920);
	assert_int_equal(count[3], 61440);
	/* two of the 64 that the last byte can be */
	assert_int_equal(count[4], 1048576 / 64 * 2);
}

/* What follows a character changes nothing. */
static void
only_the_first_character_counts(void **state)
{
	(void)state;
	assert_int_equal(utf8_length((const unsigned char *)"a\xff", 2), 1);
	assert_int_equal(
	    utf8_length((const unsigned char *)"\xc3\xa9\xc3", 3), 2);
	assert_int_equal(utf8_length((const unsigned char *)"", 1), 1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(every_character_has_its_length),
	    cmocka_unit_test(nothing_else_is_a_character),
	    cmocka_unit_test(only_the_first_character_counts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
