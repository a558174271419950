/* SPDX-License-Identifier: MIT */
/* Which frames make a portion, and which are left to the other decoder. */
#include <zstd.h>

#include "helper.h"

#include "../../src/input/frames.h"

enum { ROOM = 4 * 1024 * 1024, KIBI = 1024, WINDOW = 27, FRAMES_MAX = 64 };

/* Frames in a file, and where each ends. */
struct file {
	struct bytes bytes;
	unsigned char *packed, *plain;
	size_t size, plain_size;
	size_t ends[FRAMES_MAX], plain_ends[FRAMES_MAX], count;
	size_t hole; /* zeros behind them */
};

static void
add(struct file *f, size_t n, uint64_t *random)
{
	for (size_t i = 0; i < n; i++)
		f->plain[f->plain_size + i] = (unsigned char)random_below(
		    random, 3);
	f->size += ZSTD_compress(f->packed + f->size, ROOM - f->size,
	    f->plain + f->plain_size, n, 1);
	f->plain_size += n;
	f->ends[f->count] = f->size;
	f->plain_ends[f->count++] = f->plain_size;
}

static void
begin(struct file *f)
{
	*f = (struct file){.packed = malloc(ROOM), .plain = malloc(ROOM)};
	assert_true(f->packed != NULL && f->plain != NULL);
}

static struct frames *
open_frames(struct file *f, int window)
{
	char path[PATH_ROOM];
	struct frames *frames;
	struct error err;

	make_file(path, f->packed, f->size);
	assert_int_equal(truncate(path, (off_t)(f->size + f->hole)), 0);
	assert_true(bytes_open(&f->bytes, path, NULL, &err));
	assert_int_equal(unlink(path), 0);
	assert_true(bytes_are_at_hand(&f->bytes, f->size));
	frames = frames_new(&f->bytes, window, 1);
	assert_non_null(frames);
	return frames;
}

static void
end(struct file *f, struct frames *frames)
{
	frames_free(frames);
	bytes_close(&f->bytes);
	free(f->packed);
	free(f->plain);
}

static void
next_portion(struct frames *frames, struct portion *p)
{
	struct supply supply = frames_supply(frames);

	p->size = 0;
	p->end = PORTION_GOES_ON;
	supply.take(supply.context, p);
	supply.make(supply.context, p);
}

/* Portions end where frames do, and are none too small. */
static void
portions_are_whole_frames(void **state)
{
	struct portion p = {0};
	uint64_t random = 1;
	struct frames *frames;
	struct file f;
	size_t done = 0, i = 0, portions = 0;

	(void)state;
	begin(&f);
	while (f.count < 40)
		add(&f, 1 + random_below(&random, 100 * KIBI), &random);
	frames = open_frames(&f, WINDOW);
	for (;; portions++) {
		next_portion(frames, &p);
		if (p.end != PORTION_GOES_ON)
			break;
		while (i < f.count && f.ends[i] != p.to)
			i++;
		assert_true(i < f.count);
		assert_int_equal(p.size, f.plain_ends[i] - done);
		assert_memory_equal(p.bytes, f.plain + done, p.size);
		assert_true(p.size >= 100 * KIBI || i == f.count - 1);
		done += p.size;
	}
	assert_int_equal(p.end, PORTION_LEAVES);
	assert_int_equal(p.from, f.size);
	assert_int_equal(done, f.plain_size);
	assert_true(portions > 3 && portions < 20);
	free(p.bytes);
	end(&f, frames);
}

/* The first one is taken, the second is left, which begins at `from`. */
static void
check_left(struct file *f, int window)
{
	struct portion p = {0};
	struct frames *frames = open_frames(f, window);

	next_portion(frames, &p);
	assert_int_equal(p.end, PORTION_GOES_ON);
	assert_int_equal(p.size, f->plain_ends[0]);
	next_portion(frames, &p);
	assert_int_equal(p.end, PORTION_LEAVES);
	assert_int_equal(p.size, 0);
	assert_int_equal(p.from, f->ends[0]);
	free(p.bytes);
	end(f, frames);
}

