/* SPDX-License-Identifier: MIT */
/* Token bitmasks, read in step with the rows. */
#include "mask.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "../little.h"

struct mask {
	char *file;
	struct source *source;
	size_t bytes; /* of one mask */
	unsigned char *buffer;
	uint32_t *words;
};

struct mask *
mask_open(char *file, size_t vocab, int max_window,
    const struct before_read *before, struct error *err)
{
	struct mask *m = calloc(1, sizeof(*m));

	if (m == NULL)
		goto no_memory;
	m->file = file;
	m->bytes = (vocab / 32 + (vocab % 32 > 0)) * sizeof(*m->words);
	m->buffer = malloc(m->bytes);
	m->words = malloc(m->bytes);
	if (m->buffer == NULL || m->words == NULL)
		goto no_memory;
	m->source = source_new(
	    &m->file, 1, INPUT_HEADLESS, max_window, before, err);
	if (m->source != NULL)
		return m;
	mask_close(m);
	return NULL;
no_memory:
	mask_close(m);
	error_system(err, ENOMEM, "--mask: a mask of %zu bits", vocab);
	return NULL;
}

void
mask_close(struct mask *m)
{
	if (m == NULL)
		return;
	source_free(m->source);
	free(m->buffer);
	free(m->words);
	free(m);
}

bool
mask_skip(struct mask *m, uint64_t n, struct error *err)
{
	uint64_t left;

	if (n > UINT64_MAX / m->bytes)
		n = UINT64_MAX / m->bytes;
	return source_skip(m->source, n * m->bytes, &left, err);
}

bool
mask_next(
    struct mask *m, uint64_t row, const uint32_t **words, struct error *err)
{
	size_t have = 0, got;

	while (have < m->bytes) {
		if (!source_read(m->source, m->buffer + have, m->bytes - have,
		        &got, err))
			return false;
		if (got == 0)
			return error_set(err, STATUS_FAILED,
			    "--mask: %s ends after %zu of the %zu bytes of "
			    "the mask for row %" PRIu64
			    ": one mask a row is wanted",
			    m->file, have, m->bytes, row);
		have += got;
	}
	for (size_t i = 0; i < m->bytes / 4; i++)
		m->words[i] = little_32(m->buffer + 4 * i);
	*words = m->words;
	return true;
}
