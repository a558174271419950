/* SPDX-License-Identifier: MIT */
/* Large, deep and ambiguous grammars: work and memory stay in proportion. */
#include "grammars.h"

/* A text of n times a word; the caller's to free. */
static char *
repeated(const char *word, size_t n)
{
	const size_t length = strlen(word);
	char *text = malloc(n * length + 1);

	assert_non_null(text);
	for (size_t i = 0; i < n; i++)
		memcpy(text + i * length, word, length);
	text[n * length] = '\0';
	return text;
}

static bool
takes(const char *grammar, const char *before, size_t n, const char *after)
{
	char *beginning = repeated(before, n), *end = repeated(after, n);
	struct grammar *g = grammar_of(grammar);
	struct automaton *a = automaton_of(g);
	bool whole = goes_on(a, beginning, strlen(beginning)) &&
	    goes_on(a, end, strlen(end)) && automaton_complete(a, a->at);

	automaton_free(a);
	grammar_free(g);
	free(beginning);
	free(end);
	return whole;
}

static void
ambiguity_costs_no_more_than_what_is_new(void **state)
{
	(void)state;
	assert_true(takes("root ::= (\"a\"?){1000}", "a", 1000, ""));
	assert_false(takes("root ::= (\"a\"?){1000}", "a", 1001, ""));
	assert_true(takes("root ::= ((\"a\"*)*)*", "a", 10000, ""));
	assert_true(takes("root ::= ((\"a\"?){0,20}){0,20}", "a", 400, ""));
	assert_true(takes("root ::= (\"a\" | \"a\")*", "a", 10000, ""));
	assert_true(takes(
	    "root ::= (x | y)*\nx ::= \"a\" | y\ny ::= \"a\"", "a", 10000, ""));
	assert_true(takes("root ::= \"a\" root \"b\" | \"a\" root \"c\" | \"\"",
	    "a", 10000, "b"));
	assert_true(takes("root ::= \"a\" root root | \"\"", "a", 200, ""));
	assert_true(takes("root ::= \"a\" root \"a\" | \"a\"", "a", 1001, ""));
}

/* The states of one text are merged, however many ways lead there. */
static void
equal_states_are_one(void **state)
{
	struct grammar *g = grammar_of("root ::= (\"a\" | \"a\" x)* \"b\"\n"
	                               "x ::= (\"\" | \"\" | (\"\")?)*");
	struct automaton *a = automaton_of(g);
	uint32_t at;

	(void)state;
	assert_true(goes_on(a, "a", 1));
	at = a->at;
	for (int i = 0; i < 100; i++) {
		assert_true(goes_on(a, "a", 1));
		assert_int_equal(a->at, at);
	}
	automaton_free(a);
	grammar_free(g);
}

static void
depth_is_bounded_by_memory_alone(void **state)
{
	(void)state;
	assert_true(
	    takes("root ::= \"[\" root \"]\" | \"\"", "[", 100000, "]"));
	assert_true(takes(
	    "root ::= x\nx ::= \"[\" (x (\",\" x)*)? \"]\"", "[", 100000, "]"));
}

/* Where states are forgotten on the way, the answers stay. */
static void
what_is_forgotten_is_found_again(void **state)
{
	enum { STEPS = 100000 };
	struct grammar *g = grammar_of(
	    "root ::= \"(\" root \")\" | \"[\" root \"]\" | \"\"");
	struct automaton *a = automaton_of(g);
	char *text = malloc(STEPS);
	uint64_t random = 1;

	(void)state;
	assert_non_null(text);
	for (size_t i = 0; i < STEPS; i++) {
		text[i] = "(["[random_below(&random, 2)];
		assert_true(goes_on(a, text + i, 1));
		assert_true(automaton_size(a) < AUTOMATON_ROOM + (1 << 20));
	}
	assert_true(a->forgotten > 0);
	for (size_t i = STEPS; i-- > 0;) {
		assert_false(automaton_complete(a, a->at));
		assert_true(goes_on(a, text[i] == '(' ? ")" : "]", 1));
	}
	assert_true(automaton_complete(a, a->at));
	automaton_free(a);
	grammar_free(g);
	free(text);
}

