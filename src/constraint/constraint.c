/* SPDX-License-Identifier: MIT */
/* Which tokens may come next: a grammar, asked in tokens. */
#include "constraint.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "automaton.h"
#include "automaton_text.h"
#include "lexicon.h"

struct constraint {
	struct automaton *automaton;
	const struct pieces *pieces;
	struct lexicon *lexicon; /* made when all ids are asked for first */
	uint32_t *ends;          /* a bit for each id that ends a text */
	size_t vocab;
};

static bool
has_bit(const uint32_t *words, uint32_t id)
{
	return words[id / 32] >> id % 32 & 1;
}

static void
set_bit(uint32_t *words, uint32_t id)
{
	words[id / 32] |= UINT32_C(1) << id % 32;
}

static bool
is_end(const struct constraint *c, uint32_t id)
{
	return id < c->vocab && has_bit(c->ends, id);
}

struct constraint *
constraint_new(const struct grammar *g, const struct pieces *pieces,
    const uint32_t *ends, size_t n_ends, size_t vocab, struct error *err)
{
	struct constraint *c = calloc(1, sizeof(*c));

	if (c == NULL) {
		error_system(err, ENOMEM, "a grammar");
		return NULL;
	}
	c->pieces = pieces;
	c->vocab = vocab;
	c->automaton = automaton_new(g, err);
	if (c->automaton == NULL)
		goto failed;
	c->ends = calloc(vocab / 32 + 1, sizeof(*c->ends));
	if (c->ends == NULL) {
		error_system(err, ENOMEM, "the ends of a text");
		goto failed;
	}
	for (size_t i = 0; i < n_ends; i++)
		if (ends[i] < vocab)
			set_bit(c->ends, ends[i]);
	return c;
failed:
	constraint_free(c);
	return NULL;
}

void
constraint_free(struct constraint *c)
{
	if (c == NULL)
		return;
	automaton_free(c->automaton);
	lexicon_free(c->lexicon);
	free(c->ends);
	free(c);
}

/* Set the automaton's probe to where a piece leads: dead if to nothing. */
static bool
probe(struct constraint *c, const char *bytes, size_t n, struct error *err)
{
	if (n > 0)
		return automaton_walk(c->automaton, bytes, n, err);
	c->automaton->probe = AUTOMATON_DEAD;
	return true;
}

void
constraint_begin_row(struct constraint *c)
{
	automaton_begin_row(c->automaton);
}

bool
constraint_ask(
    struct constraint *c, uint32_t id, bool *allowed, struct error *err)
{
	struct automaton *a = c->automaton;
	const char *bytes;
	size_t n;

	*allowed = false;
	if (is_end(c, id)) {
		*allowed = automaton_complete(a, a->at);
		return true;
	}
	if (id >= c->vocab || !pieces_get(c->pieces, id, &bytes, &n))
		return true;
	*allowed = automaton_matches_token(a, id);
	if (*allowed)
		return true;
	if (!probe(c, bytes, n, err))
		return false;
	*allowed = a->probe != AUTOMATON_DEAD;
	return true;
}

/* Those with a piece, but one id unless it is allowed already. */
static void
ask_others(const struct constraint *c, uint32_t but, uint32_t *words)
{
	const size_t count = pieces_count(c->pieces);

	for (uint32_t id = 0; id < c->vocab && id < count; id++)
		if (id != but)
			set_bit(words, id);
}

/*
 * Those that an instruction of where it stands matches whole.  Two that
 * match all but one token, not the same, match all between them.
 */
static void
ask_tokens(const struct constraint *c, uint32_t *words)
{
	const struct automaton *a = c->automaton;
	const struct instruction *in;
	const uint64_t *threads;
	uint32_t first_but = UINT32_MAX;
	size_t n;

	threads = automaton_threads(a, a->at, &n);
	for (size_t i = 0; i < n; i++) {
		in = &a->grammar->code[thread_place(threads[i])];
		if (in->op == OP_TOKEN && in->a < c->vocab)
			set_bit(words, in->a);
		if (in->op != OP_TOKEN_NOT || in->a == first_but)
			continue;
		ask_others(c, in->a, words);
		if (first_but != UINT32_MAX)
			return;
		first_but = in->a;
	}
}

bool
constraint_ask_all(struct constraint *c, uint32_t *words, struct error *err)
{
	struct automaton *a = c->automaton;
	bool complete;

	if (c->lexicon == NULL)
		c->lexicon = lexicon_new(c->pieces, c->vocab);
	if (c->lexicon == NULL)
		return error_system(err, ENOMEM, "the pieces in order");
	memset(words, 0, (c->vocab + 31) / 32 * sizeof(*words));
	if (!lexicon_ask(c->lexicon, a, words, err))
		return false;
	ask_tokens(c, words);
	complete = automaton_complete(a, a->at);
	for (size_t i = 0; i < (c->vocab + 31) / 32; i++)
		words[i] = complete ? words[i] | c->ends[i]
		                    : words[i] & ~c->ends[i];
	return true;
}

bool
constraint_accept(struct constraint *c, uint32_t id, struct error *err)
{
	struct automaton *a = c->automaton;
	const char *bytes;
	size_t n;

	if (is_end(c, id)) {
		a->at = AUTOMATON_DEAD;
		return true;
	}
	pieces_get(c->pieces, id, &bytes, &n); /* it has one: it is allowed */
	return probe(c, bytes, n, err) && automaton_accept(a, id, err);
}

char *
constraint_print(const struct constraint *c, struct error *err)
{
	return automaton_print(c->automaton, err);
}

bool
constraint_parse(struct constraint *c, const char *text, struct error *err)
{
	return automaton_parse(c->automaton, text, err);
}
