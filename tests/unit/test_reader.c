/* SPDX-License-Identifier: MIT */
/* Files read ahead have the same bytes, and the same faults, as a stream. */
#include <zstd.h>

#include "helper.h"

#include "../../src/input/reader.h"
#include "../../src/input/zstd.h"

enum { MAX_WINDOW = 27, MEBI = 1024 * 1024 };

/* A growing run of bytes. */
struct run {
	unsigned char *bytes;
	size_t size;
};

static void
add(struct run *r, const void *bytes, size_t n)
{
	r->bytes = realloc(r->bytes, r->size + n + 1);
	assert_non_null(r->bytes);
	memcpy(r->bytes + r->size, bytes, n);
	r->size += n;
}

/* Two in three bytes are the one before again; or all are zero. */
static void
add_plain(struct run *r, size_t n, bool zero, uint64_t *random)
{
	unsigned char *plain = calloc(n + 1, 1);

	assert_non_null(plain);
	for (size_t i = 0; !zero && i < n; i++)
		plain[i] = i > 0 && !one_in(random, 3)
		    ? plain[i - 1]
		    : (unsigned char)random_bits(random);
	add(r, plain, n);
	free(plain);
}

/* How a frame is made. */
struct way {
	bool checksum, content_size, zero;
};

static void
add_frame(struct run *r, size_t n, struct way way, uint64_t *random)
{
	ZSTD_CCtx *context = ZSTD_createCCtx();
	struct run plain = {0};
	size_t room = ZSTD_compressBound(n), size;
	unsigned char *packed = malloc(room);

	assert_true(context != NULL && packed != NULL);
	add_plain(&plain, n, way.zero, random);
	ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, way.checksum);
	ZSTD_CCtx_setParameter(
	    context, ZSTD_c_contentSizeFlag, way.content_size);
	size = ZSTD_compress2(context, packed, room, plain.bytes, n);
	assert_false(ZSTD_isError(size));
	add(r, packed, size);
	ZSTD_freeCCtx(context);
	free(plain.bytes);
	free(packed);
}

/* What came out of a file before its end or its fault. */
struct outcome {
	struct run run;
	bool good;
	struct error err;
};

static void
open_bytes(struct bytes *b, char path[PATH_ROOM], const struct run *file)
{
	struct error err;

	make_file(path, file->bytes, file->size);
	assert_true(bytes_open(b, path, NULL, &err));
	b->name = "the file";
	assert_int_equal(unlink(path), 0);
}

static void
read_ahead(const struct run *file, bool zstd, size_t threads, size_t unit,
    struct outcome *o)
{
	char path[PATH_ROOM];
	const unsigned char *bytes;
	struct bytes b;
	struct reader *r;
	size_t n;

	*o = (struct outcome){.good = true};
	open_bytes(&b, path, file);
	assert_true(bytes_are_at_hand(&b, 0));
	r = reader_new(&b, zstd, MAX_WINDOW, threads, unit, &o->err);
	assert_non_null(r);
	while ((o->good = reader_look(r, &bytes, &n, &o->err)) && n > 0) {
		add(&o->run, bytes, n);
		reader_pass(r, n);
	}
	reader_free(r);
	bytes_close(&b);
}

static void
read_streamed(const struct run *file, struct outcome *o)
{
	static unsigned char to[100000];
	char path[PATH_ROOM];
	struct bytes b;
	struct unzstd *z;
	size_t n = 1;

	*o = (struct outcome){.good = true};
	open_bytes(&b, path, file);
	z = unzstd_new(&b, to, 0, MAX_WINDOW, &o->err);
	assert_non_null(z);
	while (n > 0 && (o->good = unzstd_read(z, to, sizeof(to), &n, &o->err)))
		add(&o->run, to, n);
	unzstd_free(z);
	bytes_close(&b);
}

/* "near byte N" depends on how the reads were cut: near is near. */
static size_t
exact_part(const struct outcome *o)
{
	const char *near = strstr(o->err.text, "near byte");

	return near != NULL ? (size_t)(near - o->err.text)
	                    : strlen(o->err.text);
}

static void
assert_same(const struct outcome *a, const struct outcome *b)
{
	assert_int_equal(a->good, b->good);
	if (!a->good &&
	    (exact_part(a) != exact_part(b) ||
	        memcmp(a->err.text, b->err.text, exact_part(a)) != 0))
		fail_msg("'%s' but '%s'", a->err.text, b->err.text);
	assert_int_equal(a->run.size, b->run.size);
	if (a->run.size > 0)
		assert_memory_equal(a->run.bytes, b->run.bytes, a->run.size);
}

static void
check_zstd(const struct run *file)
{
	static const size_t threads[] = {2, 3, 8};
	struct outcome streamed, ahead;

	read_streamed(file, &streamed);
	for (size_t i = 0; i < LENGTH(threads); i++) {
		read_ahead(file, true, threads[i], 1000, &ahead);
		assert_same(&streamed, &ahead);
		free(ahead.run.bytes);
	}
	free(streamed.run.bytes);
}