static void
a_grammar_that_needs_too_much_is_told(void **state)
{
	struct grammar *g = grammar_of("root ::= \"a\" root \"b\" | \"\"");
	struct automaton *a = automaton_of(g);
	struct error err;
	bool fine = true;

	(void)state;
	while (fine) {
		fine = automaton_walk(a, "a", 1, &err);
		a->at = fine ? a->probe : a->at;
		assert_true(automaton_size(a) < AUTOMATON_ROOM + (1 << 20));
	}
	assert_int_equal(err.status, STATUS_FAILED);
	assert_non_null(strstr(err.text, "it needs more than 32 MiB"));
	automaton_free(a);
	grammar_free(g);
}

/* Tokens that have no bytes are accepted without a step. */
static void
what_tokens_alone_need_is_bounded_too(void **state)
{
	struct grammar *g = grammar_of("root ::= <[0]> root <[1]> | \"\"");
	struct automaton *a = automaton_of(g);
	struct error err;
	bool fine = true;

	(void)state;
	while (fine) {
		a->probe = AUTOMATON_DEAD;
		assert_true(automaton_matches_token(a, 0));
		fine = automaton_accept(a, 0, &err);
		assert_true(automaton_size(a) < AUTOMATON_ROOM + (1 << 20));
	}
	assert_true(a->forgotten > 1);
	assert_int_equal(err.status, STATUS_FAILED);
	assert_non_null(strstr(err.text, "it needs more than 32 MiB"));
	automaton_free(a);
	grammar_free(g);
}

/* Each byte pays for the threads it moves; the last may go over. */
static void
a_row_takes_so_many_steps_and_the_next_as_many(void **state)
{
	struct grammar *g = grammar_of("root ::= (\"a\"?){1000}");
	struct automaton *a = automaton_of(g);
	struct error err;

	(void)state;
	assert_int_equal(a->steps, AUTOMATON_STEPS);
	assert_true(goes_on(a, "a", 1));
	assert_in_range(AUTOMATON_STEPS - a->steps, 1000, 10000);
	a->steps = 1;
	assert_true(goes_on(a, "a", 1));
	assert_int_equal(a->steps, 0);
	assert_false(automaton_walk(a, "a", 1, &err));
	assert_int_equal(err.status, STATUS_FAILED);
	assert_non_null(strstr(err.text, "takes more than 268435456 steps"));
	automaton_begin_row(a);
	assert_true(goes_on(a, "a", 1));
	automaton_free(a);
	grammar_free(g);
}

/* All that may come first are looked at in one step. */
static void
a_step_that_needs_too_much_is_told(void **state)
{
	struct grammar *g = grammar_of("root ::= ((\"a\"?){2000}){250}");
	struct error err;

	(void)state;
	assert_null(automaton_new(g, &err));
	assert_int_equal(err.status, STATUS_FAILED);
	assert_non_null(strstr(err.text, "it needs more than 32 MiB"));
	grammar_free(g);
}

/* A grammar of many rules, each of which begins with the next. */
static void
many_rules_are_read_without_recursion(void **state)
{
	enum { RULES = 50000, RULE_ROOM = 32 };
	char *text = malloc(RULES * RULE_ROOM);
	size_t n;
	struct grammar *g;
	struct error err;

	(void)state;
	assert_non_null(text);
	n = (size_t)sprintf(text, "root ::= r0 \"!\"\n");
	for (int i = 0; i < RULES; i++)
		n += (size_t)sprintf(
		    text + n, "r%d ::= r%d \"b\"?\n", i, i + 1);
	n += (size_t)sprintf(text + n, "r%d ::= \"a\"?", RULES);
	g = grammar_of_size(text, n);
	assert_true(matches_size(g, "abb!", 4));
	assert_true(matches_size(g, "!", 1));
	grammar_free(g);
	n += (size_t)sprintf(text + n, " r7");
	assert_null(gbnf_parse(text, n, "g", "root", NULL, &err));
	assert_non_null(strstr(err.text, "left recursion"));
	free(text);
}

