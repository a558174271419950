/* SPDX-License-Identifier: MIT */
/* Several files, raw and zstd, as one stream of bytes. */
#include <sys/stat.h>
#include <zstd.h>

#include "feeder.h"

#include "../../src/input/source.h"

enum { FILES_MAX = 8, ROOM = 4096, MAX_WINDOW = 27 };

/* Files on disk, and what they hold together once unpacked. */
struct files {
	char paths[FILES_MAX][PATH_ROOM], *names[FILES_MAX];
	size_t count;
	unsigned char plain[ROOM];
	size_t size;
};

static void
add_raw(struct files *f, const void *bytes, size_t n)
{
	make_file(f->paths[f->count], bytes, n);
	f->names[f->count] = f->paths[f->count];
	f->count++;
	memcpy(f->plain + f->size, bytes, n);
	f->size += n;
}

static void
add_zstd(struct files *f, const void *bytes, size_t n)
{
	unsigned char packed[ROOM];
	size_t size = ZSTD_compress(packed, sizeof(packed), bytes, n, 1);

	assert_false(ZSTD_isError(size));
	add_raw(f, packed, size);
	f->size -= size;
	memcpy(f->plain + f->size, bytes, n);
	f->size += n;
}

static void
remove_files(struct files *f)
{
	for (size_t i = 0; i < f->count; i++)
		assert_int_equal(unlink(f->names[i]), 0);
	f->count = f->size = 0;
}

/* All of a source, so many bytes at a time; how many, or SIZE_MAX and err. */
static size_t
read_all(
    struct source *s, size_t ask, unsigned char to[ROOM], struct error *err)
{
	size_t size = 0, got;

	for (;; size += got) {
		assert_true(size + ask <= ROOM);
		if (!source_read(s, to + size, ask, &got, err))
			return SIZE_MAX;
		if (got == 0)
			return size;
		assert_true(got <= ask);
	}
}

static size_t
read_files(struct files *f, enum input_format format, size_t ask,
    unsigned char to[ROOM], struct error *err)
{
	struct source *s = source_new(
	    f->names, f->count, format, MAX_WINDOW, NULL, err);
	size_t size;

	assert_non_null(s);
	size = read_all(s, ask, to, err);
	source_free(s);
	return size;
}

static void
check_stream(struct files *f, enum input_format format)
{
	static const size_t asks[] = {1, 2, 3, 5, 1000};
	unsigned char bytes[ROOM];
	struct error err;
	size_t size;

	for (size_t i = 0; i < LENGTH(asks); i++) {
		size = read_files(f, format, asks[i], bytes, &err);
		if (size == SIZE_MAX)
			fail_msg("%s", err.text);
		assert_int_equal(size, f->size);
		assert_memory_equal(bytes, f->plain, f->size);
	}
	remove_files(f);
}

/* Shorter than a magic number, too, and nothing at all. */
static void
files_raw_and_compressed_join(void **state)
{
	static struct files f;

	(void)state;
	add_raw(&f, "one, raw", 8);
	add_zstd(&f, "two, compressed", 15);
	add_raw(&f, "", 0);
	add_raw(&f, "3", 1);
	add_zstd(&f, "", 0);
	add_raw(&f, "(\xb5/", 3);
	add_raw(&f, "(\xb5/\xfc", 4);
	add_zstd(&f, "the last", 8);
	check_stream(&f, INPUT_AUTO);
}

static void
no_file_has_no_bytes(void **state)
{
	static struct files f;

	(void)state;
	check_stream(&f, INPUT_AUTO);
	add_raw(&f, "", 0);
	check_stream(&f, INPUT_AUTO);
}

/* Told so, a compressed file's own bytes are the rows. */
static void
forced_raw_unpacks_nothing(void **state)
{
	static struct files f;

	(void)state;
	add_raw(&f, "\x28\xb5\x2f\xfd is no frame", 16);
	add_raw(&f, "nor is this", 11);
	check_stream(&f, INPUT_RAW);
}

static void
check_error(struct files *f, enum input_format format, const char *message)
{
	unsigned char bytes[ROOM];
	struct error err;

	assert_true(read_files(f, format, 100, bytes, &err) == SIZE_MAX);
	assert_int_equal(err.status, STATUS_FAILED);
	if (strstr(err.text, message) == NULL)
		fail_msg("'%s' does not say '%s'", err.text, message);
}

static void
forced_zstd_takes_no_raw_rows(void **state)
{
	static struct files f;

	(void)state;
	add_zstd(&f, "compressed", 10);
	check_stream(&f, INPUT_ZSTD);
	add_raw(&f, "raw rows", 8);
	check_error(&f, INPUT_ZSTD, "--input raw");
	remove_files(&f);
}

