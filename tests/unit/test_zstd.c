/* SPDX-License-Identifier: MIT */
/* Streams made with libzstd here: whole, cut anywhere, with any byte wrong. */
#include <limits.h>
#include <zstd.h>

#include "feeder.h"

#include "../../src/input/zstd.h"

enum { ROOM = 64 * 1024, MARKS_MAX = 64, MAX_WINDOW = 27, WINDOW = 16 };

/* From `cut` bytes of a stream, `plain` bytes can be had. */
struct mark {
	size_t cut;
	size_t plain;
	bool clean; /* a frame ends here, or has not begun */
};

struct stream {
	unsigned char bytes[ROOM], plain[ROOM];
	size_t size, plain_size;
	struct mark marks[MARKS_MAX];
	size_t n_marks;
};

static void
add_mark(struct stream *s, bool clean)
{
	assert_true(s->n_marks < MARKS_MAX);
	s->marks[s->n_marks++] = (struct mark){s->size, s->plain_size, clean};
}

/* Two in three bytes are the one before again: compressible, but not much. */
static void
make_plain(struct stream *s, size_t n, uint64_t *random)
{
	unsigned char *to = s->plain + s->plain_size;

	assert_true(n <= ROOM - s->plain_size);
	for (size_t i = 0; i < n; i++)
		to[i] = i > 0 && !one_in(random, 3)
		    ? to[i - 1]
		    : (unsigned char)random_bits(random);
}

static void
compress(
    struct stream *s, ZSTD_CCtx *context, size_t n, ZSTD_EndDirective directive)
{
	ZSTD_inBuffer in = {s->plain + s->plain_size, n, 0};
	ZSTD_outBuffer out = {s->bytes, ROOM, s->size};

	assert_int_equal(
	    ZSTD_compressStream2(context, &out, &in, directive), 0);
	s->size = out.pos;
	s->plain_size += n;
	add_mark(s, directive == ZSTD_e_end);
}

/* A frame of so many blocks, each flushed as a row would be. */
static void
add_frame(struct stream *s, size_t blocks, size_t block_size, bool checksum,
    uint64_t *random)
{
	ZSTD_CCtx *context = ZSTD_createCCtx();

	assert_non_null(context);
	ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, checksum);
	ZSTD_CCtx_setParameter(context, ZSTD_c_windowLog, WINDOW);
	for (size_t i = 0; i < blocks; i++) {
		make_plain(s, block_size, random);
		compress(s, context, block_size, ZSTD_e_flush);
	}
	compress(s, context, 0, ZSTD_e_end);
	ZSTD_freeCCtx(context);
}

static void
add_skippable(struct stream *s, unsigned magic_nibble, size_t n)
{
	unsigned char *to = s->bytes + s->size;

	assert_true(8 + n <= ROOM - s->size && n < 256);
	memcpy(to, "\x50\x2a\x4d\x18", 4);
	to[0] = (unsigned char)(to[0] + magic_nibble);
	memcpy(to + 4, "\0\0\0\0", 4);
	to[4] = (unsigned char)n;
	memset(to + 8, 0x28, n);
	s->size += 8 + n;
	add_mark(s, true);
}

static void
stream_begin(struct stream *s)
{
	s->size = s->plain_size = s->n_marks = 0;
	add_mark(s, true);
}

/* Every kind of frame; small enough to try each byte of it. */
static void
make_small_stream(struct stream *s, bool checksum)
{
	uint64_t random = 1;

	stream_begin(s);
	add_skippable(s, 0, 5);
	add_frame(s, 4, 40, checksum, &random);
	add_frame(s, 0, 0, checksum, &random);
	add_skippable(s, 15, 0);
	add_frame(s, 1, 1, checksum, &random);
	add_frame(s, 3, 64, checksum, &random);
	add_skippable(s, 7, 9);
}

/*
 * What came out of a stream, until its end or an error.  A wrong byte may
 * make a short block a long one: what has no room is counted, not kept.
 */
struct outcome {
	unsigned char plain[ROOM];
	size_t size;
	bool good;
	struct error err;
};

/*
 * The first n bytes of a stream; `give` bytes come from each read(2), and
 * `ask` are asked for at a time, into a buffer that ends on a guard page.
 */
static void
decode(const unsigned char *bytes, size_t n, size_t give, size_t ask,
    struct outcome *o)
{
	unsigned char head[FRAME_MAGIC_SIZE], *to = guarded_new(ask);
	size_t got = 1, ahead = 0;
	struct feeder f;
	struct bytes b;
	struct unzstd *z;

