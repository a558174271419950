/* SPDX-License-Identifier: MIT */
/* What the header of a zstd frame says; RFC 8878, 3.1.1.1 and 3.1.2. */
#ifndef TOKPICK_FRAME_H
#define TOKPICK_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	/* Bytes of a stream that show whether it is zstd. */
	FRAME_MAGIC_SIZE = 4,
	/* Magic, descriptor, window descriptor, dictionary id, content size. */
	FRAME_HEADER_MAX = 18,
};

struct frame_header {
	size_t size;      /* its own, magic included */
	bool skippable;   /* no blocks, but content bytes that mean nothing */
	bool has_content; /* is there a content size? */
	bool has_dictionary;
	bool has_checksum;
	uint64_t content; /* decoded bytes; no more than a claim */
	uint64_t window;  /* bytes of memory it asks for */
};

/* Do n bytes begin with the magic of a frame, skippable ones included? */
bool frame_magic(const unsigned char *head, size_t n);

/* Take a header apart; false if n bytes do not begin with a whole one. */
bool frame_read_header(
    const unsigned char *bytes, size_t n, struct frame_header *);

#endif
