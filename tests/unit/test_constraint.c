/* SPDX-License-Identifier: MIT */
/* Grammars asked in tokens: bytes, whole tokens, ends, and saved places. */
#include "grammars.h"

#include "../../src/fnv.h"

/* A constraint with what it needs. */
struct asked {
	struct grammar *grammar;
	struct pieces *pieces;
	struct constraint *constraint;
	size_t vocab;
};

/* Ids 0 and 1 end a text, if there are so many. */
static struct asked
asked_new(const char *grammar, const char *lines, size_t vocab, size_t n_ends)
{
	static const uint32_t ends[] = {0, 1};
	struct asked q = {.vocab = vocab};
	struct error err;

	q.pieces = pieces_of(lines);
	q.grammar = gbnf_parse(
	    grammar, strlen(grammar), "g", "root", q.pieces, &err);
	if (q.grammar == NULL)
		fail_msg("%s", err.text);
	q.constraint = constraint_new(
	    q.grammar, q.pieces, ends, n_ends, vocab, &err);
	assert_non_null(q.constraint);
	return q;
}

static void
asked_free(struct asked *q)
{
	constraint_free(q->constraint);
	grammar_free(q->grammar);
	pieces_free(q->pieces);
}

/* Are exactly these ids allowed, one by one and all at once? */
static void
check_allowed(struct asked *q, const char *expected)
{
	uint32_t *words = calloc(q->vocab / 32 + 2, sizeof(*words));
	char got[256] = "";
	size_t n = 0;
	struct error err;
	bool allowed;

	/* The words may hold anything, and no more is written. */
	memset(words, 0x5a, (q->vocab / 32 + 2) * sizeof(*words));
	assert_true(constraint_ask_all(q->constraint, words, &err));
	assert_int_equal(words[(q->vocab + 31) / 32], 0x5a5a5a5a);
	for (uint32_t id = 0; id < q->vocab + 3; id++) {
		assert_true(constraint_ask(q->constraint, id, &allowed, &err));
		if (id < q->vocab)
			assert_int_equal(
			    allowed, words[id / 32] >> id % 32 & 1);
		if (allowed)
			n += (size_t)sprintf(got + n, "%u ", id);
	}
	for (size_t id = q->vocab; id % 32 != 0; id++)
		assert_int_equal(words[id / 32] >> id % 32 & 1, 0);
	free(words);
	assert_string_equal(got, expected);
}

static void
accept(struct asked *q, uint32_t id)
{
	struct error err;

	if (!constraint_accept(q->constraint, id, &err))
		fail_msg("%s", err.text);
}

static void
a_token_is_allowed_if_all_its_bytes_may_come(void **state)
{
	struct asked q = asked_new("root ::= \"ab\" [0-9]+",
	    "E\nF\na\nab\nb\nabc\nab1\n1\n12\n1a\n", 10, 1);

	(void)state;
	check_allowed(&q, "2 3 6 ");
	accept(&q, 2);
	check_allowed(&q, "4 ");
	accept(&q, 4);
	check_allowed(&q, "7 8 ");
	accept(&q, 8);
	check_allowed(&q, "0 7 8 ");
	asked_free(&q);
}

/* Although their bytes could come. */
static void
ends_are_allowed_where_a_text_may_end_and_nowhere_else(void **state)
{
	struct asked q = asked_new("root ::= \"a\"*", "a\n</s>\na\naa\n", 4, 2);

	(void)state;
	check_allowed(&q, "0 1 2 3 ");
	accept(&q, 3);
	check_allowed(&q, "0 1 2 3 ");
	accept(&q, 1);
	check_allowed(&q, "");
	asked_free(&q);
	q = asked_new("root ::= \"a\" \"b\"", "a\n</s>\na\nb\n", 4, 2);
	check_allowed(&q, "2 ");
	accept(&q, 2);
	check_allowed(&q, "3 ");
	accept(&q, 3);
	check_allowed(&q, "0 1 ");
	asked_free(&q);
}

