/* SPDX-License-Identifier: MIT */
/* Any bytes as a file of rows: what its head tells, and all there is to read.
 */
#include "../../src/input/source.h"
#include "file.h"

/* What nobody has to check any more. */
static void
check(const struct head *h)
{
	const uint32_t *tokens;
	uint32_t id;
	size_t n;

	if (h->format == NULL)
		return;
	if (h->vocab == 0 || h->row_size < h->vocab ||
	    h->rows > UINT64_MAX / h->row_size ||
	    h->size != h->rows * h->row_size || h->size + h->start > INT64_MAX)
		abort();
	if (h->recording.tokens == NULL || h->rows == 0)
		return;
	if (!head_recorded(h, h->rows - 1, &id) || id >= h->vocab ||
	    !head_context(h, h->rows / h->steps - 1, &tokens, &n))
		abort();
	for (size_t i = 0; i < n; i++)
		if (tokens[i] >= h->vocab)
			abort();
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct head_choice choices[] = {
	    {0}, {.bf16 = true, .tensor = "second", .keep_floor = true}};
	struct error err;
	struct source *s;
	char *names[] = {fuzz_file(data, size)};
	uint64_t left;

	for (size_t i = 0; i < 2; i++) {
		s = source_new(names, 1, INPUT_AUTO, 20, NULL, &err);
		if (s == NULL)
			abort();
		source_choose(s, &choices[i]);
		err.text[0] = '\0';
		if (source_open(s, &err)) {
			check(source_head(s));
			if (!source_skip(s, UINT64_MAX, &left, &err) &&
			    err.text[0] == '\0')
				abort();
		} else if (err.text[0] == '\0') {
			abort();
		}
		source_free(s);
	}
	return 0;
}
