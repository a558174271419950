/* SPDX-License-Identifier: MIT */
/* What reaches the terminal: one line, and nothing that could drive it. */
#include <errno.h>

#include "helper.h"

#include "../../src/message.h"

/* Standard error, caught in a file. */
static int saved, caught;

static void
catch_begin(void)
{
	char path[PATH_ROOM];

	make_file(path, "", 0);
	caught = open(path, O_RDWR);
	assert_true(caught >= 0);
	unlink(path);
	saved = dup(STDERR_FILENO);
	assert_int_equal(dup2(caught, STDERR_FILENO), STDERR_FILENO);
}

static size_t
catch_end(char *text, size_t room)
{
	ssize_t n = pread(caught, text, room - 1, 0);

	dup2(saved, STDERR_FILENO);
	close(saved);
	close(caught);
	assert_true(n >= 0);
	text[n] = '\0';
	return (size_t)n;
}

/* What is said of an error with that text. */
static void
check_error(const char *text, const char *expected)
{
	char said[8192];
	struct error err;

	error_set(&err, STATUS_FAILED, "%s", text);
	catch_begin();
	message_error(&err);
	catch_end(said, sizeof(said));
	assert_string_equal(said, expected);
}

static void
an_error_is_one_line(void **state)
{
	(void)state;
	check_error("row 17: wrong", "tokpick: row 17: wrong\n");
	check_error("", "tokpick: \n");
}

static void
text_that_is_fine_stays_as_it_is(void **state)
{
	(void)state;
	check_error("a\\b \"c\" ~", "tokpick: a\\b \"c\" ~\n");
	check_error(
	    "\u00e9 \u20ac \U0001f600", "tokpick: \u00e9 \u20ac \U0001f600\n");
}

static void
control_characters_are_shown(void **state)
{
	char text[2] = {0}, expected[32];

	(void)state;
	for (char c = 1; c < 0x20; c++) {
		text[0] = c;
		snprintf(expected, sizeof(expected), "tokpick: \\x%02x\n",
		    (unsigned)c);
		check_error(text, expected);
	}
	check_error("\x7f", "tokpick: \\x7f\n");
	check_error("a\033[31mb\nc", "tokpick: a\\x1b[31mb\\x0ac\n");
}

/* U+0080 to U+009F: in UTF-8 too, U+009B begins a command to a terminal. */
static void
control_characters_of_two_bytes_are_shown(void **state)
{
	char text[3] = {'\xc2', 0, 0}, expected[32];

	(void)state;
	for (unsigned second = 0x80; second < 0xa0; second++) {
		text[1] = (char)second;
		snprintf(expected, sizeof(expected), "tokpick: \\xc2\\x%02x\n",
		    second);
		check_error(text, expected);
	}
	check_error("\xc2\xa0", "tokpick: \xc2\xa0\n");
}

static void
bytes_that_are_no_utf8_are_shown(void **state)
{
	(void)state;
	check_error("\xff", "tokpick: \\xff\n");
	check_error("\x9b", "tokpick: \\x9b\n");
	check_error("\xc3(", "tokpick: \\xc3(\n");
	check_error("\xe2\x82", "tokpick: \\xe2\\x82\n");
	check_error("\xed\xa0\x80", "tokpick: \\xed\\xa0\\x80\n");
}

/* Four characters for each byte is the most that can become of it. */
static void
a_long_text_is_cut(void **state)
{
	char text[3000], said[8192];
	struct error err;
	size_t n;

	(void)state;
	memset(text, '\xff', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	error_set(&err, STATUS_FAILED, "%s", text);
	assert_int_equal(strlen(err.text), sizeof(err.text) - 1);
	catch_begin();
	message_error(&err);
	n = catch_end(said, sizeof(said));
	assert_int_equal(n, strlen("tokpick: \n") + 4 * strlen(err.text));
	assert_string_equal(said + n - 5, "\\xff\n");

	memset(text, 'a', sizeof(text) - 1);
	error_system(&err, ENOENT, "%s", text);
	assert_true(strlen(err.text) < sizeof(err.text));
}

static void
the_system_has_its_say(void **state)
{
	struct error err;

	(void)state;
	assert_false(error_system(&err, ENOENT, "file %d", 7));
	assert_int_equal(err.status, STATUS_FAILED);
	assert_true(strncmp(err.text, "file 7: ", 8) == 0);
	assert_string_equal(err.text + 8, strerror(ENOENT));
	assert_false(error_set(&err, STATUS_USAGE, "usage"));
	assert_int_equal(err.status, STATUS_USAGE);
}

static void
check_verbosity(enum verbosity level, const char *expected)
{
	struct error err;
	char said[256];

	error_set(&err, STATUS_FAILED, "error");
	message_verbosity(level);
	catch_begin();
	message_error(&err);
	message_warn("warning %d", 1);
	message_note("note %d", 2);
	catch_end(said, sizeof(said));
	message_verbosity(NORMAL);
	assert_string_equal(said, expected);
}

static void
verbosity_decides_what_is_said(void **state)
{
	(void)state;
	check_verbosity(QUIET, "tokpick: error\n");
	check_verbosity(NORMAL, "tokpick: error\ntokpick: warning 1\n");
	check_verbosity(
	    VERBOSE, "tokpick: error\ntokpick: warning 1\ntokpick: note 2\n");
}

static void
check_status(const char *line, const char *expected)
{
	char said[2 * STATUS_ROOM + 16];

	catch_begin();
	message_status(line);
	catch_end(said, sizeof(said));
	assert_string_equal(said, expected);
}

static void
a_status_line_covers_the_one_before_it(void **state)
{
	(void)state;
	check_status(NULL, "");
	check_status("half done", "\rhalf done");
	check_status("done", "\rdone     ");
	check_status("once more", "\ronce more");
	check_status(NULL, "\r         \r");
	check_status(NULL, "");
}

static void
a_message_takes_its_place(void **state)
{
	struct error err;
	char said[64];

	(void)state;
	check_status("done", "\rdone");
	error_set(&err, STATUS_FAILED, "error");
	catch_begin();
	message_error(&err);
	catch_end(said, sizeof(said));
	assert_string_equal(said, "\r    \rtokpick: error\n");
	check_status(NULL, "");
}

static void
a_status_line_that_is_too_long_is_cut(void **state)
{
	char line[STATUS_ROOM + 10], said[STATUS_ROOM + 2];

	(void)state;
	memset(line, 'a', sizeof(line) - 1);
	line[sizeof(line) - 1] = '\0';
	snprintf(said, sizeof(said), "\r%.*s", STATUS_ROOM, line);
	check_status(line, said);
	snprintf(line, sizeof(line), "\r%*s\r", STATUS_ROOM, "");
	check_status(NULL, line);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(an_error_is_one_line),
	    cmocka_unit_test(text_that_is_fine_stays_as_it_is),
	    cmocka_unit_test(control_characters_are_shown),
	    cmocka_unit_test(control_characters_of_two_bytes_are_shown),
	    cmocka_unit_test(bytes_that_are_no_utf8_are_shown),
	    cmocka_unit_test(a_long_text_is_cut),
	    cmocka_unit_test(the_system_has_its_say),
	    cmocka_unit_test(verbosity_decides_what_is_said),
	    cmocka_unit_test(a_status_line_covers_the_one_before_it),
	    cmocka_unit_test(a_message_takes_its_place),
	    cmocka_unit_test(a_status_line_that_is_too_long_is_cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