static void
ids_without_a_piece_are_never_allowed(void **state)
{
	/* Id 1 has an empty piece, 3 and 4 have none; the last row is short. */
	struct asked q = asked_new("root ::= .*", "a\n\nb\n", 5, 0);

	(void)state;
	check_allowed(&q, "0 2 ");
	asked_free(&q);
	/* A vocabulary that is smaller than the list of pieces. */
	q = asked_new("root ::= .*", "a\nb\nc\nd\n", 2, 0);
	check_allowed(&q, "0 1 ");
	asked_free(&q);
	q = asked_new("root ::= <[3]> | \"b\"", "a\nb\nc\nd\n", 2, 0);
	check_allowed(&q, "1 ");
	asked_free(&q);
	/* Nor are ends that rows don't have. */
	q = asked_new("root ::= .*", "a\nb\nc\nd\n", 1, 2);
	check_allowed(&q, "0 ");
	asked_free(&q);
	q = asked_new("root ::= (!<[0]>)*", "a\n\nb\n", 5, 0);
	check_allowed(&q, "1 2 ");
	asked_free(&q);
}

static void
a_character_may_be_cut_between_tokens(void **state)
{
	struct asked q = asked_new("root ::= [\u00e9\u65e5]+ \"!\"",
	    "\\xc3\n\\xa9\n\\xa9!\n\\xe6\n\\x97\n\\xa5\n\\xc4\n\\x97\\xa5!\n!"
	    "\n",
	    9, 0);

	(void)state;
	check_allowed(&q, "0 3 ");
	accept(&q, 0);
	check_allowed(&q, "1 2 ");
	accept(&q, 1);
	check_allowed(&q, "0 3 8 ");
	accept(&q, 3);
	check_allowed(&q, "4 7 ");
	accept(&q, 4);
	check_allowed(&q, "5 ");
	accept(&q, 5);
	check_allowed(&q, "0 3 8 ");
	asked_free(&q);
}

static void
whole_tokens_match_at_their_boundaries_only(void **state)
{
	struct asked q = asked_new("root ::= <[2]> \"a\"+ <think> \"b\"",
	    "E\nF\nxx\na\n<think>\n<\naa\nab\nb\n", 9, 1);

	(void)state;
	/* Not by its bytes, and no other token in its place. */
	check_allowed(&q, "2 ");
	accept(&q, 2);
	check_allowed(&q, "3 6 ");
	accept(&q, 6);
	check_allowed(&q, "3 4 6 ");
	accept(&q, 4);
	check_allowed(&q, "8 ");
	accept(&q, 8);
	check_allowed(&q, "0 ");
	asked_free(&q);
}

static void
any_token_but_one(void **state)
{
	struct asked q = asked_new(
	    "root ::= (!<[2]>)* <[2]> \"c\"", "E\nF\na\nb\nc\n", 5, 1);

	(void)state;
	/* Token 2 is allowed since it may come next, too. */
	check_allowed(&q, "1 2 3 4 ");
	accept(&q, 3);
	check_allowed(&q, "1 2 3 4 ");
	accept(&q, 2);
	check_allowed(&q, "4 ");
	asked_free(&q);
	q = asked_new(
	    "root ::= !<[2]> \"c\" | !<[3]> \"b\"", "E\nF\na\nb\nc\n", 5, 1);
	check_allowed(&q, "1 2 3 4 ");
	accept(&q, 3);
	check_allowed(&q, "4 ");
	asked_free(&q);
	/* Twice the same one is still out, until it is in. */
	q = asked_new(
	    "root ::= !<[2]> \"c\" | !<[2]> \"b\"", "E\nF\na\nb\nc\n", 5, 1);
	check_allowed(&q, "1 3 4 ");
	accept(&q, 1);
	check_allowed(&q, "3 4 ");
	asked_free(&q);
	q = asked_new("root ::= !<[2]> \"c\" | !<[2]> \"b\" | !<[3]> \"b\"",
	    "E\nF\na\nb\nc\n", 5, 1);
	check_allowed(&q, "1 2 3 4 ");
	asked_free(&q);
}