/* What stands before the file that fails has been read. */
static void
a_missing_file_is_told_in_its_turn(void **state)
{
	static char missing[] = "/nonexistent/rows";
	static struct files f;
	unsigned char bytes[ROOM];
	struct source *s;
	struct error err;
	size_t got;

	(void)state;
	add_raw(&f, "first", 5);
	f.names[1] = missing;
	s = source_new(f.names, 2, INPUT_AUTO, MAX_WINDOW, NULL, &err);
	assert_non_null(s);
	for (size_t i = 0; i < 5; i += got)
		assert_true(
		    source_read(s, bytes + i, 5, &got, &err) && got > 0);
	assert_memory_equal(bytes, "first", 5);
	assert_string_equal(source_name(s), f.names[0]);
	assert_false(source_read(s, bytes, 5, &got, &err));
	assert_int_equal(err.status, STATUS_FAILED);
	assert_non_null(strstr(err.text, missing));
	source_free(s);
	remove_files(&f);
}

static void
a_directory_is_told(void **state)
{
	static char folder[] = "/";
	static struct files f = {.names = {folder}, .count = 1};

	(void)state;
	check_error(&f, INPUT_AUTO, "/: ");
}

static void
a_fault_names_its_file(void **state)
{
	static struct files f;
	char message[PATH_ROOM + 64];

	(void)state;
	add_zstd(&f, "good", 4);
	add_raw(&f, "\x28\xb5\x2f\xfd but cut off", 16);
	add_raw(&f, "never reached", 13);
	snprintf(message, sizeof(message), "%s: the zstd frame at byte 0",
	    f.names[1]);
	check_error(&f, INPUT_AUTO, message);
	remove_files(&f);
}

/* "-" is a pipe that gives its bytes one by one, or a few. */
static void
standard_input_is_read_as_it_comes(void **state)
{
	static char dash[] = "-", *names[] = {dash};
	static const size_t gives[] = {1, 3, 4, 100};
	unsigned char packed[ROOM], bytes[ROOM];
	int saved = dup(STDIN_FILENO);
	struct feeder f;
	struct source *s;
	struct error err;
	size_t n;

	(void)state;
	n = ZSTD_compress(packed, sizeof(packed), "some bytes", 10, 1);
	for (size_t i = 0; i < LENGTH(gives); i++)
		for (int raw = 0; raw <= 1; raw++) {
			feeder_open(&f, packed, n, gives[i]);
			assert_int_equal(dup2(f.fds[0], STDIN_FILENO), 0);
			s = source_new(names, 1, raw ? INPUT_RAW : INPUT_AUTO,
			    MAX_WINDOW, &f.before, &err);
			assert_non_null(s);
			assert_int_equal(
			    read_all(s, 7, bytes, &err), raw ? n : 10);
			assert_memory_equal(bytes,
			    raw ? (const void *)packed : "some bytes",
			    raw ? n : 10);
			source_free(s);
			feeder_close(&f);
		}
	/* Standard input is not the source's to close. */
	assert_int_equal(dup2(saved, STDIN_FILENO), 0);
	close(saved);
}

static void
every_file_is_closed_again(void **state)
{
	static struct files f;
	struct stat status;
	int lowest = dup(STDIN_FILENO);

	(void)state;
	close(lowest);
	add_raw(&f, "some", 4);
	add_zstd(&f, "more", 4);
	check_stream(&f, INPUT_AUTO);
	assert_int_equal(fstat(lowest, &status), -1);
}

/* In memory, where files may have holes of any size. */
static void
a_size_that_can_not_be_counted_is_not_known(void **state)
{
	static char path[] = "/dev/shm/tokpick-test-XXXXXX";
	char *names[] = {path, path, path};
	struct source *s;
	struct error err;
	int fd = mkstemp(path);
	bool large = fd >= 0 && ftruncate(fd, INT64_MAX) == 0;

	(void)state;
	if (fd >= 0)
		close(fd);
	for (size_t n = 2; n <= 3 && large; n++) {
		s = source_new(names, n, INPUT_RAW, MAX_WINDOW, NULL, &err);
		assert_non_null(s);
		assert_int_equal(source_size(s), n == 2 ? UINT64_MAX - 1 : 0);
		source_free(s);
	}
	if (fd >= 0)
		unlink(path);
	if (!large)
		skip(); /* a system without such a file */
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(files_raw_and_compressed_join),
	    cmocka_unit_test(no_file_has_no_bytes),
	    cmocka_unit_test(forced_raw_unpacks_nothing),
	    cmocka_unit_test(forced_zstd_takes_no_raw_rows),
	    cmocka_unit_test(a_missing_file_is_told_in_its_turn),
	    cmocka_unit_test(a_directory_is_told),
	    cmocka_unit_test(a_fault_names_its_file),
	    cmocka_unit_test(standard_input_is_read_as_it_comes),
	    cmocka_unit_test(every_file_is_closed_again),
	    cmocka_unit_test(a_size_that_can_not_be_counted_is_not_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
