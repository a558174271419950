/* SPDX-License-Identifier: MIT */
/* zstd taken off a stream of bytes; tokpick(1), "zstd". */
#include "zstd.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>
#include <zstd_errors.h>

/* Type and size of a block; RFC 8878, 3.1.1.2. */
enum { BLOCK_HEADER = 3 };

/*
 * The decoder is fed one block at a time, and so hands out each before it
 * looks at the next: whatever stands before a fault is served.  What it
 * asks for is a block and the next one's header; the header is held back.
 */
struct unzstd {
	ZSTD_DCtx *context;
	struct bytes *from;
	int max_window;
	bool in_frame;
	bool full;   /* the last step had no room for more: there may be some */
	size_t want; /* input bytes the decoder asks for next */
	uint64_t frame;    /* offset at which this or the next frame begins */
	uint64_t consumed; /* offset of buffer[start] */
	size_t start, end; /* what is left in the buffer */
	size_t capacity;
	unsigned char *buffer;
	unsigned char
	    header[FRAME_HEADER_MAX]; /* of this frame, for messages */
	size_t header_size;
};

int
unzstd_window_max(void)
{
	return ZSTD_dParam_getBounds(ZSTD_d_windowLogMax).upperBound;
}

int
unzstd_window_min(void)
{
	return ZSTD_dParam_getBounds(ZSTD_d_windowLogMax).lowerBound;
}

struct unzstd *
unzstd_new(struct bytes *b, const unsigned char *head, size_t n, int max_window,
    struct error *err)
{
	struct unzstd *z = calloc(1, sizeof(*z));

	if (z == NULL)
		goto no_memory;
	z->from = b;
	z->max_window = max_window;
	z->capacity = ZSTD_DStreamInSize();
	z->buffer = malloc(z->capacity);
	z->context = ZSTD_createDCtx();
	if (z->buffer == NULL || z->context == NULL)
		goto no_memory;
	memcpy(z->buffer, head, n);
	z->end = n;
	z->frame = z->consumed = b->offset - n;
	if (!ZSTD_isError(ZSTD_DCtx_setParameter(
	        z->context, ZSTD_d_windowLogMax, max_window)))
		return z;
	unzstd_free(z);
	error_set(err, STATUS_USAGE,
	    "--max-window: libzstd takes %d to %d here, not %d",
	    unzstd_window_min(), unzstd_window_max(), max_window);
	return NULL;
no_memory:
	unzstd_free(z);
	error_system(err, ENOMEM, "%s: the zstd decoder", b->name);
	return NULL;
}

void
unzstd_free(struct unzstd *z)
{
	if (z == NULL)
		return;
	ZSTD_freeDCtx(z->context);
	free(z->buffer);
	free(z);
}

/* Have at least n bytes in the buffer, or all there are. */
static bool
fill(struct unzstd *z, size_t n, struct error *err)
{
	size_t got = 1;

	if (z->end - z->start >= n)
		return true;
	memmove(z->buffer, z->buffer + z->start, z->end - z->start);
	z->end -= z->start;
	z->start = 0;
	while (z->end < n && got > 0) {
		if (!bytes_read(z->from, z->buffer + z->end,
		        z->capacity - z->end, &got, err))
			return false;
		z->end += got;
	}
	return true;
}

/*
 * The window that the frame's header asks for, rounded up to a power of two,
 * as its exponent.  The decoder has read the header: all of it is there.
 */
static int
window_asked(const struct unzstd *z)
{
	struct frame_header header = {0};
	int log = 0;

	frame_read_header(z->header, z->header_size, &header);
	while (log < 63 && UINT64_C(1) << log < header.window)
		log++;
	return log;
}

