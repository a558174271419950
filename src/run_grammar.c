/* SPDX-License-Identifier: MIT */
/* What the draws have to stay inside: a grammar, by one of three options. */
#include <stdlib.h>
#include <string.h>

#include "constraint/gbnf.h"
#include "input/slurp.h"
#include "run.h"
#include "schema/schema.h"

/* The text of a grammar or schema, and the name that messages have for it. */
struct grammar_text {
	const char *where;
	const char *bytes;
	size_t size;
	char *owned; /* NULL where the bytes are not ours to free */
};

static bool
read_text(const char *option, char *argument, const char *file,
    struct grammar_text *t, struct error *err)
{
	*t = (struct grammar_text){.where = option, .bytes = argument};
	if (file == NULL) {
		t->size = strlen(argument);
		return true;
	}
	t->where = file;
	t->bytes = t->owned = slurp(file, &t->size, err);
	return t->bytes != NULL;
}

static struct grammar *
read_schema(struct options *o, const struct pieces *pieces, struct error *err)
{
	struct grammar *grammar = NULL;
	struct grammar_text schema;
	char *gbnf;

	if (!read_text("--json-schema", o->json_schema,
	        o->json_schema[0] == '@' ? o->json_schema + 1 : NULL, &schema,
	        err))
		return NULL;
	gbnf = schema_to_gbnf(schema.bytes, schema.size, schema.where, err);
	if (gbnf != NULL)
		grammar = gbnf_parse(
		    gbnf, strlen(gbnf), schema.where, "root", pieces, err);
	free(gbnf);
	free(schema.owned);
	return grammar;
}

static struct grammar *
read_grammar(struct options *o, const struct pieces *pieces, struct error *err)
{
	struct grammar *grammar;
	struct grammar_text text;

	if (o->json_schema != NULL)
		return read_schema(o, pieces, err);
	if (!read_text("--grammar", o->grammar, o->grammar_file, &text, err))
		return NULL;
	grammar = gbnf_parse(
	    text.bytes, text.size, text.where, o->grammar_root, pieces, err);
	free(text.owned);
	return grammar;
}

bool
run_open_grammar(struct run *r, struct error *err)
{
	struct options *o = &r->options;

	if (!options_have_grammar(o))
		return true;
	r->grammar = read_grammar(o, r->pieces, err);
	return r->grammar != NULL;
}
