/* SPDX-License-Identifier: MIT */
/* Classes of characters over bytes: all characters, and what is none. */
#include "helper.h"

#include "../../src/constraint/utf8_class.h"

enum { RANGES_MAX = 6 };

/* The bytes of a number, as many as it takes or more. */
static size_t
encode(uint32_t c, size_t length, unsigned char bytes[4])
{
	static const unsigned char lead[] = {0, 0, 0xc0, 0xe0, 0xf0};

	for (size_t i = length; i-- > 1; c >>= 6)
		bytes[i] = (unsigned char)(0x80 | (c & 0x3f));
	bytes[0] = (unsigned char)(lead[length] | c);
	return length;
}

static size_t
length_of(uint32_t c)
{
	return c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
}

/* Where the bytes lead, one state after the other. */
static uint16_t
run(const struct utf8_classes *classes, uint16_t state,
    const unsigned char *bytes, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		/* Nothing goes on behind a whole character. */
		assert_true(i == 0 || state != UTF8_MATCHED);
		state = utf8_class_step(classes, state, bytes[i]);
		if (state == UTF8_REFUSED)
			break;
	}
	return state;
}

static bool
is_listed(const struct utf8_range *ranges, size_t n, uint32_t c)
{
	for (size_t i = 0; i < n; i++)
		if (c >= ranges[i].first && c <= ranges[i].last)
			return true;
	return false;
}

/* Mostly near where the number of bytes, or a whole block, changes. */
static uint32_t
random_character(uint64_t *random)
{
	static const uint32_t edges[] = {0, 0x7f, 0x80, 0x7ff, 0x800, 0x1000,
	    0xd800, 0xdfff, 0xffff, 0x10000, 0x3ffff, 0x100000, 0x10ffff};
	uint32_t c = edges[random_below(random, LENGTH(edges))] +
	    (uint32_t)random_below(random, 5) - 2;

	if (one_in(random, 3))
		c = (uint32_t)random_below(random, 0x110000);
	return c > 0x10ffff ? 0x10ffff : c;
}

static void
every_character_is_matched_or_not_as_it_is_listed(void **state)
{
	struct utf8_range ranges[RANGES_MAX], sorted[RANGES_MAX];
	struct utf8_classes classes = {0};
	unsigned char bytes[4];
	uint64_t random = 1;
	uint16_t start, end;
	uint32_t a, b, step;
	size_t n, length;
	bool others;

	(void)state;
	for (size_t i = 0; i < scaled(200); i++) {
		n = random_below(&random, RANGES_MAX + 1);
		for (size_t j = 0; j < n; j++) {
			a = random_character(&random);
			b = one_in(&random, 2) ? a : random_character(&random);
			ranges[j].first = a < b ? a : b;
			ranges[j].last = a < b ? b : a;
			sorted[j] = ranges[j];
		}
		others = one_in(&random, 2);
		assert_true(
		    utf8_class_add(&classes, sorted, n, others, &start));
		step = 1 + (uint32_t)random_below(&random, 30);
		for (uint32_t c = 0; c < 0x400000; c += step) {
			length = encode(c, length_of(c), bytes);
			end = run(&classes, start, bytes, length);
			if (end !=
			    (is_listed(ranges, n, c) != others ? UTF8_MATCHED
			                                       : UTF8_REFUSED))
				fail_msg("%x leads to %u", c, end);
		}
	}
	utf8_classes_free(&classes);
}

/* Each state in the middle leads to a match by some byte. */
static void
no_state_is_a_dead_end(void **state)
{
	struct utf8_range ranges[] = {
	    {0x800, 0x83f}, {0xd000, 0xd7ff}, {0x10ffff, 0x10ffff}};
	struct utf8_classes classes = {0};
	uint16_t start;
	bool goes_on;

	(void)state;
	assert_true(utf8_class_add(&classes, ranges, 3, false, &start));
	assert_true(utf8_class_add(&classes, ranges, 3, true, &start));
	for (uint16_t i = 2; i < classes.states.count; i++) {
		goes_on = false;
		for (unsigned byte = 0; byte < 256; byte++)
			goes_on |= utf8_class_step(&classes, i,
			               (unsigned char)byte) != UTF8_REFUSED;
		assert_true(goes_on);
	}
	utf8_classes_free(&classes);
}

static void
what_is_not_utf8_matches_nothing(void **state)
{
	struct utf8_classes classes = {0};
	unsigned char bytes[4];
	uint16_t start;

	(void)state;
	assert_true(utf8_class_add(&classes, NULL, 0, true, &start));
	for (size_t length = 2; length <= 4; length++)
		for (uint32_t c = 0; length_of(c) < length; c++) {
			encode(c, length, bytes);
			assert_int_equal(
			    run(&classes, start, bytes, length), UTF8_REFUSED);
		}
	/* One that can only follow, and one where another must. */
	for (unsigned byte = 0x80; byte <= 0xc1; byte++)
		assert_int_equal(
		    utf8_class_step(&classes, start, (unsigned char)byte),
		    UTF8_REFUSED);
	assert_int_equal(
	    run(&classes, start, (const unsigned char *)"\xc3\x41", 2),
	    UTF8_REFUSED);
	assert_int_equal(
	    run(&classes, start, (const unsigned char *)"\xe6\x97\xc3", 3),
	    UTF8_REFUSED);
	utf8_classes_free(&classes);
}

static void
equal_classes_begin_in_the_same_state(void **state)
{
	struct utf8_range one[] = {{'a', 'f'}, {0x100, 0x200}},
	                  same[] = {{0x150, 0x200}, {'c', 'f'}, {'a', 'b'},
	                      {0x100, 0x14f}},
	                  other[] = {{'a', 'f'}, {0x100, 0x201}};
	struct utf8_classes classes = {0};
	uint16_t first, second;

	(void)state;
	assert_true(utf8_class_add(&classes, one, 2, false, &first));
	assert_true(utf8_class_add(&classes, same, 4, false, &second));
	assert_int_equal(first, second);
	assert_true(utf8_class_add(&classes, other, 2, false, &second));
	assert_int_not_equal(first, second);
	utf8_classes_free(&classes);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(every_character_is_matched_or_not_as_it_is_listed),
	    cmocka_unit_test(no_state_is_a_dead_end),
	    cmocka_unit_test(what_is_not_utf8_matches_nothing),
	    cmocka_unit_test(equal_classes_begin_in_the_same_state),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
