/* SPDX-License-Identifier: MIT */
/* Decisions in the format that was asked for. */
#include "sink.h"

#include <inttypes.h>

#include "jsonl.h"
#include "table.h"

const char *const output_names[] = {
    "ids", "i32", "text", "jsonl", "table", NULL};

/* printf would cost more than some rows do to decide. */
static bool
write_decimal(const struct sink *s, uint32_t id, char after, struct error *err)
{
	char text[11], *digit = text + sizeof(text);

	*--digit = after;
	do
		*--digit = (char)('0' + id % 10);
	while ((id /= 10) > 0);
	return buffer_add(
	    s->buffer, digit, (size_t)(text + sizeof(text) - digit), err);
}

/* One line, blanks between several draws. */
static bool
write_line(const struct sink *s, const struct shown *shown, struct error *err)
{
	for (size_t i = 0; i < shown->draws; i++)
		if (!write_decimal(s, shown->drawn[i].id,
		        i + 1 < shown->draws ? ' ' : '\n', err))
			return false;
	return true;
}

static bool
write_i32(const struct sink *s, const struct shown *shown, struct error *err)
{
	unsigned char bytes[4];

	for (size_t i = 0; i < shown->draws; i++) {
		for (int b = 0; b < 4; b++)
			bytes[b] = (unsigned char)(shown->drawn[i].id >> 8 * b);
		if (!buffer_add(s->buffer, bytes, sizeof(bytes), err))
			return false;
	}
	return true;
}

static bool
write_piece(const struct sink *s, const struct shown *shown, struct error *err)
{
	uint32_t id = shown->drawn[0].id;
	const char *bytes;
	size_t n;

	if (!pieces_get(s->pieces, id, &bytes, &n))
		return error_set(err, STATUS_FAILED,
		    "row %" PRIu64 ": token %" PRIu32
		    " has no piece: the list of pieces ends with %zu",
		    shown->row->number, id, pieces_count(s->pieces) - 1);
	return pieces_is_silent(s->pieces, id) ||
	    buffer_add(s->buffer, bytes, n, err);
}

bool
sink_write(const struct sink *s, const struct shown *shown, struct error *err)
{
	switch (s->format) {
	case OUTPUT_I32:
		return write_i32(s, shown, err);
	case OUTPUT_TEXT:
		return write_piece(s, shown, err);
	case OUTPUT_JSONL:
		return jsonl_write(s, shown, err);
	case OUTPUT_TABLE:
		return table_write(s, shown, err);
	default:
		return write_line(s, shown, err);
	}
}
