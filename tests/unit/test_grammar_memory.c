/* SPDX-License-Identifier: MIT */
/* Where memory runs out in a grammar it is told, and nothing is lost. */
#include "failing.h"
#include "grammars.h"

#include "../../src/constraint/automaton_text.h"

enum { TEXT_ROOM = 16 * 1024, VOCAB = 10, STEPS = 3 };

static const char lines[] = "E\na\nb\nx\n0\n1\n\\xc3\n\\xa9\naxb\nT\n";

/*
 * Texts of grammars, in which something is there n times: what grows does so
 * at another place for each n.
 */

static size_t
many(char *to, size_t n, const char *what)
{
	size_t size = 0;

	to[0] = '\0';
	for (size_t i = 0; i < n; i++)
		size += (size_t)sprintf(to + size, "%s", what);
	return size;
}

/* Its name is looked for once more when there may just be no room for one. */
static size_t
rules(char *to, size_t n)
{
	size_t size = 0;

	for (size_t i = 0; i < n; i++)
		size += (size_t)sprintf(to + size, "n%zu ::= \"a\"\n", i);
	return size + (size_t)sprintf(to + size, "root ::= \"a\" | \"b\"");
}

static size_t
characters(char *to, size_t n)
{
	size_t size = (size_t)sprintf(to, "root ::= \"a");

	size += many(to + size, n, "\u00e9");
	return size + (size_t)sprintf(to + size, "\" | \"b\"");
}

static size_t
classes(char *to, size_t n)
{
	size_t size = (size_t)sprintf(to, "root ::= \"a\" (");

	for (size_t i = 0; i <= n; i++)
		size += (size_t)sprintf(to + size,
		    "%s[a\\u%04zx\\u%04zx\\U%08zx-\\U%08zx]",
		    i > 0 ? " | " : "", 0x80 + i, 0x800 + 65 * i,
		    0x10000 + 70 * i, 0x10003 + 71 * i);
	return size + (size_t)sprintf(to + size, ") \"x\"");
}

/* Many ways at once, by bytes and by tokens, each to a place of its own. */
static size_t
ways(char *to, size_t n)
{
	size_t size = (size_t)sprintf(to, "root ::= \"a\" (\"b\"");

	size += many(to + size, n, " | \"x\" \"0\"");
	size += many(to + size, n, " | <[9]> \"1\"");
	return size + (size_t)sprintf(to + size, " | !<[2]> \"0\")");
}

/* Each begins with the next, so that all lie above each other at once. */
static size_t
depths(char *to, size_t n)
{
	size_t size = (size_t)sprintf(to, "root ::= d0 \"0\"\n");

	for (size_t i = 0; i < n; i++)
		size += (size_t)sprintf(
		    to + size, "d%zu ::= d%zu \"x\"? | \"b\"\n", i, i + 1);
	return size + (size_t)sprintf(to + size, "d%zu ::= \"a\"{1,2}", n);
}

/* Many wait for one, which some come to when it has ended already. */
static size_t
callers(char *to, size_t n)
{
	size_t size = (size_t)sprintf(to, "root ::= p \"0\"");

	size += many(to + size, n, " | p \"1\"");
	size += many(to + size, n, " | (\"0\" | (\"0\" | (\"0\" | p \"x\")))");
	return size +
	    (size_t)sprintf(to + size,
	        "\np ::= e q \"x\"?\nq ::= e \"a\"+ \"b\"?\ne ::= \"\"");
}

/* What is made of a grammar; all that is not NULL is to be given back. */
struct made {
	struct grammar *grammar;
	struct constraint *constraint, *again;
	struct automaton *automaton;
	char *place;
};

static void
unmake(struct made *m)
{
	free(m->place);
	automaton_free(m->automaton);
	constraint_free(m->again);
	constraint_free(m->constraint);
	grammar_free(m->grammar);
}

static bool
make(struct made *m, const char *text, size_t size, const struct pieces *pieces,
    struct error *err)
{
	static const uint32_t ends[] = {0};

	m->grammar = gbnf_parse(text, size, "g", "root", pieces, err);
	if (m->grammar == NULL)
		return false;
	m->constraint = constraint_new(m->grammar, pieces, ends, 1, VOCAB, err);
	if (m->constraint == NULL)
		return false;
	m->again = constraint_new(m->grammar, pieces, ends, 1, VOCAB, err);
	if (m->again == NULL)
		return false;
	m->automaton = automaton_new(m->grammar, err);
	return m->automaton != NULL;
}

/* The last of those allowed, but the end; false if there is none. */
static bool
last_allowed(uint32_t words, uint32_t *id)
{
	for (*id = VOCAB - 1; *id > 0; --*id)
		if (words >> *id & 1)
			return true;
	return false;
}

/*
 * Draw a text, whatever is allowed last.  Each place in it is saved and gone
 * on from, by another that has not asked, and by one that forgets.  What is
 * allowed is told in allowed.
 */
static bool
draw(struct made *m, uint32_t allowed[STEPS], struct error *err)
{
	uint32_t id;

	for (size_t i = 0; i < STEPS; i++) {
		free(m->place);
		m->place = constraint_print(m->constraint, err);
		if (m->place == NULL ||
		    !constraint_ask_all(m->constraint, &allowed[i], err))
			return false;
		if (!last_allowed(allowed[i], &id))
			return true;
		if (!constraint_accept(m->constraint, id, err) ||
		    !constraint_parse(m->again, m->place, err) ||
		    !constraint_accept(m->again, id, err) ||
		    !automaton_parse(m->automaton, m->place, err) ||
		    !automaton_walk(m->automaton, "x", 1, err) ||
		    !automaton_walk(m->automaton, "", 0, err) ||
		    !automaton_accept(m->automaton, 9, err) ||
		    !automaton_forget(m->automaton, err))
			return false;
	}
	return true;
}

/* All of it, where the allocation of that number fails; false if one did. */
static bool
survive(const char *text, size_t size, const struct pieces *pieces, size_t n,
    uint32_t allowed[STEPS])
{
	const size_t live = failing_live;
	struct made m = {0};
	struct error err = {0};
	bool failed, fine;

	memset(allowed, 0, STEPS * sizeof(*allowed));
	failing_in = n;
	fine = make(&m, text, size, pieces, &err) && draw(&m, allowed, &err);
	failed = n != SIZE_MAX && failing_in == SIZE_MAX;
	failing_in = SIZE_MAX;
	unmake(&m);
	if (fine == failed || (failed && strstr(err.text, "memory") == NULL))
		fail_msg("%s\nallocation %zu: '%s'", text, n, err.text);
	assert_int_equal(failing_live, live);
	return !failed;
}

static void
memory_may_run_out_anywhere(void **state)
{
	static size_t (*const writers[])(char *, size_t) = {
	    rules, characters, classes, ways, depths, callers};
	static char text[TEXT_ROOM];
	struct pieces *pieces = pieces_of(lines);
	uint32_t right[STEPS], got[STEPS];
	size_t size, n;

	(void)state;
	for (size_t i = 0; i < LENGTH(writers) * 20; i++) {
		size = writers[i / 20](text, i % 20);
		assert_true(size < TEXT_ROOM);
		assert_true(survive(text, size, pieces, SIZE_MAX, right));
		assert_true(right[0] != 0);
		for (n = 0; !survive(text, size, pieces, n, got); n++)
			;
		assert_true(n > 20);
		assert_memory_equal(got, right, sizeof(right));
	}
	pieces_free(pieces);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(memory_may_run_out_anywhere),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
