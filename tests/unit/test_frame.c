/* SPDX-License-Identifier: MIT */
/* Headers of zstd frames, against what libzstd says of them. */
#include <zstd.h>

#include "helper.h"

#include "../../src/input/frame.h"

enum { ROOM = 64 * 1024 };

static size_t
make_frame(unsigned char *to, size_t n, int window, bool content, bool checksum)
{
	static const unsigned char plain[ROOM];
	ZSTD_CCtx *context = ZSTD_createCCtx();
	ZSTD_inBuffer in = {plain, n, 0};
	ZSTD_outBuffer out = {to, ROOM, 0};

	assert_non_null(context);
	ZSTD_CCtx_setParameter(context, ZSTD_c_windowLog, window);
	ZSTD_CCtx_setParameter(context, ZSTD_c_contentSizeFlag, content);
	ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, checksum);
	if (content)
		ZSTD_CCtx_setPledgedSrcSize(context, n);
	assert_int_equal(
	    ZSTD_compressStream2(context, &out, &in, ZSTD_e_end), 0);
	ZSTD_freeCCtx(context);
	return out.pos;
}

/* A header is read from as many bytes as it has, and not from less. */
static void
check_length(const unsigned char *frame, size_t size)
{
	struct frame_header h;

	for (size_t n = 0; n < size; n++) {
		unsigned char *copy = guarded_new(n);

		memcpy(copy, frame, n);
		assert_false(frame_read_header(copy, n, &h));
		guarded_free(copy, n);
	}
	assert_true(frame_read_header(frame, size, &h));
}

static void
headers_say_what_libzstd_says(void **state)
{
	static const size_t sizes[] = {0, 1, 255, 256, 257, 1000, ROOM};
	unsigned char frame[ROOM];
	struct frame_header h;
	size_t size;

	(void)state;
	for (size_t i = 0; i < LENGTH(sizes); i++)
		for (int way = 0; way < 4; way++) {
			size = make_frame(
			    frame, sizes[i], 10 + way, way & 1, way & 2);
			assert_true(frame_read_header(frame, size, &h));
			assert_false(h.skippable || h.has_dictionary);
			assert_int_equal(h.has_checksum, (way & 2) != 0);
			assert_int_equal(h.has_content, way & 1);
			if (h.has_content)
				assert_int_equal(h.content,
				    ZSTD_getFrameContentSize(frame, size));
			assert_true(h.window <= UINT64_C(1024) << way);
			check_length(frame, h.size);
		}
}

/* RFC 8878: the exponent and the eighths of a window; the id's size. */
static void
fields_by_hand(void **state)
{
	static const unsigned char window[] = {0x28, 0xb5, 0x2f, 0xfd, 0, 0x53},
	                           id[] = {0x28, 0xb5, 0x2f, 0xfd, 0x22, 1, 2,
	                               9},
	                           no_id[] = {0x28, 0xb5, 0x2f, 0xfd, 0x22, 0,
	                               0, 9},
	                           large[] = {0x28, 0xb5, 0x2f, 0xfd, 0xe0, 1,
	                               2, 3, 4, 5, 6, 7, 8};
	struct frame_header h;

	(void)state;
	assert_true(frame_read_header(window, sizeof(window), &h));
	assert_int_equal(h.window, (1 << 20) + 3 * (1 << 17));
	assert_int_equal(h.size, 6);
	assert_true(frame_read_header(id, sizeof(id), &h));
	assert_true(h.has_dictionary);
	assert_int_equal(h.size, 8);
	assert_int_equal(h.content, 9);
	assert_true(frame_read_header(no_id, sizeof(no_id), &h));
	assert_false(h.has_dictionary);
	assert_true(frame_read_header(large, sizeof(large), &h));
	assert_true(h.content == UINT64_C(0x0807060504030201));
	assert_true(h.window == h.content);
}

static void
skippable_frames_have_a_size(void **state)
{
	static const unsigned char frame[] = {
	    0x5f, 0x2a, 0x4d, 0x18, 1, 2, 0, 0};
	struct frame_header h;

	(void)state;
	assert_true(frame_read_header(frame, sizeof(frame), &h));
	assert_true(h.skippable);
	assert_int_equal(h.size, 8);
	assert_int_equal(h.content, 0x201);
	assert_false(frame_read_header(frame, 7, &h));
	assert_false(frame_read_header(
	    (const unsigned char *)"no magic at all", 15, &h));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(headers_say_what_libzstd_says),
	    cmocka_unit_test(fields_by_hand),
	    cmocka_unit_test(skippable_frames_have_a_size),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
