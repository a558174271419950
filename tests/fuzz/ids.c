/* SPDX-License-Identifier: MIT */
/* Any bytes as recorded ids, and as biases: a list, or a message. */
#include "../../src/cli/lists.h"
#include "file.h"

static void
read_ids(const char *name, size_t size)
{
	struct error err = {0};
	struct ids ids = {0};

	if (!lists_ids_file(name, "--history", &ids, &err) &&
	    err.text[0] == '\0')
		abort();
	if (ids.size > size)
		abort();
	free(ids.list);
}

static void
read_biases(const char *name, size_t size)
{
	struct sampling sampling = {0};
	struct error err = {0};
	char text[40], *list[] = {text};
	struct texts texts = {.list = list, .size = 1};

	snprintf(text, sizeof(text), "@%s", name);
	if (!lists_biases(&texts, &sampling, &err) && err.text[0] == '\0')
		abort();
	if (sampling.n_biases > size)
		abort();
	free(sampling.biases);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *name = fuzz_file(data, size);

	read_ids(name, size);
	read_biases(name, size);
	return 0;
}