static void
odd_frames_are_left(void **state)
{
	/*
	 * A dictionary, a reserved block, 2^30 bytes; no frame; a cut one; a
	 * byte 2^20 times, and 2^16 times where the window has 2^10; 2^30 that
	 * are to be skipped and not there.  NULs make each of them up to 10.
	 */
	static const char odd[][10] = {"\x28\xb5\x2f\xfd\x01\x50\x07\x01\0",
	    "\x28\xb5\x2f\xfd\x00\x50\x07\x00\0",
	    "\x28\xb5\x2f\xfd\xa0\0\0\0\x40", "nonsense!",
	    "\x28\xb5\x2f\xfd\x00\x50\xff\0\0",
	    "\x28\xb5\x2f\xfd\x00\x50\x03\0\x80",
	    "\x28\xb5\x2f\xfd\x00\0\x03\0\x08", "\x50\x2a\x4d\x18\0\0\0\x40"};
	uint64_t random = 2;
	struct file f;

	(void)state;
	for (size_t i = 0; i < LENGTH(odd); i++) {
		begin(&f);
		add(&f, 300 * KIBI, &random);
		memcpy(f.packed + f.size, odd[i], 10);
		f.size += 10;
		check_left(&f, WINDOW);
	}
}

/* A small frame, and one of as much as fits, which few bytes can say. */
static void
a_portion_has_a_bound(void **state)
{
	enum { BLOCKS = 128, BLOCK = 128 * KIBI };
	struct portion p = {0};
	uint64_t random = 5;
	struct frames *frames;
	struct file f;

	(void)state;
	begin(&f);
	add(&f, KIBI, &random);
	memcpy(f.packed + f.size, "\x28\xb5\x2f\xfd\x00\x50", 6);
	f.size += 6;
	for (int i = 1; i <= BLOCKS; i++) {
		memcpy(f.packed + f.size, "\x02\0\x10x", 4);
		f.packed[f.size] |= i == BLOCKS;
		f.size += 4;
	}
	frames = open_frames(&f, WINDOW);
	next_portion(frames, &p);
	assert_int_equal(p.end, PORTION_GOES_ON);
	assert_int_equal(p.size, KIBI);
	next_portion(frames, &p);
	assert_int_equal(p.end, PORTION_GOES_ON);
	assert_int_equal(p.size, BLOCKS * BLOCK);
	for (size_t i = 0; i < p.size; i++)
		assert_true(p.bytes[i] == 'x');
	free(p.bytes);
	end(&f, frames);
}

/* It is for the other decoder to refuse. */
static void
a_window_that_is_too_large_is_left(void **state)
{
	uint64_t random = 3;
	struct file f;

	(void)state;
	begin(&f);
	add(&f, 256 * KIBI, &random);
	add(&f, 1024 * KIBI, &random);
	check_left(&f, 18);
}

/* All of it is there, but with its header it is too much. */
static void
what_is_skipped_has_a_bound_too(void **state)
{
	uint64_t random = 6;
	struct file f;

	(void)state;
	begin(&f);
	add(&f, 256 * KIBI, &random);
	memcpy(f.packed + f.size, "\x50\x2a\x4d\x18\0\0\0\x01", 8);
	f.size += 8;
	f.hole = 0x01000000 + 1;
	check_left(&f, WINDOW);
}

static void
a_frame_that_is_damaged_is_left(void **state)
{
	uint64_t random = 4;
	struct file f;

	(void)state;
	begin(&f);
	add(&f, 256 * KIBI, &random);
	add(&f, 256 * KIBI, &random);
	memset(f.packed + f.ends[0] + 100, 0, 1000);
	check_left(&f, WINDOW);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(portions_are_whole_frames),
	    cmocka_unit_test(odd_frames_are_left),
	    cmocka_unit_test(a_portion_has_a_bound),
	    cmocka_unit_test(a_window_that_is_too_large_is_left),
	    cmocka_unit_test(what_is_skipped_has_a_bound_too),
	    cmocka_unit_test(a_frame_that_is_damaged_is_left),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
