/* SPDX-License-Identifier: MIT */
/* Whole zstd frames as portions, so that several are unpacked at once. */
#include "frames.h"

#include <stdlib.h>
#include <zstd.h>

#include "frame.h"
#include "pages.h"

/*
 * Frames know nothing of each other, so that each can be unpacked by another
 * thread once it is known where it ends.  No header says that; but a frame
 * is blocks, each with its size before it, so that a walk from block to
 * block ends where the next frame begins, having decoded nothing.  It also
 * bounds what the frame decodes to, whatever the header claims.
 *
 * A portion is some frames, read as the walk goes on.  It is unpacked in one
 * go, and so either whole or not at all: what is wrong with it, and what can
 * be had before that place, is for the decoder of streams to say.
 */
enum {
	BLOCK_HEADER = 3,
	CHECKSUM = 4,
	BLOCK_MOST = ZSTD_BLOCKSIZE_MAX,
	READ_MOST = 256 * 1024,  /* bytes at a time */
	ENOUGH = 256 * 1024,     /* decoded; no more frames are added then */
	MOST = 16 * 1024 * 1024, /* of a portion, both packed and decoded */
};

/* RFC 8878, 3.1.1.2.2. */
enum block_type { BLOCK_RAW, BLOCK_RLE, BLOCK_COMPRESSED, BLOCK_RESERVED };

/* What a portion is made of and with. */
struct packed {
	ZSTD_DCtx *context;
	unsigned char *bytes; /* [MOST + READ_MOST]; used as far as need be */
	size_t size;          /* read so far; rather more than is needed */
	size_t end;           /* of the last whole frame */
	size_t bound;         /* bytes that decoding it gives, at most */
};

struct frames {
	const struct bytes *file;
	uint64_t window_most;
	uint64_t next; /* offset in the file */
	size_t count;
	struct packed packed[]; /* [count] by the index of the portion */
};

struct frames *
frames_new(const struct bytes *file, int max_window, size_t count)
{
	struct frames *f = calloc(1, sizeof(*f) + count * sizeof(f->packed[0]));

	if (f == NULL)
		return NULL;
	f->file = file;
	f->next = file->offset;
	f->window_most = UINT64_C(1) << max_window;
	f->count = count;
	return f;
}

void
frames_free(struct frames *f)
{
	if (f == NULL)
		return;
	for (size_t i = 0; i < f->count; i++) {
		ZSTD_freeDCtx(f->packed[i].context);
		free(f->packed[i].bytes);
	}
	free(f);
}

/* Have n bytes of the file, counted from f->next.  False if there aren't. */
static bool
have(struct frames *f, struct packed *p, size_t n)
{
	struct error ignored; /* the decoder of streams will meet it */
	size_t got = 1;

	if (n > MOST || p->bytes == NULL)
		return false;
	while (p->size < n && got > 0) {
		if (!bytes_read_at(f->file, f->next + p->size,
		        p->bytes + p->size, READ_MOST, &got, &ignored))
			return false;
		p->size += got;
	}
	return p->size >= n;
}

/*
 * Walk over a block; its size and what it decodes to, at most, are added.  One
 * that says more than `most`, which is its frame's bound, is left: a decoder of
 * whole frames may take it, and one of streams, which decides, does not.
 */
static bool
walk_block(struct frames *f, struct packed *p, size_t most, size_t *at,
    size_t *bound, bool *last)
{
	const unsigned char *head;
	size_t size;

	if (!have(f, p, *at + BLOCK_HEADER))
		return false;
	head = p->bytes + *at;
	size = (size_t)head[0] >> 3 | (size_t)head[1] << 5 |
	    (size_t)head[2] << 13;
	if (size > most)
		return false;
	*last = (head[0] & 1) != 0;
	*at += BLOCK_HEADER;
	switch ((enum block_type)(head[0] >> 1 & 3)) {
	case BLOCK_RAW:
		*at += size;
		*bound += size;
		return true;
	case BLOCK_RLE:
		*at += 1;
		*bound += size;
		return true;
	case BLOCK_COMPRESSED:
		*at += size;
		*bound += BLOCK_MOST;
		return true;
	default:
		return false;
	}
}

/* Walk over a frame that begins at p->end; false if it can't be taken. */
static bool
walk_frame(struct frames *f, struct packed *p)
{
	struct frame_header header;
	size_t at = p->end;
	size_t bound = 0, most;
	bool last = false;

	have(f, p, at + FRAME_HEADER_MAX); /* or what there is of it */
	if (!frame_read_header(p->bytes + at, p->size - at, &header) ||
	    header.window > f->window_most || header.has_dictionary ||
	    (header.has_content && header.content > MOST))
		return false;
	most = header.window < BLOCK_MOST ? (size_t)header.window : BLOCK_MOST;
	at += header.size;
	if (header.skippable)
		at += (size_t)header.content;
	while (!header.skippable && !last)
		if (!walk_block(f, p, most, &at, &bound, &last) || bound > MOST)
			return false;
	if (header.has_checksum)
		at += CHECKSUM;
	if (header.has_content && header.content < bound)
		bound = (size_t)header.content;
	if (!have(f, p, at) || p->bound + bound > MOST)
		return false;
	p->end = at;
	p->bound += bound;
	return true;
}

static bool
has_more(struct frames *f, struct packed *p)
{
	return have(f, p, p->end + 1);
}

/* As many frames as are enough, or one that is more. */
static void
take(void *context, struct portion *portion)
{
	struct frames *f = context;
	struct packed *p = &f->packed[portion->index];

	p->size = p->end = p->bound = 0;
	if (p->bytes == NULL)
		p->bytes = pages_new(MOST + READ_MOST);
	while (p->bound < ENOUGH && has_more(f, p) && walk_frame(f, p))
		;
	portion->from = f->next;
	portion->to = f->next += p->end;
	/* An end that can't be told from a failure is the other decoder's. */
	if (p->end == 0)
		portion->end = PORTION_LEAVES;
}

static void
make(void *context, struct portion *portion)
{
	struct frames *f = context;
	struct packed *p = &f->packed[portion->index];

	if (p->end == 0)
		return;
	portion->end = PORTION_LEAVES;
	if (p->context == NULL)
		p->context = ZSTD_createDCtx();
	if (p->context == NULL || !portion_reserve(portion, p->bound + 1))
		return;
	portion->size = ZSTD_decompressDCtx(
	    p->context, portion->bytes, portion->room, p->bytes, p->end);
	if (ZSTD_isError(portion->size))
		portion->size = 0;
	else
		portion->end = PORTION_GOES_ON;
}

struct supply
frames_supply(struct frames *f)
{
	return (struct supply){f, take, make};
}
