/* SPDX-License-Identifier: MIT */
/* Rows out of bytes. */
#include "rows.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pages.h"

/* The buffer takes as many whole rows as fit here, and at least one. */
enum { BUFFER_BYTES = 256 * 1024 };

/* How many vocabulary sizes to suggest where one leaves a partial row. */
enum { SUGGESTIONS = 6 };

/*
 * The buffer's size is a multiple of the row's, so a row never has to be
 * moved: when the end is reached every row in it is whole.
 */
struct rows {
	struct source *source;
	size_t vocab;
	enum dtype dtype;
	size_t row_bytes;
	unsigned char *buffer;
	size_t capacity, start, end;
	float *narrow; /* [vocab] NULL where the buffer can be used as it is */
	struct bf16_row bf16; /* the row handed out last, if it is one */
	double *wide;         /* [vocab] where doubles are wanted, else NULL */
	uint64_t count;       /* rows handed out, and those of earlier runs */
	uint64_t skipped;     /* the count behind the rows passed over, or 0 */
	uint64_t total;       /* bytes read */
};

static bool
allocate(struct rows *r, bool wide)
{
	r->row_bytes = dtype_row_size(r->dtype, r->vocab);
	if (r->row_bytes == 0)
		return false;
	r->capacity = r->row_bytes;
	if (r->row_bytes < BUFFER_BYTES)
		r->capacity = BUFFER_BYTES / r->row_bytes * r->row_bytes;
	r->buffer = pages_new(r->capacity);
	if (wide)
		r->wide = pages_new(r->vocab * sizeof(*r->wide));
	else if (!dtype_is_native(r->dtype))
		r->narrow = pages_new(r->vocab * sizeof(*r->narrow));
	return r->buffer != NULL && (!wide || r->wide != NULL) &&
	    (wide || dtype_is_native(r->dtype) || r->narrow != NULL);
}

struct rows *
rows_new(struct source *source, size_t vocab, enum dtype dtype, bool wide,
    struct error *err)
{
	struct rows *r = calloc(1, sizeof(*r));

	if (r != NULL) {
		r->source = source;
		r->vocab = vocab;
		r->dtype = dtype;
		source_expect(source, vocab, dtype);
		if (allocate(r, wide))
			return r;
		rows_free(r);
	}
	error_system(err, ENOMEM, "a row of %zu values", vocab);
	return NULL;
}

void
rows_free(struct rows *r)
{
	if (r == NULL)
		return;
	free(r->buffer);
	free(r->narrow);
	free(r->wide);
	free(r);
}

void
rows_read_ahead(struct rows *r, size_t threads)
{
	source_read_ahead(r->source, threads, r->row_bytes);
}

void
rows_number_from(struct rows *r, uint64_t earlier)
{
	r->count = earlier;
}

/* There was no row behind those that were passed over. */
static bool
none_behind(const struct rows *r, uint64_t rows, struct error *err)
{
	return error_set(err, STATUS_FAILED,
	    "%s: the input ends after %" PRIu64
	    " rows, before the first of --rows",
	    source_name(r->source), rows);
}

bool
rows_skip(struct rows *r, uint64_t n, struct error *err)
{
	uint64_t left;

	if (n > UINT64_MAX / r->row_bytes)
		n = UINT64_MAX / r->row_bytes;
	if (!source_skip(r->source, n * r->row_bytes, &left, err))
		return false;
	r->count += n;
	r->skipped = r->count;
	r->total += n * r->row_bytes - left;
	if (left == 0)
		return true;
	return none_behind(r, n - 1 - (left - 1) / r->row_bytes, err);
}

/* Insert a divisor into those nearest to vocab (by ratio), nearest first. */
static size_t
keep_nearest(uint64_t *near, size_t n, uint64_t divisor, uint64_t vocab)
{
	double ratio, other;
	size_t i;

	ratio = divisor > vocab ? (double)divisor / (double)vocab
	                        : (double)vocab / (double)divisor;
	for (i = n; i > 0; i--) {
		other = near[i - 1] > vocab
		    ? (double)near[i - 1] / (double)vocab
		    : (double)vocab / (double)near[i - 1];
		if (other <= ratio)
			break;
		if (i < SUGGESTIONS)
			near[i] = near[i - 1];
	}
	if (i < SUGGESTIONS)
		near[i] = divisor;
	return n < SUGGESTIONS ? n + 1 : n;
}

/*
 * The vocabulary sizes nearest to the one given that divide all the values
 * read, as a text to end a message with.  sqrt(values) steps, but no more
 * than there are sizes that a vocabulary may well have.
 */
static void
suggest_sizes(const struct rows *r, char *text, size_t room)
{
	uint64_t values = r->total / dtype_size(r->dtype), near[SUGGESTIONS];
	const uint64_t most_steps = 1 << 20;
	size_t n = 0, used = 0;

	text[0] = '\0';
	if (values == 0 || r->total % dtype_size(r->dtype) != 0)
		return;
	for (uint64_t d = 1; d <= values / d && d <= most_steps; d++) {
		if (values % d != 0)
			continue;
		n = keep_nearest(near, n, d, r->vocab);
		if (d != values / d)
			n = keep_nearest(near, n, values / d, r->vocab);
	}
	for (size_t i = 0; i < n; i++)
		used += (size_t)snprintf(text + used, room - used, "%s%" PRIu64,
		    i == 0 ? "; sizes that divide the input: " : ", ", near[i]);
}

