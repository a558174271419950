/* SPDX-License-Identifier: MIT */
/* Any bytes as a JSON Schema: refused with a message, or a good grammar. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../../src/constraint/gbnf.h"
#include "../../src/schema/schema.h"

int LLVMFuzzerTestOneInput(const uint8_t *, size_t);

/* Only its size may be wrong. */
static void
parse(const char *gbnf)
{
	struct error err;
	struct grammar *grammar;

	grammar = gbnf_parse(gbnf, strlen(gbnf), "fuzz", "root", NULL, &err);
	if (grammar == NULL && strstr(err.text, "too large") == NULL)
		abort();
	if (grammar != NULL)
		grammar_free(grammar);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct error err = {0};
	char *gbnf = schema_to_gbnf((const char *)data, size, "fuzz", &err);

	if (gbnf == NULL && err.text[0] == '\0')
		abort();
	if (gbnf != NULL)
		parse(gbnf);
	free(gbnf);
	return 0;
}