/* A token that is matched whole and by its bytes goes both ways. */
static void
a_token_may_match_in_two_ways(void **state)
{
	struct asked q = asked_new(
	    "root ::= <[2]> \"x\" | \"a\" \"y\" | \"ab\"", "E\nF\na\nb\nx\ny\n",
	    6, 1);

	(void)state;
	check_allowed(&q, "2 ");
	accept(&q, 2);
	check_allowed(&q, "3 4 5 ");
	accept(&q, 4);
	check_allowed(&q, "0 ");
	asked_free(&q);
	/* Of which one may end the text. */
	q = asked_new(
	    "root ::= <[2]> \"x\" | \"a\"", "E\nF\na\nb\nx\ny\n", 6, 1);
	accept(&q, 2);
	check_allowed(&q, "0 4 ");
	accept(&q, 4);
	check_allowed(&q, "0 ");
	asked_free(&q);
}

/*
 * More states than there is room for are met while all are asked, so some are
 * forgotten on the way.
 */
static void
asking_of_all_outlives_what_is_forgotten(void **state)
{
	enum { LENGTH_EACH = 16, COUNT = 1 << LENGTH_EACH };
	char *lines = malloc(COUNT * (LENGTH_EACH + 1) + 1), *to = lines;
	uint32_t *words = calloc(COUNT / 32, sizeof(*words));
	struct asked q;
	struct error err;
	bool good;

	(void)state;
	assert_true(lines != NULL && words != NULL);
	for (uint32_t id = 0; id < COUNT; id++) {
		for (uint32_t i = 0; i < LENGTH_EACH; i++)
			*to++ = "(["[id >> i & 1];
		/* Some are wrong at their end, and some at once. */
		to[-1] = id % 3 == 0 ? 'x' : to[-1];
		to[-LENGTH_EACH] = id % 7 == 0 ? 'x' : to[-LENGTH_EACH];
		*to++ = '\n';
	}
	*to = '\0';
	q = asked_new("root ::= \"(\" root \")\" | \"[\" root \"]\" | \"\"",
	    lines, COUNT, 0);
	for (int round = 0; round < 2; round++) {
		assert_true(constraint_ask_all(q.constraint, words, &err));
		for (uint32_t id = 0; id < COUNT; id++) {
			good = id % 3 != 0 && id % 7 != 0;
			assert_int_equal(words[id / 32] >> id % 32 & 1, good);
		}
		accept(&q, 1);
	}
	asked_free(&q);
	free(words);
	free(lines);
}

static const char tower[] = "root ::= \"[\" (root (\",\" root)*)? \"]\" | "
                            "[\u65e5x]+ | <[9]>";
static const char tower_pieces[] =
    "E\nF\n[\n]\n,\nx\n\\xe6\n\\x97\n\\xa5\nT\n[[\n]]\n";

enum { TOWER = 12 };

/* One of those allowed, by chance; false if none is. */
static bool
draw(struct asked *q, uint64_t *random, uint32_t *id)
{
	uint32_t words[1], ids[32];
	struct error err;
	size_t n = 0;

	assert_true(constraint_ask_all(q->constraint, words, &err));
	for (*id = 0; *id < TOWER; ++*id)
		if (words[0] >> *id & 1)
			ids[n++] = *id;
	*id = n > 0 ? ids[random_below(random, n)] : 0;
	return n > 0;
}

static void
a_saved_place_is_found_again(void **state)
{
	struct asked q, again;
	uint64_t random = 1;
	struct error err;
	char *text, *second;
	uint32_t id;

	(void)state;
	for (size_t i = 0; i < 50; i++) {
		q = asked_new(tower, tower_pieces, TOWER, 1);
		again = asked_new(tower, tower_pieces, TOWER, 1);
		for (size_t j = 0; j < 20; j++) {
			text = constraint_print(q.constraint, &err);
			assert_non_null(text);
			for (const char *c = text; *c != '\0'; c++)
				assert_true(*c > ' ' && *c < 0x7f);
			if (!constraint_parse(again.constraint, text, &err))
				fail_msg("%s: %s", text, err.text);
			second = constraint_print(again.constraint, &err);
			assert_string_equal(text, second);
			free(second);
			free(text);
			if (!draw(&q, &random, &id))
				break;
			/* The one that came back draws the same. */
			for (uint32_t k = 0; k < TOWER; k++) {
				bool one, other;

				constraint_ask(q.constraint, k, &one, &err);
				constraint_ask(
				    again.constraint, k, &other, &err);
				assert_int_equal(one, other);
			}
			accept(&q, id);
		}
		asked_free(&q);
		asked_free(&again);
	}
}

