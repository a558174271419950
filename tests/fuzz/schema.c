/* SPDX-License-Identifier: MIT */
/* Any bytes as a JSON Schema: refused with a message, or a grammar. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../../src/constraint/schema.h"

int LLVMFuzzerTestOneInput(const uint8_t *, size_t);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct error err = {0};
	char *grammar;

	grammar = schema_to_gbnf((const char *)data, size, "fuzz", &err);
	if (grammar == NULL && err.text[0] == '\0')
		abort();
	if (grammar != NULL && strstr(grammar, "root ::= s0\n") == NULL)
		abort();
	free(grammar);
	return 0;
}
