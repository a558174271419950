/* SPDX-License-Identifier: MIT */
/* Lines of columns: fields, running text, bars, colour. */
#include "helper.h"

#include "../../src/output/pen.h"

static struct buffer buffer;
static struct error error;

static struct pen
begin(struct terminal terminal)
{
	struct pen p;

	buffer_open(&buffer, -1, "nowhere");
	pen_begin(&p, &buffer, terminal, &error);
	return p;
}

static void
check(const struct pen *p, const char *expected)
{
	assert_true(pen_end(p));
	buffer.bytes[buffer.size] = '\0';
	assert_string_equal((const char *)buffer.bytes, expected);
}

static void
texts_stand_in_their_fields(void **state)
{
	struct pen p = begin((struct terminal){.width = 80});

	(void)state;
	pen_left(&p, "ab", 4);
	pen_right(&p, "cd", 4);
	pen_left(&p, "longer", 4);
	pen_left(&p, "", 2);
	pen_right(&p, "e", 1);
	assert_int_equal(p.column, 17);
	pen_line(&p);
	check(&p, "ab    cdlonger  e\n");
}

static void
no_blanks_end_a_line(void **state)
{
	struct pen p = begin((struct terminal){.width = 80});

	(void)state;
	pen_left(&p, "ab", 10);
	pen_blanks(&p, 3);
	pen_bar(&p, 0, 5);
	pen_line(&p);
	pen_left(&p, "", 10);
	pen_line(&p);
	check(&p, "ab\n\n");
}

static void
words_go_on_in_the_next_line(void **state)
{
	struct pen p = begin((struct terminal){.width = 10});

	(void)state;
	pen_word(&p, 0, "%s", "one");
	pen_word(&p, 2, "%s", "two");
	pen_word(&p, 2, "%d", 3);
	pen_word(&p, 1, "%s", "four");
	pen_word(&p, 1, "%s", "five-and-longer");
	pen_line(&p);
	check(&p, "one  two\n  3 four\n  five-and-longer\n");
}

/* A bar of that part of four columns, and a sign behind it. */
static void
check_bar(double part, bool unicode, const char *expected)
{
	struct pen p = begin(
	    (struct terminal){.width = 80, .unicode = unicode});

	pen_bar(&p, part, 4);
	assert_int_equal(p.column, 4);
	pen_left(&p, "|", 1);
	check(&p, expected);
}

static void
bars_are_rounded(void **state)
{
	(void)state;
	check_bar(0, false, "    |");
	check_bar(0.124, false, "    |");
	check_bar(0.126, false, "#   |");
	check_bar(0.5, false, "##  |");
	check_bar(1, false, "####|");
	check_bar(0, true, "    |");
	check_bar(1 / 65.0, true, "    |");
	check_bar(1 / 63.0, true, "\u258f   |");
	check_bar(1 / 32.0, true, "\u258f   |");
	check_bar(0.5, true, "\u2588\u2588  |");
	check_bar(17 / 32.0, true, "\u2588\u2588\u258f |");
	check_bar(31 / 32.0, true, "\u2588\u2588\u2588\u2589|");
	check_bar(1, true, "\u2588\u2588\u2588\u2588|");
}

static void
no_bar_is_longer_than_its_width(void **state)
{
	(void)state;
	check_bar(1.01, false, "####|");
	check_bar(1e300, false, "####|");
	check_bar(1e300, true, "\u2588\u2588\u2588\u2588|");
	check_bar((double)INFINITY, true, "\u2588\u2588\u2588\u2588|");
}

static void
styles_last_to_the_end_of_a_line(void **state)
{
	struct pen p = begin((struct terminal){.width = 80, .colour = true});

	(void)state;
	pen_style(&p, STYLE_BOLD);
	pen_left(&p, "a", 1);
	pen_bar(&p, 1, 1);
	pen_left(&p, "b", 1);
	pen_line(&p);
	pen_left(&p, "c", 1);
	pen_line(&p);
	check(&p,
	    "\033[1ma\033[0m\033[36m#\033[0m\033[1mb\033[0m\n"
	    "c\n");
}

static void
without_colour_there_are_no_styles(void **state)
{
	struct pen p = begin((struct terminal){.width = 80});

	(void)state;
	pen_style(&p, STYLE_DIM);
	pen_bar(&p, 1, 2);
	pen_line(&p);
	check(&p, "##\n");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(texts_stand_in_their_fields),
	    cmocka_unit_test(no_blanks_end_a_line),
	    cmocka_unit_test(words_go_on_in_the_next_line),
	    cmocka_unit_test(bars_are_rounded),
	    cmocka_unit_test(no_bar_is_longer_than_its_width),
	    cmocka_unit_test(styles_last_to_the_end_of_a_line),
	    cmocka_unit_test(without_colour_there_are_no_styles),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
