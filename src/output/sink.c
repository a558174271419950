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

/* The draws of one setting, - where it has stopped. */
static bool
write_ids(const struct sink *s, const struct shown *shown, char after,
    struct error *err)
{
	const char none[] = {'-', after};

	if (shown->draws == 0)
		return buffer_add(s->buffer, none, sizeof(none), err);
	for (size_t i = 0; i < shown->draws; i++)
		if (!write_decimal(s, shown->drawn[i].id,
		        i + 1 < shown->draws ? ' ' : after, err))
			return false;
	return true;
}

/* One line: the sequence, if there are several, and the ids, blanks between. */
static bool
write_line(const struct sink *s, const struct shown *shown, size_t n,
    struct error *err)
{
	if (s->sequences && !write_decimal(s, shown->row->sequence, ' ', err))
		return false;
	for (size_t i = 0; i < n; i++)
		if (!write_ids(s, &shown[i], i + 1 < n ? ' ' : '\n', err))
			return false;
	return true;
}

/* An object for each setting that has not stopped. */
static bool
write_objects(const struct sink *s, const struct shown *shown, size_t n,
    struct error *err)
{
	for (size_t i = 0; i < n; i++)
		if ((n == 1 || shown[i].draws > 0) &&
		    !jsonl_write(s, &shown[i], i + 1, err))
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
sink_write(const struct sink *s, const struct shown *shown, size_t n,
    struct error *err)
{
	switch (s->format) {
	case OUTPUT_I32:
		return write_i32(s, shown, err);
	case OUTPUT_TEXT:
		return write_piece(s, shown, err);
	case OUTPUT_JSONL:
		return write_objects(s, shown, n, err);
	case OUTPUT_TABLE:
		return table_write(s, shown, err);
	default:
		return write_line(s, shown, n, err);
	}
}
