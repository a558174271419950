/* SPDX-License-Identifier: MIT */
/*
 * The head of a file of log-probabilities as llama.cpp's perplexity tool
 * saves them, `_logits_`; tokpick(1).
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../little.h"
#include "head.h"

static const char magic[] = "_logits_";

/* The magic and three numbers of 32 bits. */
enum { MAGIC = 8, FIXED = MAGIC + 12 };

static size_t
tell(const unsigned char *bytes, size_t n)
{
	return memcmp(bytes, magic, n < MAGIC ? n : MAGIC) == 0 ? MAGIC : 0;
}

/* The text, which is there: an id of every token. */
static bool
read_tokens(const unsigned char *from, size_t n, const char *file,
    struct head *h, struct error *err)
{
	uint32_t *tokens = malloc(n > 0 ? n * sizeof(*tokens) : 1);

	if (tokens == NULL)
		return error_system(err, ENOMEM, "%s", file);
	h->recording.tokens = tokens;
	for (size_t i = 0; i < n; i++) {
		tokens[i] = little_32(from + 4 * i);
		if (tokens[i] >= h->vocab)
			return error_set(err, STATUS_FAILED,
			    "%s: byte %zu: token %" PRId32
			    " is none of the vocabulary, 0 to %zu",
			    file, FIXED + 4 * i, (int32_t)tokens[i],
			    h->vocab - 1);
	}
	return true;
}

/*
 * The rows of a chunk predict its second half, but the first token of it:
 * that and the first half are what they are predicted from.
 */
static bool
read_head(const unsigned char *bytes, size_t n, const char *file,
    const struct head_choice *choice, struct head *h, size_t *want,
    struct error *err)
{
	const uint32_t most = INT32_MAX;
	uint32_t length, chunks;
	uint64_t tokens;
	uint64_t shape[3];

	*want = FIXED;
	if (n < FIXED)
		return true;
	length = little_32(bytes + MAGIC);
	chunks = little_32(bytes + MAGIC + 8);
	shape[0] = chunks;
	shape[1] = (uint64_t)length - 1 - length / 2;
	shape[2] = little_32(bytes + MAGIC + 4);
	if (length < 3 || length > most || chunks > most)
		return error_set(err, STATUS_FAILED,
		    "%s: %" PRId32 " chunks of %" PRId32
		    " tokens: chunks of at least 3 are wanted",
		    file, (int32_t)chunks, (int32_t)length);
	tokens = (uint64_t)length * chunks;
	if (tokens > (SIZE_MAX - FIXED) / 4 / 2)
		return error_set(err, STATUS_FAILED,
		    "%s: %" PRIu64 " tokens are more than there is room for",
		    file, tokens);
	*want = FIXED + 4 * (size_t)tokens;
	if (n < *want)
		return true;
	h->start = *want;
	h->closed = true;
	h->dtype = choice->keep_floor ? DTYPE_CODES_KEEP : DTYPE_CODES_MASK;
	h->recording.length = length;
	h->recording.context = length / 2 + 1;
	if (!head_set_shape(h, shape, 3, file, err))
		return false;
	return read_tokens(bytes + FIXED, (size_t)tokens, file, h, err);
}

const struct head_format head_logits = {"logits", tell, read_head};
