/* SPDX-License-Identifier: MIT */
/* Lists of pieces: lines, escapes, and what is refused. */
#include "helper.h"

#include "../../src/vocab/pieces.h"

static struct pieces *
read_text(const char *text, size_t n, struct error *err)
{
	char path[PATH_ROOM];
	struct pieces *p;

	make_file(path, text, n);
	p = pieces_read(path, err);
	unlink(path);
	return p;
}

/* A piece of the one line in the text. */
static void
check_piece(const char *text, const char *expected, size_t n)
{
	const char *bytes;
	struct error err;
	struct pieces *p;
	size_t got;

	p = read_text(text, strlen(text), &err);
	if (p == NULL)
		fail_msg("%s", err.text);
	assert_int_equal(pieces_count(p), 1);
	assert_true(pieces_get(p, 0, &bytes, &got));
	assert_int_equal(got, n);
	assert_memory_equal(bytes, expected, n);
	pieces_free(p);
}

static void
a_line_is_a_piece(void **state)
{
	static const char *const expected[] = {"zero", "", " two", "three"};
	static const char text[] = "zero\n\n two\nthree\n";
	const char *bytes;
	struct error err;
	struct pieces *p;
	size_t n;

	(void)state;
	/* The last line end may be missing. */
	for (size_t cut = 0; cut <= 1; cut++) {
		p = read_text(text, strlen(text) - cut, &err);
		assert_non_null(p);
		assert_int_equal(pieces_count(p), LENGTH(expected));
		for (uint32_t id = 0; id < LENGTH(expected); id++) {
			assert_true(pieces_get(p, id, &bytes, &n));
			assert_int_equal(n, strlen(expected[id]));
			assert_memory_equal(bytes, expected[id], n);
		}
		assert_false(pieces_get(p, LENGTH(expected), &bytes, &n));
		assert_false(pieces_get(p, UINT32_MAX, &bytes, &n));
		pieces_free(p);
	}
}

static void
escapes_become_bytes(void **state)
{
	(void)state;
	check_piece("\\\\\\n\\r\\t\n", "\\\n\r\t", 4);
	check_piece("\\x00\\x7f\\xfF\\xAb", "\x00\x7f\xff\xab", 4);
	check_piece("a\\x41b", "aAb", 3);
	check_piece("\\\\x41", "\\x41", 4);
	check_piece("\u2581\xff", "\u2581\xff", 4);
	check_piece("\r\n", "\r", 1);
	check_piece("\n", "", 0);
}

static void
every_byte_can_be_written(void **state)
{
	char text[16];
	char byte;

	(void)state;
	for (unsigned i = 0; i < 256; i++) {
		snprintf(text, sizeof(text), "\\x%02x", i);
		byte = (char)i;
		check_piece(text, &byte, 1);
	}
}

static void
a_wrong_escape_is_told_with_its_line(void **state)
{
	static const char *const wrong[] = {"\\", "\\a", "\\N", "\\0", "\\x",
	    "\\x4", "\\xg0", "\\x0g", "\\ x41", "end\\"};
	char text[32];
	struct error err;

	(void)state;
	for (size_t i = 0; i < LENGTH(wrong); i++) {
		snprintf(text, sizeof(text), "0\n1\\n\n%s\nx", wrong[i]);
		assert_null(read_text(text, strlen(text), &err));
		assert_int_equal(err.status, STATUS_FAILED);
		if (strstr(err.text, ": line 3: ") == NULL)
			fail_msg("%s: %s", wrong[i], err.text);
	}
}

/* An escape doesn't reach over the line's end. */
static void
a_line_end_is_no_part_of_an_escape(void **state)
{
	struct error err;

	(void)state;
	assert_null(read_text("\\x4\n1", 5, &err));
	assert_null(read_text("\\\nn", 3, &err));
}

static void
no_pieces_are_an_error(void **state)
{
	struct error err;

	(void)state;
	assert_null(read_text("", 0, &err));
	assert_non_null(strstr(err.text, "no pieces"));
	assert_null(pieces_read("/nonexistent/pieces", &err));
	assert_non_null(strstr(err.text, "/nonexistent/pieces: "));
	assert_null(pieces_read("-", &err));
	assert_int_equal(err.status, STATUS_USAGE);
}

/* More than one buffer of them, of every length. */
static void
a_long_list_is_read_whole(void **state)
{
	enum { PIECES = 2000 };
	static char text[PIECES * (PIECES / 20 + 2)];
	const char *bytes;
	struct error err;
	struct pieces *p;
	size_t used = 0, n;

	(void)state;
	for (size_t i = 0; i < PIECES; i++) {
		memset(text + used, (int)('a' + i % 26), i / 20);
		used += i / 20;
		text[used++] = '\n';
	}
	p = read_text(text, used, &err);
	assert_non_null(p);
	assert_int_equal(pieces_count(p), PIECES);
	for (uint32_t id = 0; id < PIECES; id++) {
		assert_true(pieces_get(p, id, &bytes, &n));
		assert_int_equal(n, id / 20);
		for (size_t i = 0; i < n; i++)
			assert_int_equal(bytes[i], 'a' + id % 26);
	}
	pieces_free(p);
}

/* Silent or not, a piece is its bytes. */
static void
pieces_can_be_added(void **state)
{
	enum { PIECES = 1000 };
	const char *bytes;
	struct error err;
	struct pieces *p = pieces_new(&err);
	char text[16];
	size_t n;

	(void)state;
	assert_non_null(p);
	assert_int_equal(pieces_count(p), 0);
	assert_false(pieces_get(p, 0, &bytes, &n));
	assert_true(pieces_add(p, "", 0, false, &err));
	assert_true(pieces_get(p, 0, &bytes, &n));
	assert_non_null(bytes);
	assert_int_equal(n, 0);
	for (size_t i = 1; i < PIECES; i++) {
		n = (size_t)snprintf(text, sizeof(text), "%zu", i);
		assert_true(pieces_add(p, text, n, i % 3 == 0, &err));
	}
	for (uint32_t i = 1; i < PIECES; i++) {
		assert_true(pieces_get(p, i, &bytes, &n));
		assert_int_equal(n, snprintf(text, sizeof(text), "%u", i));
		assert_memory_equal(bytes, text, n);
		assert_int_equal(pieces_is_silent(p, i), i % 3 == 0);
	}
	assert_false(pieces_is_silent(p, 0));
	assert_false(pieces_is_silent(p, PIECES));
	pieces_free(p);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_line_is_a_piece),
	    cmocka_unit_test(escapes_become_bytes),
	    cmocka_unit_test(every_byte_can_be_written),
	    cmocka_unit_test(a_wrong_escape_is_told_with_its_line),
	    cmocka_unit_test(a_line_end_is_no_part_of_an_escape),
	    cmocka_unit_test(no_pieces_are_an_error),
	    cmocka_unit_test(a_long_list_is_read_whole),
	    cmocka_unit_test(pieces_can_be_added),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
