/* SPDX-License-Identifier: MIT */
/* Fuzz grammars: whatever their text, they are refused or they can be run. */
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../../src/constraint/automaton.h"
#include "../../src/constraint/automaton_text.h"
#include "../../src/constraint/gbnf.h"

int LLVMFuzzerTestOneInput(const uint8_t *, size_t);

/* Where it stands is printed, read, and printed the same. */
static void
come_back(struct automaton *a)
{
	struct error err;
	char *text = automaton_print(a, &err), *again;

	assert(text != NULL && automaton_parse(a, text, &err));
	again = automaton_print(a, &err);
	assert(again != NULL && strcmp(text, again) == 0);
	free(text);
	free(again);
}

static void
run(const struct grammar *g, const char *bytes, size_t n)
{
	struct error err;
	struct automaton *a = automaton_new(g, &err);

	for (size_t i = 0; a != NULL && i < n; i++) {
		if (!automaton_walk(a, bytes + i, 1, &err))
			break;
		if (!automaton_accept(a, (unsigned char)bytes[i], &err))
			break;
		if (i % 16 == 0)
			come_back(a);
	}
	automaton_free(a);
}

/* A grammar, a NUL, and a text that it is run over. */
int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;
	size_t n = strnlen(text, size);
	struct error err;
	struct grammar *g;

	g = gbnf_parse(text, n, "fuzz", "root", NULL, &err);
	if (g != NULL && n < size)
		run(g, text + n + 1, size - n - 1);
	grammar_free(g);
	return 0;
}
