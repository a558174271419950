/* SPDX-License-Identifier: MIT */
/* Random grammars: what may come next, and when a text is whole. */
#include "plain_grammar.h"

enum { BYTES_MAX = 12, TEXTS = 20 };

/* Mostly whole letters; a byte that none begins with now and then. */
static size_t
add_letter(uint64_t *random, char *to)
{
	const char *letter =
	    plain_letters[random_below(random, LENGTH(plain_letters))];

	if (one_in(random, 40))
		letter = "\x80";
	memcpy(to, letter, strlen(letter));
	return strlen(letter);
}

/* Bytes that go on for long: a few letters are tried each time. */
static size_t
random_text(const struct grammar *grammar, uint64_t *random, char *text)
{
	struct automaton *a = automaton_of(grammar);
	size_t n = 0, more = 0;
	struct error err;

	while (n + 4 <= BYTES_MAX) {
		for (int i = 0; i < 6; i++) {
			more = add_letter(random, text + n);
			assert_true(automaton_walk(a, text + n, more, &err));
			if (a->probe != AUTOMATON_DEAD)
				break;
		}
		a->at = a->probe;
		n += more;
	}
	automaton_free(a);
	return n;
}

/* Returns how many places were compared. */
static size_t
compare(const struct plain_grammar *plain, const struct grammar *grammar,
    const char *text, size_t n)
{
	struct automaton *a = automaton_of(grammar);
	bool alive, complete, goes;
	size_t i;

	for (i = 0; i <= n; i++) {
		goes = i == 0 ? a->at != AUTOMATON_DEAD
		              : goes_on(a, text + i - 1, 1);
		if (!plain_match(plain, text, i, &alive, &complete))
			break;
		if (goes != alive || automaton_complete(a, a->at) != complete)
			fail_msg("%sat %zu of %.*s: %d %d, not %d %d",
			    plain->text, i, (int)n, text, goes,
			    automaton_complete(a, a->at), alive, complete);
		if (!alive)
			break;
	}
	automaton_free(a);
	return i;
}

static void
every_way_is_followed_and_no_other(void **state)
{
	static struct plain_grammar plain;
	uint64_t random = 1;
	size_t places = 0, grammars = scaled(3000), n;
	char text[BYTES_MAX + 4];
	struct grammar *g;
	struct error err;

	(void)state;
	for (size_t i = 0; i < grammars; i++) {
		plain_new(&plain, &random);
		g = gbnf_parse(plain.text, plain.size, "g", "r0", NULL, &err);
		if (g == NULL && strstr(err.text, "left recursion") == NULL &&
		    strstr(err.text, "nothing in front") == NULL)
			fail_msg("%s%s", plain.text, err.text);
		for (size_t j = 0; g != NULL && j < TEXTS; j++) {
			n = random_text(g, &random, text);
			places += compare(&plain, g, text, n);
		}
		grammar_free(g);
	}
	print_message("%zu places compared\n", places);
	assert_true(places > 10 * grammars);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(every_way_is_followed_and_no_other),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
