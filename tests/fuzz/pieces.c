/* SPDX-License-Identifier: MIT */
/* Any bytes as a list of pieces: refused with a message, or all are there. */
#include "../../src/vocab/pieces.h"
#include "file.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct error err = {0};
	struct pieces *p = pieces_read(fuzz_file(data, size), &err);
	const char *bytes;
	size_t n, total = 0;

	if (p == NULL && err.text[0] == '\0')
		abort();
	for (uint32_t id = 0; p != NULL && id < pieces_count(p); id++) {
		if (!pieces_get(p, id, &bytes, &n))
			abort();
		total += n;
	}
	if (total > size)
		abort();
	pieces_free(p);
	return 0;
}
