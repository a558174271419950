/* SPDX-License-Identifier: MIT */
/* Decisions in the format that was asked for. */
#include "sink.h"

#include <inttypes.h>

const char *const output_names[] = {"ids", "i32", "text", NULL};

/* printf would cost more than some rows do to decide. */
static bool
write_decimal(const struct sink *s, uint32_t id, struct error *err)
{
	char line[11], *digit = line + sizeof(line);

	*--digit = '\n';
	do
		*--digit = (char)('0' + id % 10);
	while ((id /= 10) > 0);
	return buffer_add(
	    s->buffer, digit, (size_t)(line + sizeof(line) - digit), err);
}

static bool
write_i32(const struct sink *s, uint32_t id, struct error *err)
{
	unsigned char bytes[4];

	for (int i = 0; i < 4; i++)
		bytes[i] = (unsigned char)(id >> 8 * i);
	return buffer_add(s->buffer, bytes, sizeof(bytes), err);
}

static bool
write_piece(const struct sink *s, const struct row *row, uint32_t id,
    struct error *err)
{
	const char *bytes;
	size_t n;

	if (!pieces_get(s->pieces, id, &bytes, &n))
		return error_set(err, STATUS_FAILED,
		    "row %" PRIu64 ": token %" PRIu32
		    " has no piece: the list of pieces ends with %zu",
		    row->number, id, pieces_count(s->pieces) - 1);
	return buffer_add(s->buffer, bytes, n, err);
}

bool
sink_write(const struct sink *s, const struct row *row,
    const struct decision *d, struct error *err)
{
	switch (s->format) {
	case OUTPUT_I32:
		return write_i32(s, d->id, err);
	case OUTPUT_TEXT:
		return write_piece(s, row, d->id, err);
	default:
		return write_decimal(s, d->id, err);
	}
}