/* The end has come with part of a row in the buffer. */
static enum rows_status
partial_row(const struct rows *r, struct error *err)
{
	char sizes[SUGGESTIONS * 24 + 64];

	suggest_sizes(r, sizes, sizeof(sizes));
	error_set(err, STATUS_FAILED,
	    "%s: row %" PRIu64 " ends after %zu of %zu bytes, at byte %" PRIu64
	    " of all rows: the input is cut off, or --vocab %zu with "
	    "--dtype %s is wrong%s",
	    source_name(r->source), r->count + 1, r->end - r->start,
	    r->row_bytes, r->total, r->vocab, dtype_name(r->dtype), sizes);
	return ROWS_ERROR;
}

/* The end has come behind a row, or behind those passed over. */
static enum rows_status
at_end(const struct rows *r, struct error *err)
{
	if (r->skipped == 0 || r->count > r->skipped)
		return ROWS_END;
	none_behind(r, r->count, err);
	return ROWS_ERROR;
}

/* May values that lie there be used as floats, where they are? */
static bool
is_aligned(const unsigned char *values)
{
	return (uintptr_t)values % _Alignof(float) == 0;
}

/* A row's values, in the width that is wanted; those of bf16 as they are. */
static void
set_values(struct rows *r, const unsigned char *values, struct row *row)
{
	row->wide = r->wide;
	if (r->wide != NULL) {
		dtype_to_double(r->dtype, values, r->vocab, r->wide);
	} else if (r->dtype == DTYPE_BF16) {
		r->bf16 = (struct bf16_row){
		    (const struct bf16 *)values, r->narrow, false};
		row->bf16 = &r->bf16;
	} else if (r->narrow != NULL) {
		dtype_to_float(r->dtype, values, r->vocab, r->narrow);
		row->logits = r->narrow;
	} else if (is_aligned(values)) {
		row->logits = (const float *)(const void *)values;
	} else {
		row->logits = memcpy(r->buffer, values, r->row_bytes);
	}
}

/* A file with a head has come where a raw one left part of a row. */
static bool
begins_inside(const struct rows *r, size_t got)
{
	return r->end > r->start && source_head(r->source)->format != NULL &&
	    source_passed(r->source) == got;
}

static enum rows_status
refuse_inside(const struct rows *r, struct error *err)
{
	error_set(err, STATUS_FAILED,
	    "%s: its rows can not begin inside row %" PRIu64
	    ", which the files before it leave after %zu of %zu bytes",
	    source_name(r->source), r->count + 1, r->end - r->start,
	    r->row_bytes);
	return ROWS_ERROR;
}

/*
 * Have a row in the buffer.  What is read ahead is rather borrowed whole
 * than copied: of that no more is read than this row lacks.
 */
static enum rows_status
fill(struct rows *r, struct error *err)
{
	size_t have, room, got;

	while ((have = r->end - r->start) < r->row_bytes) {
		if (have == 0)
			r->start = r->end = 0;
		room = r->capacity - r->end;
		if (source_lends(r->source))
			room = r->row_bytes - have;
		if (!source_read(
		        r->source, r->buffer + r->end, room, &got, err))
			return ROWS_ERROR;
		if (got == 0)
			return have == 0 ? at_end(r, err) : partial_row(r, err);
		if (begins_inside(r, got))
			return refuse_inside(r, err);
		r->end += got;
		r->total += got;
	}
	return ROWS_ROW;
}

/* What the file has with the row that was just taken, besides its values. */
static void
set_recorded(const struct rows *r, struct row *row)
{
	const struct head *head = source_head(r->source);
	uint64_t passed = source_passed(r->source) - rows_ahead(r);
	uint64_t index = passed / r->row_bytes - 1;

	row->is_recorded = head_recorded(head, index, &row->recorded);
	if (head->steps > 0 && index % head->steps == 0)
		head_context(
		    head, index / head->steps, &row->context, &row->n_context);
}

enum rows_status
rows_next(struct rows *r, struct row *row, struct error *err)
{
	const unsigned char *values = NULL;
	enum rows_status status;

	if (r->start == r->end &&
	    !source_borrow(r->source, r->row_bytes, &values, err))
		return ROWS_ERROR;
	if (values != NULL) {
		r->total += r->row_bytes;
	} else {
		status = fill(r, err);
		if (status != ROWS_ROW)
			return status;
		values = r->buffer + r->start;
		r->start += r->row_bytes;
	}
	*row = (struct row){.number = ++r->count, .size = r->vocab};
	row->step = row->number;
	set_values(r, values, row);
	set_recorded(r, row);
	return ROWS_ROW;
}

size_t
rows_ahead(const struct rows *r)
{
	return r->end - r->start;
}