static void
raw_bytes_are_the_same(void **state)
{
	static const size_t sizes[] = {0, 1, 4096, 2 * MEBI, 9 * MEBI + 17};
	static const size_t units[] = {1, 7, 4096, 3000000, 5 * MEBI};
	uint64_t random = 1;
	struct outcome o;
	struct run file;

	(void)state;
	for (size_t i = 0; i < LENGTH(sizes); i++) {
		file = (struct run){0};
		add_plain(&file, sizes[i], false, &random);
		for (size_t j = 0; j < LENGTH(units); j++) {
			read_ahead(&file, false, 2 + j % 3, units[j], &o);
			assert_true(o.good);
			assert_int_equal(o.run.size, file.size);
			if (file.size > 0)
				assert_memory_equal(
				    o.run.bytes, file.bytes, file.size);
			free(o.run.bytes);
		}
		free(file.bytes);
	}
}

/* Of all sizes, with and without what a frame may have. */
static void
make_frames(struct run *file, size_t count, uint64_t *random)
{
	static const size_t sizes[] = {0, 1, 2000, 130000, 300000, 1000000};
	static const char skipped[] = "\x53\x2a\x4d\x18\x05\0\0\0skip!";

	*file = (struct run){0};
	for (size_t i = 0; i < count; i++) {
		add_frame(file, sizes[random_below(random, LENGTH(sizes))],
		    (struct way){one_in(random, 2), one_in(random, 2),
		        one_in(random, 6)},
		    random);
		if (one_in(random, 4))
			add(file, skipped, sizeof(skipped) - 1);
	}
}

static void
frames_are_the_same_as_a_stream(void **state)
{
	uint64_t random = 2;
	struct run file;

	(void)state;
	for (size_t i = scaled(5); i > 0; i--) {
		make_frames(&file, 20, &random);
		check_zstd(&file);
		free(file.bytes);
	}
}

/* Rows that are a frame each: several make a portion. */
static void
many_small_frames_are_too(void **state)
{
	uint64_t random = 3;
	struct run file = {0};

	(void)state;
	for (size_t i = 0; i < 1000; i++)
		add_frame(
		    &file, 2000, (struct way){.content_size = true}, &random);
	check_zstd(&file);
	free(file.bytes);
}

/* By what its header says, and by what its blocks may hold. */
static void
a_large_frame_is_left_to_the_stream(void **state)
{
	uint64_t random = 4;
	struct run file;

	(void)state;
	for (int content_size = 0; content_size <= 1; content_size++) {
		make_frames(&file, 5, &random);
		add_frame(&file, 20 * MEBI,
		    (struct way){.zero = true, .content_size = content_size},
		    &random);
		add_frame(&file, 100000, (struct way){0}, &random);
		check_zstd(&file);
		free(file.bytes);
	}
}

static void
a_damaged_file_fails_as_a_stream_does(void **state)
{
	uint64_t random = 5;
	struct run file;
	size_t size;

	(void)state;
	make_frames(&file, 8, &random);
	size = file.size;
	for (size_t i = scaled(40); i > 0; i--) {
		size_t at = random_below(&random, size);
		unsigned char right = file.bytes[at];

		file.bytes[at] ^= (unsigned char)(1 +
		    random_below(&random, 255));
		check_zstd(&file);
		file.bytes[at] = right;
		file.size = random_below(&random, size);
		check_zstd(&file);
		file.size = size;
	}
	add(&file, "garbage", 7);
	check_zstd(&file);
	free(file.bytes);
}

/* The file stands behind what was used, for who reads on. */
static void
the_file_stands_where_reading_ended(void **state)
{
	uint64_t random = 6;
	char path[PATH_ROOM];
	const unsigned char *bytes;
	struct error err;
	struct reader *r;
	struct bytes b;
	struct run file = {0};
	size_t n;

	(void)state;
	add_plain(&file, 2 * MEBI, false, &random);
	open_bytes(&b, path, &file);
	assert_int_equal(lseek(b.fd, 5, SEEK_SET), 5);
	assert_true(bytes_are_at_hand(&b, 2 * MEBI - 5));
	assert_false(bytes_are_at_hand(&b, 2 * MEBI - 4));
	r = reader_new(&b, false, MAX_WINDOW, 2, 1000, &err);
	assert_non_null(r);
	assert_true(reader_look(r, &bytes, &n, &err));
	assert_memory_equal(bytes, file.bytes + 5, n);
	reader_free(r);
	assert_int_equal(lseek(b.fd, 0, SEEK_CUR), 5 + n);
	bytes_close(&b);
	free(file.bytes);
}

static void
a_pipe_is_not_at_hand(void **state)
{
	struct bytes b = {.name = "the pipe"};
	int fds[2];

	(void)state;
	assert_int_equal(pipe(fds), 0);
	b.fd = fds[0];
	assert_false(bytes_are_at_hand(&b, 0));
	close(fds[0]);
	close(fds[1]);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(raw_bytes_are_the_same),
	    cmocka_unit_test(frames_are_the_same_as_a_stream),
	    cmocka_unit_test(many_small_frames_are_too),
	    cmocka_unit_test(a_large_frame_is_left_to_the_stream),
	    cmocka_unit_test(a_damaged_file_fails_as_a_stream_does),
	    cmocka_unit_test(the_file_stands_where_reading_ended),
	    cmocka_unit_test(a_pipe_is_not_at_hand),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
