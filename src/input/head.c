/* SPDX-License-Identifier: MIT */
/* What a file says of its rows before the first of them. */
#include "head.h"

#include <inttypes.h>
#include <stdlib.h>

/* The last one is told by the fewest bits. */
static const struct head_format *const formats[] = {
    &head_npy, &head_logits, &head_safetensors};

const struct head_format *
head_tell(const unsigned char *bytes, size_t n, size_t *want)
{
	size_t needs;

	*want = n;
	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
		needs = formats[i]->tell(bytes, n);
		if (needs > 0 && needs <= n)
			return formats[i];
		if (needs > *want)
			*want = needs;
	}
	return NULL;
}

void
head_free(struct head *h)
{
	free(h->recording.tokens);
	*h = (struct head){0};
}

/* *a times b, if that can be counted. */
static bool
multiply(uint64_t *a, uint64_t b)
{
	if (b != 0 && *a > UINT64_MAX / b)
		return false;
	*a *= b;
	return true;
}

bool
head_set_shape(struct head *h, const uint64_t *shape, size_t n,
    const char *file, struct error *err)
{
	uint64_t vocab;

	if (n < 1 || n > 3)
		return error_set(err, STATUS_FAILED,
		    "%s: the array has %zu dimensions: wanted are [rows, "
		    "vocabulary], [sequences, rows, vocabulary] or one row",
		    file, n);
	vocab = shape[n - 1];
	if (vocab < 1 || vocab > INT32_MAX)
		return error_set(err, STATUS_FAILED,
		    "%s: rows of %" PRIu64 " values: 1 to %" PRId32
		    " are wanted",
		    file, vocab, INT32_MAX);
	h->vocab = (size_t)vocab;
	h->row_size = dtype_row_size(h->dtype, h->vocab);
	h->rows = n > 1 ? shape[n - 2] : 1;
	h->steps = n > 2 ? h->rows : 0;
	if (n > 2 && !multiply(&h->rows, shape[0]))
		h->row_size = 0;
	h->size = h->rows;
	if (h->row_size == 0 || !multiply(&h->size, h->row_size) ||
	    h->size > INT64_MAX - h->start)
		return error_set(err, STATUS_FAILED,
		    "%s: the array is larger than any file", file);
	return true;
}

bool
head_recorded(const struct head *h, uint64_t row, uint32_t *id)
{
	const struct recording *r = &h->recording;

	if (r->tokens == NULL || row >= h->rows)
		return false;
	*id =
	    r->tokens[row / h->steps * r->length + r->context + row % h->steps];
	return true;
}

bool
head_context(
    const struct head *h, uint64_t sequence, const uint32_t **tokens, size_t *n)
{
	const struct recording *r = &h->recording;

	if (r->tokens == NULL || sequence >= h->rows / h->steps)
		return false;
	*tokens = r->tokens + sequence * r->length;
	*n = r->context;
	return true;
}
