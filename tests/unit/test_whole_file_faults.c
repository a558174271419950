/* SPDX-License-Identifier: MIT */
/* A file that is written whole where the system lets it down. */
#undef _FORTIFY_SOURCE /* it has functions of the same names */
#if !defined(_GNU_SOURCE)
#define _GNU_SOURCE /* syscall() */
#endif
#if !defined(_FILE_OFFSET_BITS) && !defined(__LP64__)
#define _FILE_OFFSET_BITS 64 /* the same open() as whole_file.c's */
#endif
#include "helper.h"

#include <errno.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "../../src/whole_file.h"

/* Which call of each kind fails, counted from 1 on (0: none), and how. */
static struct {
	int open, fsync, close, realpath;
	int errnum;
} fault;

static bool
fails(int *call)
{
	if (*call == 0 || --*call > 0)
		return false;
	errno = fault.errnum;
	return true;
}

/* In place of the C library's, as far as they are used here. */

int
open(const char *name, int flags, ...)
{
	if (fails(&fault.open))
		return -1;
	return (int)syscall(SYS_openat, AT_FDCWD, name, flags, 0);
}

int
fsync(int fd)
{
	return fails(&fault.fsync) ? -1 : (int)syscall(SYS_fsync, fd);
}

int
close(int fd)
{
	int result = (int)syscall(SYS_close, fd);

	return fails(&fault.close) ? -1 : result;
}

/* No file of this test is reached by a link. */
char *
realpath(const char *name, char *resolved)
{
	assert_null(resolved);
	return fails(&fault.realpath) ? NULL : strdup(name);
}

static bool
fill_well(void *context, struct buffer *b, struct error *err)
{
	(void)context;
	return buffer_add(b, "text", 4, err);
}

static bool
fill_badly(void *context, struct buffer *b, struct error *err)
{
	(void)context;
	(void)b;
	return error_set(err, STATUS_FAILED, "out of ink");
}

static void
check_message(const struct error *err, const char *where)
{
	char message[200];

	snprintf(
	    message, sizeof(message), "%s: %s", where, strerror(fault.errnum));
	assert_string_equal(err->text, message);
}

/* What fails is told to be there, or nothing fails; and is there a file? */
static void
check(const char *where, bool there)
{
	struct error err;
	struct stat st;

	assert_int_equal(
	    whole_file_write("f", fill_well, NULL, &err), where == NULL);
	if (where != NULL)
		check_message(&err, where);
	assert_int_equal(stat("f", &st) == 0, there);
	unlink("f");
}

static char folder[PATH_ROOM];

/* Each test runs in a new one, and fails if it leaves anything there. */
static int
begin(void **unused)
{
	const char *parent = getenv("TMPDIR");

	(void)unused;
	memset(&fault, 0, sizeof(fault));
	snprintf(folder, sizeof(folder), "%s/tokpick-test-XXXXXX",
	    parent != NULL ? parent : "/tmp");
	return mkdtemp(folder) == NULL || chdir(folder) != 0;
}

static int
end(void **unused)
{
	(void)unused;
	return chdir("/") != 0 || rmdir(folder) != 0;
}

static void
a_folder_that_cant_be_read_has_to_do(void **unused)
{
	(void)unused;
	fault.open = 1;
	fault.errnum = EACCES;
	check(NULL, true);
}

static void
a_folder_that_cant_be_opened_otherwise_is_told(void **unused)
{
	(void)unused;
	fault.open = 1;
	fault.errnum = EMFILE;
	check("f: the folder .", true);
}

static void
a_folder_that_has_no_sync_has_to_do(void **unused)
{
	(void)unused;
	fault.fsync = 2;
	fault.errnum = EINVAL;
	check(NULL, true);
}

static void
what_is_not_on_the_disk_is_told(void **unused)
{
	(void)unused;
	fault.errnum = EIO;
	fault.fsync = 1;
	check("f", false);
	fault.fsync = 2;
	check("f: the folder .", true);
	fault.close = 1;
	check("f", false);
}

/* It is closed whatever it says. */
static void
a_close_that_is_interrupted_is_one(void **unused)
{
	(void)unused;
	fault.close = 1;
	fault.errnum = EINTR;
	check(NULL, true);
}

static void
what_failed_first_is_told(void **unused)
{
	struct error err;
	struct stat st;

	(void)unused;
	fault.close = 1;
	fault.errnum = EIO;
	assert_false(whole_file_write("f", fill_badly, NULL, &err));
	assert_string_equal(err.text, "out of ink");
	assert_int_equal(stat("f", &st), -1);
}

static void
a_name_that_cant_be_followed_is_told(void **unused)
{
	struct error err;

	(void)unused;
	assert_true(whole_file_write("f", fill_well, NULL, &err));
	fault.realpath = 1;
	fault.errnum = ENAMETOOLONG;
	assert_false(whole_file_check("f", &err));
	check_message(&err, "f");
	unlink("f");
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, begin, end)

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    IN_FOLDER(a_folder_that_cant_be_read_has_to_do),
	    IN_FOLDER(a_folder_that_cant_be_opened_otherwise_is_told),
	    IN_FOLDER(a_folder_that_has_no_sync_has_to_do),
	    IN_FOLDER(what_is_not_on_the_disk_is_told),
	    IN_FOLDER(a_close_that_is_interrupted_is_one),
	    IN_FOLDER(what_failed_first_is_told),
	    IN_FOLDER(a_name_that_cant_be_followed_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