/* Inside q, which two rules wait for, and behind which either may go on. */
static void
a_saved_place_may_have_several_ways_back(void **state)
{
	static const char grammar[] =
	    "root ::= p \"1\" | p \"2\"\np ::= q \"x\"\nq ::= \"a\" \"b\"";
	static const char lines[] = "E\na\nb\nx\n1\n2\n";
	struct asked q = asked_new(grammar, lines, 6, 1), again;
	struct error err;
	char *text, *second;

	(void)state;
	accept(&q, 1);
	text = constraint_print(q.constraint, &err);
	assert_non_null(text);
	again = asked_new(grammar, lines, 6, 1);
	if (!constraint_parse(again.constraint, text, &err))
		fail_msg("%s: %s", text, err.text);
	second = constraint_print(again.constraint, &err);
	assert_string_equal(text, second);
	check_allowed(&again, "2 ");
	accept(&again, 2);
	check_allowed(&again, "3 ");
	accept(&again, 3);
	check_allowed(&again, "4 5 ");
	free(second);
	free(text);
	asked_free(&again);
	asked_free(&q);
}

static void
a_place_in_another_grammar_is_refused(void **state)
{
	struct asked q = asked_new(tower, tower_pieces, TOWER, 1), other;
	struct error err;
	char *text = constraint_print(q.constraint, &err);

	(void)state;
	other = asked_new("root ::= \"a\"", tower_pieces, TOWER, 1);
	assert_false(constraint_parse(other.constraint, text, &err));
	assert_string_equal(err.text,
	    "the state is one inside another grammar: "
	    "give the one that it was saved in");
	check_allowed(&other, "");
	free(text);
	asked_free(&q);
	asked_free(&other);
}

/* With a hash that is right, so that what is behind it is looked at. */
static void
sign(char *text)
{
	char *last = strrchr(text, ':');

	if (last != NULL)
		sprintf(last + 1, "%llx.",
		    (unsigned long long)fnv_bytes(
		        FNV_BEGIN, text, (size_t)(last + 1 - text)));
}

/*
 * Whatever the text, it is refused or it is a place: asking there, and
 * printing it, touch nothing that is not theirs.
 */
static void
a_damaged_place_does_no_harm(void **state)
{
	static const char bytes[] = "0123456789abcdef,;:.";
	struct asked q = asked_new(tower, tower_pieces, TOWER, 1);
	uint64_t random = 1;
	struct error err;
	char *text, *damaged, *second;
	uint32_t words[1], id;
	size_t n, taken = 0;

	(void)state;
	for (size_t i = 0; i < scaled(4000); i++) {
		if (!one_in(&random, 8) && draw(&q, &random, &id))
			accept(&q, id);
		text = constraint_print(q.constraint, &err);
		n = strlen(text);
		damaged = malloc(n + 32);
		strcpy(damaged, text);
		for (size_t j = random_below(&random, 3); j < 3; j++)
			damaged[random_below(&random, n)] =
			    bytes[random_below(&random, sizeof(bytes))];
		if (!one_in(&random, 4))
			sign(damaged);
		if (constraint_parse(q.constraint, damaged, &err)) {
			assert_true(
			    constraint_ask_all(q.constraint, words, &err));
			second = constraint_print(q.constraint, &err);
			assert_non_null(second);
			free(second);
			taken++;
		}
		if (!constraint_parse(q.constraint, text, &err) ||
		    one_in(&random, 20)) {
			asked_free(&q);
			q = asked_new(tower, tower_pieces, TOWER, 1);
		}
		free(damaged);
		free(text);
	}
	assert_true(taken > 0);
	asked_free(&q);
}

/* The first place with this kind of instruction. */
static unsigned
place_of(const struct grammar *g, enum op op)
{
	unsigned place = 0;

	while (g->code[place].op != op)
		place++;
	return place;
}

