/* SPDX-License-Identifier: MIT */
/* Any bytes as rows and their masks: some come, or there is an error. */
#include "../../src/input/rows.h"
#include "../../src/constraint/mask.h"
#include "file.h"

/* A few bytes may stand for more rows than there is time for. */
enum { VOCAB = 4, WINDOW_LOG = 20, MOST = 4096 };

/* All that comes; a float is no wider in memory than what it came from. */
static size_t
count_rows(char *name, enum dtype dtype)
{
	struct error err = {0};
	struct source *s = source_new(
	    &name, 1, INPUT_AUTO, WINDOW_LOG, NULL, &err);
	struct rows *r = rows_new(s, VOCAB, dtype, dtype == DTYPE_F64, &err);
	enum rows_status status = ROWS_ROW;
	struct row row;
	size_t n = 0;

	if (s == NULL || r == NULL)
		abort();
	while (n < MOST && (status = rows_next(r, &row, &err)) == ROWS_ROW)
		n++;
	if (status == ROWS_ERROR && err.text[0] == '\0')
		abort();
	rows_free(r);
	source_free(s);
	return n;
}

/* A mask of 4 ids is a word, as a row of 2 bytes each is two. */
static void
check_masks(char *name, size_t n)
{
	struct error err = {0};
	struct mask *m = mask_open(name, VOCAB, WINDOW_LOG, NULL, &err);
	const uint32_t *words;

	if (m == NULL)
		abort();
	for (uint64_t i = 1; i <= 2 * n; i++)
		if (!mask_next(m, i, &words, &err))
			abort();
	mask_close(m);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *name = fuzz_file(data, size);

	count_rows(name, DTYPE_F32);
	count_rows(name, DTYPE_F64);
	check_masks(name, count_rows(name, DTYPE_F16));
	return 0;
}