static bool
fault(const struct unzstd *z, size_t code, struct error *err)
{
	int window;

	switch (ZSTD_getErrorCode(code)) {
	case ZSTD_error_frameParameter_windowTooLarge:
		window = window_asked(z);
		if (window <= unzstd_window_max())
			return error_set(err, STATUS_FAILED,
			    "%s: the zstd frame at byte %" PRIu64
			    " needs a window of 2^%d bytes, above 2^%d: "
			    "allow it with --max-window %d",
			    z->from->name, z->frame, window, z->max_window,
			    window);
		return error_set(err, STATUS_FAILED,
		    "%s: the zstd frame at byte %" PRIu64
		    " needs a window of 2^%d bytes, more than libzstd takes",
		    z->from->name, z->frame, window);
	case ZSTD_error_memory_allocation:
		return error_system(err, ENOMEM,
		    "%s: the zstd frame at byte %" PRIu64, z->from->name,
		    z->frame);
	case ZSTD_error_dictionary_wrong:
		return error_set(err, STATUS_FAILED,
		    "%s: the zstd frame at byte %" PRIu64
		    " needs a dictionary: compress it without one",
		    z->from->name, z->frame);
	default:
		return error_set(err, STATUS_FAILED,
		    "%s: the zstd frame at byte %" PRIu64
		    " is corrupt near byte %" PRIu64 ": %s",
		    z->from->name, z->frame, z->consumed,
		    ZSTD_getErrorName(code));
	}
}

/* At the start of a frame: is there one?  *more is false at the end. */
static bool
begin_frame(struct unzstd *z, bool *more, struct error *err)
{
	size_t n;

	if (!fill(z, FRAME_MAGIC_SIZE, err))
		return false;
	n = z->end - z->start;
	*more = n > 0;
	if (n == 0)
		return true;
	z->frame = z->consumed;
	if (!frame_magic(z->buffer + z->start, n))
		return error_set(err, STATUS_FAILED,
		    "%s: no zstd frame begins at byte %" PRIu64 ": %s",
		    z->from->name, z->frame,
		    z->frame > 0 ? "what follows the last frame is garbage"
		                 : "--input raw reads rows that are not "
		                   "compressed");
	z->header_size = 0;
	z->in_frame = true;
	z->want = FRAME_MAGIC_SIZE + 1 + BLOCK_HEADER; /* see step() */
	return true;
}

/* Remember the first bytes of a frame, as they pass. */
static void
keep_header(struct unzstd *z, size_t n)
{
	if (n > FRAME_HEADER_MAX - z->header_size)
		n = FRAME_HEADER_MAX - z->header_size;
	memcpy(z->header + z->header_size, z->buffer + z->start, n);
	z->header_size += n;
}

/* One step of the decoder. */
static bool
step(struct unzstd *z, ZSTD_outBuffer *out, struct error *err)
{
	ZSTD_inBuffer in = {z->buffer + z->start, z->end - z->start, 0};
	size_t hint;

	if (z->want > BLOCK_HEADER)
		z->want -= BLOCK_HEADER;
	if (in.size > z->want)
		in.size = z->want;
	/* What is left of a block comes first: the next one may be bad. */
	if (z->full)
		in.size = 0;
	keep_header(z, in.size);
	hint = ZSTD_decompressStream(z->context, out, &in);
	if (ZSTD_isError(hint))
		return fault(z, hint, err);
	z->start += in.pos;
	z->consumed += in.pos;
	z->full = out->pos == out->size;
	z->in_frame = hint > 0;
	z->want = hint;
	return true;
}

bool
unzstd_read(
    struct unzstd *z, void *to, size_t n, size_t *got, struct error *err)
{
	ZSTD_outBuffer out = {to, n, 0};
	bool more = true;

	while (out.pos == 0) {
		if (!z->in_frame) {
			z->full = false;
			if (!begin_frame(z, &more, err))
				return false;
		}
		if (!more)
			break;
		/* A whole block is not waited for: it may be the last. */
		if (!z->full && !fill(z, 1, err))
			return false;
		if (!z->full && z->start == z->end)
			return error_set(err, STATUS_FAILED,
			    "%s: the zstd frame at byte %" PRIu64
			    " ends early, at byte %" PRIu64
			    ": the file is cut off",
			    z->from->name, z->frame, z->consumed);
		if (!step(z, &out, err))
			return false;
	}
	*got = out.pos;
	return true;
}
