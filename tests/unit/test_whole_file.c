/* SPDX-License-Identifier: MIT */
/* A file that is written whole or not at all. */
#include "saving.h"

#include <sys/stat.h>

#include "../../src/whole_file.h"

static char folder[PATH_ROOM];

/* Each test runs in a new one, and fails if it leaves anything there. */
static int
make_folder(void **unused)
{
	const char *parent = getenv("TMPDIR");

	(void)unused;
	snprintf(folder, sizeof(folder), "%s/tokpick-test-XXXXXX",
	    parent != NULL ? parent : "/tmp");
	return mkdtemp(folder) == NULL || chdir(folder) != 0;
}

static int
remove_folder(void **unused)
{
	(void)unused;
	return chdir("/") != 0 || rmdir(folder) != 0;
}

static bool
fill_well(void *context, struct buffer *b, struct error *err)
{
	return buffer_add(b, context, strlen(context), err);
}

/* What it adds reaches the file before it fails. */
static bool
fill_badly(void *context, struct buffer *b, struct error *err)
{
	return fill_well(context, b, err) && buffer_flush(b, err) &&
	    error_set(err, STATUS_FAILED, "out of ink");
}

static void
assert_file(const char *name, const char *want)
{
	char text[TEXT_ROOM];

	get_bytes(name, text);
	assert_string_equal(text, want);
}

static char one[] = "one", two[] = "two";

static void
a_failure_leaves_the_old_file(void **unused)
{
	struct stat st;
	struct error err;

	(void)unused;
	assert_false(whole_file_write("f", fill_badly, one, &err));
	assert_string_equal(err.text, "out of ink");
	assert_int_equal(stat("f", &st), -1);
	assert_true(whole_file_write("f", fill_well, one, &err));
	assert_int_equal(stat("f", &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	assert_false(whole_file_write("f", fill_badly, two, &err));
	assert_file("f", one);
	assert_true(whole_file_write("f", fill_well, two, &err));
	assert_file("f", two);
	unlink("f");
}

static void
a_link_stays_a_link(void **unused)
{
	struct stat st;
	struct error err;

	(void)unused;
	assert_int_equal(mkdir("d", 0777), 0);
	put_bytes("d/f", one, 3);
	assert_int_equal(symlink("d/f", "l"), 0);
	assert_true(whole_file_check("l", &err));
	assert_true(whole_file_write("l", fill_well, two, &err));
	assert_file("d/f", two);
	assert_int_equal(lstat("l", &st), 0);
	assert_true(S_ISLNK(st.st_mode));
	unlink("d/f");
	assert_false(whole_file_check("l", &err));
	assert_string_equal(
	    err.text, "l is a symbolic link that leads nowhere");
	assert_false(whole_file_write("l", fill_well, one, &err));
	unlink("l");
	rmdir("d");
}

static void
only_regular_files_are_replaced(void **unused)
{
	static const char *const names[] = {"d", "d/", "fifo", "/dev/null"};
	struct error err;

	(void)unused;
	assert_int_equal(mkdir("d", 0777), 0);
	assert_int_equal(mkfifo("fifo", 0666), 0);
	for (size_t i = 0; i < LENGTH(names); i++) {
		assert_false(whole_file_check(names[i], &err));
		assert_non_null(strstr(err.text, "is no regular file"));
		assert_false(whole_file_write(names[i], fill_well, one, &err));
	}
	assert_false(whole_file_check("e/f", &err));
	assert_int_equal(err.status, STATUS_FAILED);
	assert_false(whole_file_check("", &err));
	assert_false(whole_file_check("e/", &err));
	assert_false(whole_file_write("e/", fill_well, one, &err));
	rmdir("d");
	unlink("fifo");
}

static void
a_name_may_be_as_long_as_any(void **unused)
{
	char name[256];
	struct error err;

	(void)unused;
	memset(name, 'n', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	assert_true(whole_file_check(name, &err));
	if (!whole_file_write(name, fill_well, one, &err))
		fail_msg("%s", err.text);
	assert_file(name, one);
	unlink(name);
}

static void
a_file_is_in_its_folder(void **unused)
{
	static const char *const names[][2] = {{"/tokpick-none", "/"},
	    {"f", "."}, {"./f", "."}, {"e/f", "e"}, {"/e/f/g", "/e/f"}};
	struct error err;
	char *found;

	(void)unused;
	for (size_t i = 0; i < LENGTH(names); i++) {
		found = whole_file_folder(names[i][0], &err);
		assert_non_null(found);
		assert_string_equal(found, names[i][1]);
		free(found);
	}
	assert_null(whole_file_folder("", &err));
}

#define IN_FOLDER(test) \
	cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_file_is_in_its_folder),
	    IN_FOLDER(a_failure_leaves_the_old_file),
	    IN_FOLDER(a_link_stays_a_link),
	    IN_FOLDER(only_regular_files_are_replaced),
	    IN_FOLDER(a_name_may_be_as_long_as_any),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
