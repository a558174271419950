/* SPDX-License-Identifier: MIT */
/* A file read whole: all of it, and never without end. */
#include "helper.h"

#include "../../src/input/slurp.h"

ssize_t __real_read(int, void *, size_t);
ssize_t __wrap_read(int, void *, size_t);

/* How much a read gives at most, and whether there is ever more to be had. */
static size_t give = SIZE_MAX;
static bool endless;

ssize_t
__wrap_read(int fd, void *to, size_t n)
{
	return endless ? (ssize_t)n : __real_read(fd, to, n < give ? n : give);
}

static void
a_file_is_read_whole(void **state)
{
	enum { MOST = 300 * 1024, ROOM = 64 * 1024 };
	static const size_t sizes[] = {
	    0, 1, ROOM - 2, ROOM - 1, ROOM, 2 * ROOM - 1, MOST};
	static const size_t gives[] = {1000, ROOM, SIZE_MAX};
	static unsigned char bytes[MOST];
	char path[PATH_ROOM], *text;
	uint64_t random = 1;
	struct error err;
	size_t n;

	(void)state;
	for (size_t i = 0; i < MOST; i++)
		bytes[i] = (unsigned char)random_bits(&random);
	for (size_t i = 0; i < LENGTH(sizes) * LENGTH(gives); i++) {
		make_file(path, bytes, sizes[i / LENGTH(gives)]);
		give = gives[i % LENGTH(gives)];
		text = slurp(path, &n, &err);
		give = SIZE_MAX;
		unlink(path);
		assert_non_null(text);
		assert_int_equal(n, sizes[i / LENGTH(gives)]);
		assert_memory_equal(text, bytes, n);
		assert_int_equal(text[n], '\0');
		free(text);
	}
}

static void
a_file_without_end_is_refused(void **state)
{
	struct error err;
	size_t n;

	(void)state;
	endless = true;
	assert_null(slurp("/dev/null", &n, &err));
	endless = false;
	assert_int_equal(err.status, STATUS_FAILED);
	assert_string_equal(err.text,
	    "/dev/null: more than 1073741824 bytes: such a list is not read");
}

static void
standard_input_is_for_rows(void **state)
{
	struct error err;
	size_t n;

	(void)state;
	assert_null(slurp("-", &n, &err));
	assert_int_equal(err.status, STATUS_USAGE);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_file_is_read_whole),
	    cmocka_unit_test(a_file_without_end_is_refused),
	    cmocka_unit_test(standard_input_is_for_rows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