/* What the hash does not tell: each breaks one rule of what is printed. */
static void
a_place_that_no_step_could_make_is_refused(void **state)
{
	struct asked q = asked_new(tower, tower_pieces, TOWER, 1);
	const unsigned byte = place_of(q.grammar, OP_BYTE),
	               class = place_of(q.grammar, OP_CLASS),
	               end = place_of(q.grammar, OP_END);
	struct error err;
	char *printed = constraint_print(q.constraint, &err), text[256];
	const int hash = (int)strcspn(printed, ":");
	const struct {
		const char *body; /* b, c and e are the places */
		bool fine;
	} bodies[] = {
	    {":0:0:0:", true},
	    {":1:1,0;2,0,1;0:b,0,0;b,0,2;c,2,1;0:", true},
	    {":2:0:0:", false},
	    {"::0:0:", false},
	    {":0:0:", false},
	    {":0:0:0:0:", false},
	    {":0:1:0:", false},
	    {":0:0:1:", false},
	    {":0:1,1;0:0:", false},
	    {":0:1,2;1,0;0:0:", false},
	    {":0:1,;0:0:", false},
	    {":0:1;0:0:", false},
	    {":0:1,0,0;0:0:", false},
	    {":0:1,0;2,1,0;0:0:", false},
	    {":0:1,0;1,0;0:0:", false},
	    {":0:fffff,0;0:0:", false},
	    {":0:0:b,0,1;0:", false},
	    {":0:0:b,0,0:", false},
	    {":0:0:b,0;0:", false},
	    {":0:0:b,2,0;0:", false},
	    {":0:0:c,1,0;0:", false},
	    {":0:0:c,ffff,0;0:", false},
	    {":0:0:e,0,0;0:", false},
	    {":0:0:fffff,0,0;0:", false},
	    {":0:0:b,0,0;b,0,0;0:", false},
	    {":0:0:c,2,0;b,0,0;0:", false},
	    {":0:0:b,00000000000000000,0;0:", false},
	};
	bool taken;

	(void)state;
	for (size_t i = 0; i < LENGTH(bodies); i++) {
		int n = sprintf(text, "%.*s", hash, printed);

		for (const char *c = bodies[i].body; *c != '\0'; c++)
			if (*c == 'b' || *c == 'c' || *c == 'e')
				n += sprintf(text + n, "%x",
				    *c == 'b'       ? byte
				        : *c == 'c' ? class
				                    : end);
			else
				n += sprintf(text + n, "%c", *c);
		sign(text);
		taken = constraint_parse(q.constraint, text, &err);
		if (taken != bodies[i].fine)
			fail_msg("%s: %d", bodies[i].body, taken);
	}
	free(printed);
	asked_free(&q);
}

static void
a_place_that_was_not_printed_is_damaged(void **state)
{
	static const char *const wrong[] = {"", ":", ".", "0:1:0:0:0.", "x"};
	struct asked q = asked_new(tower, tower_pieces, TOWER, 1);
	struct error err;
	char *text = constraint_print(q.constraint, &err);

	(void)state;
	for (size_t i = 0; i < LENGTH(wrong); i++) {
		assert_false(constraint_parse(q.constraint, wrong[i], &err));
		assert_string_equal(
		    err.text, "where the grammar stands is damaged");
	}
	for (size_t n = strlen(text); n > 0; n--) {
		text[n - 1] = '\0';
		assert_false(constraint_parse(q.constraint, text, &err));
	}
	check_allowed(&q, "2 5 6 9 10 ");
	free(text);
	asked_free(&q);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_token_is_allowed_if_all_its_bytes_may_come),
	    cmocka_unit_test(
	        ends_are_allowed_where_a_text_may_end_and_nowhere_else),
	    cmocka_unit_test(ids_without_a_piece_are_never_allowed),
	    cmocka_unit_test(a_character_may_be_cut_between_tokens),
	    cmocka_unit_test(whole_tokens_match_at_their_boundaries_only),
	    cmocka_unit_test(any_token_but_one),
	    cmocka_unit_test(a_token_may_match_in_two_ways),
	    cmocka_unit_test(asking_of_all_outlives_what_is_forgotten),
	    cmocka_unit_test(a_saved_place_is_found_again),
	    cmocka_unit_test(a_saved_place_may_have_several_ways_back),
	    cmocka_unit_test(a_place_in_another_grammar_is_refused),
	    cmocka_unit_test(a_damaged_place_does_no_harm),
	    cmocka_unit_test(a_place_that_no_step_could_make_is_refused),
	    cmocka_unit_test(a_place_that_was_not_printed_is_damaged),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