	feeder_open(&f, bytes, n, give);
	b = feeder_bytes(&f);
	o->good = true;
	while (got > 0 && ahead < sizeof(head)) {
		assert_true(bytes_read(
		    &b, head + ahead, sizeof(head) - ahead, &got, &o->err));
		ahead += got;
	}
	z = unzstd_new(&b, head, ahead, MAX_WINDOW, &o->err);
	assert_non_null(z);
	for (o->size = 0; o->good; o->size += got) {
		o->good = unzstd_read(z, to, ask, &got, &o->err);
		if (!o->good || got == 0)
			break;
		assert_true(got <= ask);
		if (got <= ROOM && o->size <= ROOM - got)
			memcpy(o->plain + o->size, to, got);
	}
	unzstd_free(z);
	feeder_close(&f);
	guarded_free(to, ask);
}

static void
assert_whole(const struct stream *s, const struct outcome *o)
{
	if (!o->good)
		fail_msg("%s", o->err.text);
	assert_int_equal(o->size, s->plain_size);
	assert_memory_equal(o->plain, s->plain, s->plain_size);
}

static struct stream stream;
static struct outcome outcome;

static void
frames_of_all_kinds_become_one_stream(void **state)
{
	static const size_t sizes[] = {1, 2, 3, 7, 100, PIPE_BUF};

	(void)state;
	for (int checksum = 0; checksum <= 1; checksum++) {
		make_small_stream(&stream, checksum == 1);
		for (size_t i = 0; i < LENGTH(sizes); i++)
			for (size_t j = 0; j < LENGTH(sizes); j++) {
				decode(stream.bytes, stream.size, sizes[i],
				    sizes[j], &outcome);
				assert_whole(&stream, &outcome);
			}
	}
}

/* Longer than the decoder's blocks and than any of the buffers between. */
static void
long_frames_become_one_stream(void **state)
{
	static const size_t gives[] = {1, 1000, PIPE_BUF},
	                    asks[] = {1, 999, ROOM};
	uint64_t random = 2;

	(void)state;
	stream_begin(&stream);
	add_frame(&stream, 5, 5000, true, &random);
	add_frame(&stream, 1, 30000, false, &random);
	for (size_t i = 0; i < LENGTH(gives); i++) {
		decode(stream.bytes, stream.size, gives[i], asks[i], &outcome);
		assert_whole(&stream, &outcome);
	}
}

static void
a_stream_without_data_is_empty(void **state)
{
	uint64_t random = 3;

	(void)state;
	stream_begin(&stream);
	add_skippable(&stream, 3, 100);
	add_frame(&stream, 0, 0, true, &random);
	add_frame(&stream, 0, 0, false, &random);
	decode(stream.bytes, stream.size, 10, 10, &outcome);
	assert_whole(&stream, &outcome);
	decode(stream.bytes, 0, 10, 10, &outcome);
	assert_true(outcome.good && outcome.size == 0);
}

/* The last mark at or before the cut tells what must have come out. */
static void
check_cut(const struct stream *s, size_t cut, size_t give, size_t ask)
{
	const struct mark *mark = s->marks;

	for (size_t i = 0; i < s->n_marks && s->marks[i].cut <= cut; i++)
		mark = &s->marks[i];
	decode(s->bytes, cut, give, ask, &outcome);
	if (outcome.size < mark->plain)
		fail_msg("cut at %zu: %zu bytes, not %zu", cut, outcome.size,
		    mark->plain);
	assert_true(outcome.size <= s->plain_size);
	assert_memory_equal(outcome.plain, s->plain, outcome.size);
	if (outcome.good != (mark->cut == cut && mark->clean))
		fail_msg("cut at %zu: %s", cut,
		    outcome.good ? "no error" : outcome.err.text);
	if (outcome.good)
		return;
	assert_int_equal(outcome.err.status, STATUS_FAILED);
	assert_non_null(strstr(outcome.err.text, "the pipe: "));
}

static void
a_cut_costs_nothing_that_was_whole(void **state)
{
	(void)state;
	for (int checksum = 0; checksum <= 1; checksum++) {
		make_small_stream(&stream, checksum == 1);
		for (size_t cut = 0; cut <= stream.size; cut++) {
			check_cut(&stream, cut, PIPE_BUF, 1000);
			check_cut(&stream, cut, 1, 1);
		}
	}
}

/* Where its frame began, and where the bytes ended. */
static void
a_cut_is_told_with_its_offsets(void **state)
{
	uint64_t random = 4;
	char text[64];

	(void)state;
	stream_begin(&stream);
	add_skippable(&stream, 0, 32);
	add_frame(&stream, 2, 100, true, &random);
	decode(stream.bytes, stream.size - 2, 10, 10, &outcome);
	assert_false(outcome.good);
	snprintf(text, sizeof(text),
	    "frame at byte 40 ends early, at byte %zu:", stream.size - 2);
	assert_non_null(strstr(outcome.err.text, text));
}

