/* SPDX-License-Identifier: MIT */
/* What is found out about a terminal, and whose word counts. */
#define _XOPEN_SOURCE 700 /* posix_openpt() */
#include "helper.h"

#include <sys/ioctl.h>

#include "../../src/output/terminal.h"

static int terminal, master, plain;

static int
open_descriptors(void **state)
{
	(void)state;
	master = posix_openpt(O_RDWR | O_NOCTTY);
	if (master < 0 || grantpt(master) != 0 || unlockpt(master) != 0)
		return -1;
	terminal = open(ptsname(master), O_RDWR | O_NOCTTY);
	plain = open("/dev/null", O_WRONLY);
	return terminal < 0 || plain < 0 ? -1 : 0;
}

static int
close_descriptors(void **state)
{
	(void)state;
	return close(terminal) | close(master) | close(plain);
}

static int
empty_environment(void **state)
{
	static const char *const names[] = {
	    "COLUMNS", "LC_ALL", "LC_CTYPE", "LANG", "NO_COLOR", "TERM"};

	(void)state;
	for (size_t i = 0; i < LENGTH(names); i++)
		unsetenv(names[i]);
	return 0;
}

static void
set_terminal_width(unsigned short columns)
{
	struct winsize size = {.ws_row = 24, .ws_col = columns};

	assert_int_equal(ioctl(terminal, TIOCSWINSZ, &size), 0);
}

static size_t
width_with(int fd, const char *columns)
{
	assert_int_equal(setenv("COLUMNS", columns, 1), 0);
	return terminal_look(fd).width;
}

static void
the_width_is_the_terminals(void **state)
{
	(void)state;
	set_terminal_width(123);
	assert_int_equal(terminal_look(terminal).width, 123);
	set_terminal_width(0);
	assert_int_equal(terminal_look(terminal).width, 80);
	assert_int_equal(terminal_look(plain).width, 80);
}

static void
columns_counts_more(void **state)
{
	(void)state;
	set_terminal_width(123);
	assert_int_equal(width_with(terminal, "60"), 60);
	assert_int_equal(width_with(plain, "60"), 60);
	assert_int_equal(width_with(plain, "1"), 1);
	assert_int_equal(width_with(plain, "999999999999999999999"), 1000);
}

static void
columns_that_is_no_number_does_not(void **state)
{
	static const char *const texts[] = {
	    "", "0", "wide", "60x", "-60", " 6"};

	(void)state;
	set_terminal_width(123);
	for (size_t i = 0; i < LENGTH(texts); i++) {
		assert_int_equal(width_with(terminal, texts[i]), 123);
		assert_int_equal(width_with(plain, texts[i]), 80);
	}
}

static bool
unicode_with(const char *name, const char *value)
{
	assert_int_equal(setenv(name, value, 1), 0);
	return terminal_look(plain).unicode;
}

static void
unicode_goes_by_the_locale(void **state)
{
	(void)state;
	assert_false(terminal_look(plain).unicode);
	assert_true(unicode_with("LANG", "de_DE.UTF-8"));
	assert_true(unicode_with("LANG", "C.utf8"));
	assert_false(unicode_with("LANG", "de_DE.ISO-8859-1"));
	assert_true(unicode_with("LC_CTYPE", "UTF-8"));
	assert_false(unicode_with("LC_ALL", "C"));
	assert_true(unicode_with("LC_ALL", ""));
	assert_false(unicode_with("LC_CTYPE", "POSIX"));
}

static void
colour_is_for_terminals(void **state)
{
	(void)state;
	assert_false(terminal_look(terminal).colour);
	assert_int_equal(setenv("TERM", "xterm", 1), 0);
	assert_true(terminal_look(terminal).colour);
	assert_false(terminal_look(plain).colour);
	assert_int_equal(setenv("NO_COLOR", "", 1), 0);
	assert_false(terminal_look(terminal).colour);
	assert_int_equal(unsetenv("NO_COLOR"), 0);
	assert_int_equal(setenv("TERM", "dumb", 1), 0);
	assert_false(terminal_look(terminal).colour);
	assert_int_equal(setenv("TERM", "", 1), 0);
	assert_false(terminal_look(terminal).colour);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup(
	        the_width_is_the_terminals, empty_environment),
	    cmocka_unit_test_setup(columns_counts_more, empty_environment),
	    cmocka_unit_test_setup(
	        columns_that_is_no_number_does_not, empty_environment),
	    cmocka_unit_test_setup(
	        unicode_goes_by_the_locale, empty_environment),
	    cmocka_unit_test_setup(colour_is_for_terminals, empty_environment),
	};

	return cmocka_run_group_tests(
	    tests, open_descriptors, close_descriptors);
}
