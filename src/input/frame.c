/* SPDX-License-Identifier: MIT */
/* What the header of a zstd frame says; RFC 8878, 3.1.1.1 and 3.1.2. */
#include "frame.h"

#include <zstd.h>

#include "../little.h"

static bool
is_skippable(const unsigned char *head)
{
	return (little(head, FRAME_MAGIC_SIZE) & ZSTD_MAGIC_SKIPPABLE_MASK) ==
	    ZSTD_MAGIC_SKIPPABLE_START;
}

bool
frame_magic(const unsigned char *head, size_t n)
{
	return n >= FRAME_MAGIC_SIZE &&
	    (little(head, FRAME_MAGIC_SIZE) == ZSTD_MAGICNUMBER ||
	        is_skippable(head));
}

static bool
read_skippable(const unsigned char *bytes, size_t n, struct frame_header *h)
{
	h->skippable = h->has_content = true;
	h->size = 8;
	if (n < h->size)
		return false;
	h->content = little(bytes + 4, 4);
	return true;
}

/* An exponent, and eighths of the power that are added to it. */
static uint64_t
window_of(unsigned char descriptor)
{
	uint64_t power = UINT64_C(1) << (10 + (descriptor >> 3));

	return power + power / 8 * (descriptor & 7);
}

bool
frame_read_header(const unsigned char *bytes, size_t n, struct frame_header *h)
{
	static const unsigned char id_sizes[] = {0, 1, 2, 4};
	static const unsigned char content_sizes[] = {0, 2, 4, 8};
	unsigned descriptor, id_size, content_size;
	bool single; /* segment: the window is all of the content */

	*h = (struct frame_header){.size = FRAME_MAGIC_SIZE + 1};
	if (!frame_magic(bytes, n))
		return false;
	if (is_skippable(bytes))
		return read_skippable(bytes, n, h);
	if (n < h->size)
		return false;
	descriptor = bytes[FRAME_MAGIC_SIZE];
	single = (descriptor & 0x20) != 0;
	id_size = id_sizes[descriptor & 3];
	content_size = content_sizes[descriptor >> 6];
	if (single && content_size == 0)
		content_size = 1;
	if (n < h->size + !single + id_size + content_size)
		return false;
	if (!single)
		h->window = window_of(bytes[h->size++]);
	h->has_dictionary = little(bytes + h->size, id_size) != 0;
	h->size += id_size;
	h->content = little(bytes + h->size, content_size) +
	    (content_size == 2 ? 256 : 0);
	h->size += content_size;
	if (single)
		h->window = h->content;
	h->has_content = content_size > 0;
	h->has_checksum = (descriptor & 4) != 0;
	return true;
}