/*
 * With a checksum on every frame that holds data, whatever ends well is the
 * stream as it was: some bits of a header and a skipped frame mean nothing.
 */
static void
a_wrong_byte_never_passes_for_data(void **state)
{
	size_t noticed = 0;

	(void)state;
	make_small_stream(&stream, true);
	for (size_t at = 0; at < stream.size; at++) {
		const unsigned char right = stream.bytes[at];

		for (unsigned flip = 1; flip < 256; flip++) {
			if ((flip & (flip - 1)) != 0 && flip != 255)
				continue;
			stream.bytes[at] = (unsigned char)(right ^ flip);
			decode(stream.bytes, stream.size, PIPE_BUF, 1000,
			    &outcome);
			if (outcome.good)
				assert_whole(&stream, &outcome);
			else
				noticed++;
		}
		stream.bytes[at] = right;
	}
	assert_true(noticed > 5 * stream.size);
}

/* A block of the reserved type, all in one read: those before it come out. */
static void
blocks_before_a_fault_are_served(void **state)
{
	uint64_t random = 7;

	(void)state;
	for (size_t block = 1; block < 6; block++) {
		stream_begin(&stream);
		add_frame(&stream, 6, 100, true, &random);
		stream.bytes[stream.marks[block].cut] |= 3 << 1;
		decode(stream.bytes, stream.size, PIPE_BUF, ROOM, &outcome);
		assert_false(outcome.good);
		assert_int_equal(outcome.size, 100 * block);
		assert_memory_equal(outcome.plain, stream.plain, outcome.size);
	}
}

/* Without one wrong bytes may pass, but nothing may break. */
static void
noise_is_survived(void **state)
{
	uint64_t random = 5;
	size_t at;

	(void)state;
	for (size_t i = scaled(1500); i > 0; i--) {
		make_small_stream(&stream, false);
		for (size_t j = 1 + random_below(&random, 8); j > 0; j--) {
			at = random_below(&random, stream.size);
			stream.bytes[at] = (unsigned char)random_bits(&random);
		}
		decode(stream.bytes, stream.size,
		    1 + random_below(&random, 300),
		    1 + random_below(&random, 300), &outcome);
	}
}

static void
garbage_after_the_last_frame_is_told(void **state)
{
	char text[64];

	(void)state;
	make_small_stream(&stream, true);
	snprintf(text, sizeof(text), "at byte %zu", stream.size);
	for (size_t n = 1; n <= 5; n++) {
		memcpy(stream.bytes + stream.size, "trash", n);
		decode(stream.bytes, stream.size + n, 100, 100, &outcome);
		assert_false(outcome.good);
		assert_int_equal(outcome.size, stream.plain_size);
		assert_memory_equal(
		    outcome.plain, stream.plain, stream.plain_size);
		assert_non_null(strstr(outcome.err.text, text));
	}
}

/* RFC 8878, 3.1.1.1: a frame header by hand, then one empty raw block. */
static void
check_header(const char *header, size_t n, const char *message)
{
	unsigned char bytes[32] = "\x28\xb5\x2f\xfd";

	memcpy(bytes + 4, header, n);
	memcpy(bytes + 4 + n, "\x01\x00\x00", 3);
	decode(bytes, 4 + n + 3, 10, 10, &outcome);
	if (message == NULL) {
		assert_true(outcome.good && outcome.size == 0);
		return;
	}
	assert_false(outcome.good);
	if (strstr(outcome.err.text, message) == NULL)
		fail_msg("'%s' does not say '%s'", outcome.err.text, message);
}

static void
a_window_that_is_too_large_is_refused(void **state)
{
	(void)state;
	/* 2^20; 2^28; 2^28 and an eighth; 2^41, more than libzstd takes */
	check_header("\x00\x50", 2, NULL);
	check_header("\x00\x90", 2, "--max-window 28");
	check_header("\x00\x91", 2, "--max-window 29");
	check_header("\x00\xf8", 2, "2^41 bytes, more than libzstd takes");
	/* a single segment of 2^30, and of 2^62 bytes */
	check_header("\xa0\x00\x00\x00\x40", 5, "--max-window 30");
	check_header("\xe0\0\0\0\0\0\0\0\x40", 9, "more than libzstd takes");
	/* and of more than 2^63 */
	check_header(
	    "\xe0\1\0\0\0\0\0\0\x80", 9, "2^63 bytes, more than libzstd takes");
}

