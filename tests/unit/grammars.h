/* SPDX-License-Identifier: MIT */
/* What tests of grammars share. */
#ifndef TOKPICK_TEST_GRAMMARS_H
#define TOKPICK_TEST_GRAMMARS_H

#include "helper.h"

#include "../../src/constraint/automaton.h"
#include "../../src/constraint/constraint.h"
#include "../../src/constraint/gbnf.h"

/* The grammar of a text that is one. */
static inline struct grammar *
grammar_of_size(const char *text, size_t size)
{
	struct error err;
	struct grammar *g = gbnf_parse(text, size, "test", "root", NULL, &err);

	if (g == NULL)
		fail_msg("%.200s: %s", text, err.text);
	return g;
}

static inline struct grammar *
grammar_of(const char *text)
{
	return grammar_of_size(text, strlen(text));
}

static inline struct automaton *
automaton_of(const struct grammar *g)
{
	struct error err;
	struct automaton *a = automaton_new(g, &err);

	if (a == NULL)
		fail_msg("%s", err.text);
	return a;
}

/* Accept bytes; are they a beginning of a text of the grammar? */
static inline bool
goes_on(struct automaton *a, const char *bytes, size_t n)
{
	struct error err;

	if (!automaton_walk(a, bytes, n, &err))
		fail_msg("%s", err.text);
	a->at = a->probe;
	return a->at != AUTOMATON_DEAD;
}

static inline bool
matches_size(const struct grammar *g, const char *text, size_t n)
{
	struct automaton *a = automaton_of(g);
	bool whole = goes_on(a, text, n) && automaton_complete(a, a->at);

	automaton_free(a);
	return whole;
}

/* Is it a text of the grammar? */
static inline bool
matches(const char *grammar, const char *text)
{
	struct grammar *g = grammar_of(grammar);
	bool whole = matches_size(g, text, strlen(text));

	grammar_free(g);
	return whole;
}

/* Pieces out of the text of a file of them. */
static inline struct pieces *
pieces_of(const char *lines)
{
	char path[PATH_ROOM];
	struct error err;
	struct pieces *p;

	make_file(path, lines, strlen(lines));
	p = pieces_read(path, &err);
	unlink(path);
	if (p == NULL)
		fail_msg("%s", err.text);
	return p;
}

#endif