static void
groups_have_a_depth_and_a_grammar_a_size(void **state)
{
	char text[2048];
	struct grammar *g;
	struct error err;

	(void)state;
	for (int depth = 200; depth <= 201; depth++) {
		sprintf(text, "root ::= ");
		memset(text + 9, '(', (size_t)depth);
		text[9 + depth] = '.';
		memset(text + 10 + depth, ')', (size_t)depth);
		g = gbnf_parse(
		    text, 10 + 2 * (size_t)depth, "g", "root", NULL, &err);
		assert_int_equal(g != NULL, depth == 200);
		grammar_free(g);
	}
	assert_string_equal(err.text,
	    "g: line 1, column 210: too deep: no more than 200 groups inside "
	    "each other");
	/* Each doubles what is there already. */
	sprintf(text,
	    "root ::= \"a\"{2}{2}{2}{2}{2}{2}{2}{2}{2}{2}{2}{2}{2}{2}"
	    "{2}{2}{2}{2}{2}{2}{2}{2}{2}{2}");
	assert_null(gbnf_parse(text, strlen(text), "g", "root", NULL, &err));
	assert_non_null(strstr(err.text, "too large"));
}

/* What is said of a rule is not lost behind its name. */
static void
long_names_are_cut_in_messages(void **state)
{
	enum { NAME = 5000 };
	char text[NAME + 32];
	struct error err;
	size_t n;

	(void)state;
	n = (size_t)sprintf(text, "root ::= ");
	memset(text + n, 'x', NAME);
	assert_null(gbnf_parse(text, n + NAME, "g", "root", NULL, &err));
	assert_non_null(strstr(err.text, "x\", which is never defined"));
	n = (size_t)sprintf(text, "root ::= <");
	memset(text + n, 'y', NAME);
	text[n + NAME] = '>';
	assert_null(gbnf_parse(text, n + NAME + 1, "g", "root", NULL, &err));
	assert_non_null(strstr(err.text, "y: a token by its text needs"));
}

/* The program stays short, but it would be copied for ever. */
static void
repetitions_of_repetitions_come_to_an_end(void **state)
{
	enum { STARS = 100000 };
	char *text = malloc(STARS + 32);
	struct error err;
	size_t n;

	(void)state;
	assert_non_null(text);
	n = (size_t)sprintf(text, "root ::= \"a\"");
	memset(text + n, '*', STARS);
	assert_null(gbnf_parse(text, n + STARS, "g", "root", NULL, &err));
	assert_non_null(strstr(err.text, "too large"));
	free(text);
}

static void
classes_have_a_bound(void **state)
{
	enum { CLASSES = 40000, CLASS_ROOM = 24 };
	char *text = malloc(CLASSES * CLASS_ROOM);
	struct error err;
	size_t n;

	(void)state;
	assert_non_null(text);
	n = (size_t)sprintf(text, "root ::= ");
	for (unsigned i = 0; i < CLASSES; i++)
		n += (size_t)sprintf(text + n, "[\\U%08x] ", 0x10000 + 20 * i);
	assert_null(gbnf_parse(text, n, "g", "root", NULL, &err));
	assert_non_null(strstr(err.text, "too large: the classes"));
	free(text);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(ambiguity_costs_no_more_than_what_is_new),
	    cmocka_unit_test(equal_states_are_one),
	    cmocka_unit_test(depth_is_bounded_by_memory_alone),
	    cmocka_unit_test(what_is_forgotten_is_found_again),
	    cmocka_unit_test(a_grammar_that_needs_too_much_is_told),
	    cmocka_unit_test(what_tokens_alone_need_is_bounded_too),
	    cmocka_unit_test(a_step_that_needs_too_much_is_told),
	    cmocka_unit_test(a_row_takes_so_many_steps_and_the_next_as_many),
	    cmocka_unit_test(many_rules_are_read_without_recursion),
	    cmocka_unit_test(long_names_are_cut_in_messages),
	    cmocka_unit_test(groups_have_a_depth_and_a_grammar_a_size),
	    cmocka_unit_test(repetitions_of_repetitions_come_to_an_end),
	    cmocka_unit_test(classes_have_a_bound),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