static void
a_bound_that_libzstd_does_not_take_is_refused(void **state)
{
	static const unsigned char nothing[1];
	const int bounds[] = {unzstd_window_min(), unzstd_window_max()};
	struct bytes b = {.fd = -1, .name = "the pipe"};
	struct unzstd *z;
	struct error err;

	(void)state;
	for (size_t i = 0; i < LENGTH(bounds); i++) {
		z = unzstd_new(&b, nothing, 0, bounds[i], &err);
		assert_non_null(z);
		unzstd_free(z);
	}
	assert_null(unzstd_new(&b, nothing, 0, bounds[0] - 1, &err));
	assert_int_equal(err.status, STATUS_USAGE);
	assert_null(unzstd_new(&b, nothing, 0, bounds[1] + 1, &err));
	assert_non_null(strstr(err.text, "--max-window: libzstd takes "));
}

static void
a_dictionary_is_told_to_be_missing(void **state)
{
	(void)state;
	check_header("\x01\x50\x07", 3, "dictionary");
}

/*
 * Each flushed block holds three rows.  They come out, however they are
 * asked for, before anything that follows was given: where the decoder
 * wants more input first, the feeder fails the reading.
 */
static void
check_flushed_rows(size_t ask)
{
	enum { ROW = 40, BLOCK = 3 * ROW };
	unsigned char head[FRAME_MAGIC_SIZE], *to = outcome.plain;
	const struct mark *mark = &stream.marks[1];
	struct unzstd *z;
	struct feeder f;
	struct error err;
	struct bytes b;
	size_t got;

	feeder_open(&f, stream.bytes, stream.size, 7);
	b = feeder_bytes(&f);
	assert_true(bytes_read(&b, head, sizeof(head), &got, &err));
	z = unzstd_new(&b, head, got, MAX_WINDOW, &err);
	assert_non_null(z);
	for (; !mark->clean; mark++) {
		f.hold = mark->cut;
		for (outcome.size = 0; outcome.size < BLOCK;
		     outcome.size += got)
			if (!unzstd_read(z, to + outcome.size, ask, &got, &err))
				fail_msg("by %zu: %zu of %d bytes, then %s",
				    ask, outcome.size, BLOCK, err.text);
		assert_int_equal(outcome.size, BLOCK);
		assert_memory_equal(
		    to, stream.plain + mark->plain - BLOCK, BLOCK);
	}
	f.hold = SIZE_MAX;
	assert_true(unzstd_read(z, to, 1, &got, &err) && got == 0);
	unzstd_free(z);
	feeder_close(&f);
}

static void
flushed_rows_come_out_as_they_arrive(void **state)
{
	static const size_t asks[] = {1000, 120, 40, 7, 1};
	uint64_t random = 6;

	(void)state;
	stream_begin(&stream);
	add_frame(&stream, 20, 120, true, &random);
	for (size_t i = 0; i < LENGTH(asks); i++)
		check_flushed_rows(asks[i]);
}

static void
magic_numbers_are_known(void **state)
{
	static const unsigned char frame[] = {0x28, 0xb5, 0x2f, 0xfd};
	unsigned char skippable[] = {0x50, 0x2a, 0x4d, 0x18};

	(void)state;
	assert_true(frame_magic(frame, 4));
	for (size_t n = 0; n < 4; n++)
		assert_false(frame_magic(frame, n));
	for (unsigned i = 0; i < 256; i++) {
		skippable[0] = (unsigned char)i;
		assert_int_equal(
		    frame_magic(skippable, 4), i >= 0x50 && i <= 0x5f);
	}
	assert_false(frame_magic((const unsigned char *)"\x27\xb5\x2f\xfd", 4));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(frames_of_all_kinds_become_one_stream),
	    cmocka_unit_test(long_frames_become_one_stream),
	    cmocka_unit_test(a_stream_without_data_is_empty),
	    cmocka_unit_test(a_cut_costs_nothing_that_was_whole),
	    cmocka_unit_test(a_cut_is_told_with_its_offsets),
	    cmocka_unit_test(a_wrong_byte_never_passes_for_data),
	    cmocka_unit_test(blocks_before_a_fault_are_served),
	    cmocka_unit_test(noise_is_survived),
	    cmocka_unit_test(garbage_after_the_last_frame_is_told),
	    cmocka_unit_test(a_window_that_is_too_large_is_refused),
	    cmocka_unit_test(a_bound_that_libzstd_does_not_take_is_refused),
	    cmocka_unit_test(a_dictionary_is_told_to_be_missing),
	    cmocka_unit_test(flushed_rows_come_out_as_they_arrive),
	    cmocka_unit_test(magic_numbers_are_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
