/* SPDX-License-Identifier: MIT */
/* Any bytes as a model file: read, turned into pieces, shown, settings taken.
 */
#include <fcntl.h>

#include "../../src/cli/options.h"
#include "../../src/output/model.h"
#include "../../src/vocab/decode.h"
#include "file.h"

static void
use(const struct gguf *g)
{
	static struct buffer out;
	struct pieces *p;
	struct error err;
	int null = open("/dev/null", O_WRONLY);

	buffer_open(&out, null, "/dev/null");
	if (!model_write(&out, g, "model", &err) || !buffer_close(&out, &err))
		abort();
	for (size_t i = 1; i < g->n_ends; i++)
		if (g->ends[i - 1] >= g->ends[i])
			abort();
	if (gguf_tokens(g) == 0)
		return;
	p = decode_pieces(g, &err);
	if (p == NULL || pieces_count(p) != gguf_tokens(g))
		abort();
	pieces_free(p);
}

/* Under a policy that has all of the settings that a model file may have. */
static void
take_settings(char *file)
{
	static char program[] = "tokpick", policy[] = "--policy=llama.cpp",
	            gguf[] = "--gguf";
	char *words[] = {program, policy, gguf, file, NULL};
	struct error err = {0};
	struct options o;

	message_verbosity(QUIET);
	if (!options_parse(&o, 4, words, &err) && err.text[0] == '\0')
		abort();
	options_free(&o);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct error err;
	char *file = fuzz_file(data, size);
	struct gguf *g = gguf_read(file, &err);

	if (g != NULL) {
		use(g);
		take_settings(file);
	}
	gguf_free(g);
	return 0;
}
