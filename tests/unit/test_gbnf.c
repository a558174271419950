/* SPDX-License-Identifier: MIT */
/* GBNF: what it means, what is refused, and where the message points. */
#include "grammars.h"

/*
 * The text of a JSON string from behind its quote, of which the list needs
 * four escapes; returns its length.
 */
static size_t
unquote(const char *from, char *text)
{
	static const char letters[] = "nr\"\\", meant[] = "\n\r\"\\";
	size_t n = 0;

	while (*from != '"') {
		if (*from == '\\') {
			text[n++] = meant[strchr(letters, from[1]) - letters];
			from += 2;
		} else {
			text[n++] = *from++;
		}
	}
	text[n] = '\0';
	return n;
}

/* What golem's parser says, but for what is accepted here besides. */
static void
the_verdict_is_golems(void **state)
{
	static const char *const accepted_here[] = {
	    "root ::= \"a\"{2000}", "root ::= <[3]>", "root ::= !<[3]>"};
	FILE *file = open_vectors("constrained/gbnf-parse.tsv");
	char line[512], text[512];
	struct grammar *g;
	struct error err;
	size_t n, rows = 0;
	bool accept;

	(void)state;
	for (; fgets(line, sizeof(line), file) != NULL; rows++) {
		n = unquote(line + 1, text);
		accept = strstr(line, "\tok\n") != NULL;
		for (size_t i = 0; i < LENGTH(accepted_here); i++)
			accept |= strcmp(text, accepted_here[i]) == 0;
		g = gbnf_parse(text, n, "g", "root", NULL, &err);
		if ((g != NULL) != accept)
			fail_msg("%s: %s", line, g == NULL ? err.text : "ok");
		grammar_free(g);
	}
	fclose(file);
	assert_int_equal(rows, 52);
}

static const struct {
	const char *text, *message;
} refused[] = {
    {"", "g: no rule named 'root', where matching begins"},
    {"root := \"a\"", "g: line 1, column 6: expecting ::="},
    {"root_x ::= \"a\"", "g: line 1, column 5: expecting ::="},
    {"root ::= \"a\"\n  \"b\"",
        "g: line 2, column 3: expecting the name of a rule"},
    {"root ::= \"a\"\r\n | \"b\"",
        "g: line 2, column 2: expecting the name of a rule"},
    {"root ::= \"a",
        "g: line 1, column 12: a literal that is never closed: "
        "expecting \""},
    {"root ::= [a",
        "g: line 1, column 12: a class that is never closed: "
        "expecting ]"},
    {"root ::= [a-", "g: line 1, column 13: a range with no upper end"},
    {"root ::= [a-\\q]", "g: line 1, column 13: a backslash begins none of"},
    {"root ::= [z-a]",
        "g: line 1, column 11: a range from high to low, "
        "which holds nothing"},
    {"root ::= *",
        "g: line 1, column 10: a repetition with nothing in front of it"},
    {"root ::= \"\"*",
        "g: line 1, column 12: a repetition with nothing in front of it"},
    {"root ::= (\"a\" | +)",
        "g: line 1, column 17: a repetition with nothing in front of it"},
    {"root ::= \"a\"{,2}", "g: line 1, column 14: expecting a number"},
    {"root ::= \"a\"{2", "g: line 1, column 15: expecting }"},
    {"root ::= \"a\"{2,3", "g: line 1, column 17: expecting }"},
    {"root ::= \"a\"{3,2}",
        "g: line 1, column 13: at least 3 repetitions and at most 2: "
        "expecting the smaller bound first"},
    {"root ::= \"a\"{2001}",
        "g: line 1, column 14: too many repetitions: "
        "a bound may be 2000 at most"},
    {"root ::= \"a\"{1,4294967295}",
        "g: line 1, column 16: too many repetitions: "
        "a bound may be 2000 at most"},
    {"root ::= \"a\"{18446744073709551617}",
        "g: line 1, column 14: too many repetitions: "
        "a bound may be 2000 at most"},
    {"root ::= (\"a\"{2000}){2000}",
        "g: line 1, column 21: too large: with its repetitions written out, "
        "a grammar may have 1048576 steps"},
    {"root ::= \"a\"\nb ::= x missing\nx ::=",
        "g: line 2, column 9: rule \"b\" refers to \"missing\", which is never "
        "defined"},
    {"root ::= (\"a\"\n\"b\" x ::=",
        "g: line 2, column 7: expecting ) for the group of line 1, column 10"},
    /* Lines end as in any system. */
    {"root ::= \"a\"\r;", "g: line 2, column 1: expecting the name of a rule"},
    {"root ::= \"a\"\r\n\n\r;",
        "g: line 4, column 1: expecting the name of a rule"},
    {"root ::= (\"a\"\r",
        "g: line 2, column 1: expecting ) for the group of line 1, column 10"},
    {"root ::= (\"a\"",
        "g: line 1, column 14: expecting ) for the group of line 1, column 10"},
    {"root ::= \"a\")",
        "g: line 1, column 13: expecting a newline or the end of the grammar"},
    {"root ::= \"é\" \"ü\" ;",
        "g: line 1, column 18: expecting a newline or the end of the grammar"},
    {"root ::= \"\\q\"",
        "g: line 1, column 11: a backslash begins none of \\xNN \\uNNNN "
        "\\UNNNNNNNN \\t \\r \\n \\\\ \\\" \\[ \\] \\-"},
    {"root ::= \"\\", "g: line 1, column 11: a backslash begins none of"},
    {"root ::= \"\\x4\"",
        "g: line 1, column 13: expecting 2 hexadecimal "
        "digits"},
    {"root ::= \"\\U00110000\"",
        "g: line 1, column 11: no character has this number: the last is "
        "\\U0010FFFF"},
    {"root ::= \"\xff\"", "g: line 1, column 11: a byte that is not UTF-8"},
    {"root ::= [\xed\xa0\x80]",
        "g: line 1, column 11: a byte that is not UTF-8"},
    {"root ::= <think>",
        "g: line 1, column 10: <think>: a token by its text needs the pieces "
        "of all tokens; by its id it is <[id]>"},
    {"root ::= <think\n",
        "g: line 1, column 16: a token that is never closed: expecting >"},
    {"root ::= <[a]>", "g: line 1, column 12: expecting a number"},
    {"root ::= <[1>", "g: line 1, column 13: expecting ]>"},
    {"root ::= <[1]", "g: line 1, column 13: expecting ]>"},
    {"root ::= <[4294967295]>",
        "g: line 1, column 12: no token has so large an id"},
    {"root ::= ! \"a\"", "g: line 1, column 11: expecting a token behind !"},
    /* Left recursion: direct, indirect, hidden behind what may be empty. */
    {"root ::= root \"a\" | \"b\"",
        "g: line 1, column 10: left recursion: rule \"root\" comes back to "
        "itself with nothing matched"},
    {"root ::= \"x\" b\nb ::= c \"a\"\nc ::= \"z\" | b",
        "g: line 3, column 13: left recursion: rule \"b\" comes to \"c\" and "
        "back with nothing matched"},
    {"root ::= \"a\"? root", "g: line 1, column 15: left recursion: "},
    {"root ::= \"a\"* root \"b\"", "g: line 1, column 15: left recursion: "},
    {"root ::= e e root | \"a\"\ne ::= \"x\" | f\nf ::= \"y\"{0,2}",
        "g: line 1, column 14: left recursion: "},
    {"root ::= \"\" root", "g: line 1, column 13: left recursion: "},
    {"root ::= (e root)+\ne ::=", "g: line 1, column 13: left recursion: "},
    /* Whether the rule is read before or behind the one that may be empty. */
    {"e ::= \"x\"?\nroot ::= e root", "g: line 2, column 12: left recursion: "},
    {"root ::= e root\ne ::= \"x\"?", "g: line 1, column 12: left recursion: "},
    {"root ::= root", "g: line 1, column 10: left recursion: "},
    {"root ::= \"a\"\nunused ::= unused",
        "g: line 2, column 12: left recursion: "},
};

static void
a_message_says_where_and_what_is_expected(void **state)
{
	struct error err;
	char *text;
	size_t n;

	(void)state;
	for (size_t i = 0; i < LENGTH(refused); i++) {
		n = strlen(refused[i].text);
		text = guarded_new(n);
		memcpy(text, refused[i].text, n);
		assert_null(gbnf_parse(text, n, "g", "root", NULL, &err));
		guarded_free(text, n);
		assert_int_equal(err.status, STATUS_USAGE);
		if (strncmp(err.text, refused[i].message,
		        strlen(refused[i].message)) != 0)
			fail_msg("%s: %s", refused[i].text, err.text);
	}
}

static const struct {
	const char *grammar, *text;
	bool whole;
} matched[] = {
    {"root ::= \"a\" \"b\"", "ab", true},
    {"root ::= \"a\" \"b\"", "a", false},
    {"root ::= \"ab\"+", "abab", true},
    {"root ::= \"ab\"+", "", false},
    {"root ::= \"ab\"*", "", true},
    {"root ::= \"ab\" *", "ababab", true},
    {"root ::= \"a\"{2}", "aa", true},
    {"root ::= \"a\"{2}", "aaa", false},
    {"root ::= \"a\"{ 2 , 3 }", "aaa", true},
    {"root ::= \"a\"{2,3}", "aaaa", false},
    {"root ::= \"a\"{2,}", "aaaaa", true},
    {"root ::= \"a\"{2,}", "a", false},
    {"root ::= \"a\"{0,1} \"b\"", "b", true},
    {"root ::= \"a\"{0} \"b\"", "b", true},
    {"root ::= \"a\"{0} \"b\"", "ab", false},
    {"root ::= never-defined{0} \"a\"", "a", true},
    {"root ::= \"a\"{2}{3}", "aaaaaa", true},
    {"root ::= \"a\"{2}{3}", "aaaaa", false},
    {"root ::= \"a\"+*?", "", true},
    {"root ::= (\"a\" | \"bc\")+", "abca", true},
    {"root ::= (\"a\" | \"bc\")+", "ab", false},
    {"root ::= \"a\" | \"b\" | \"c\"", "b", true},
    {"root ::= \"a\" | \"b\" | \"c\"", "c", true},
    {"root ::= \"x\" (\"a\" | \"b\" | ) \"y\"", "xy", true},
    {"root ::= | \"a\"", "", true},
    {"root ::= \"a\" |\n\"b\"", "b", true},
    {"root ::= (\"a\"\n\"b\"\n)", "ab", true},
    {"root ::=\n# c\n\"a\"", "a", true},
    {"root ::= \"a\" # \"b\"\n", "a", true},
    {"root ::= x-1\r\nx-1 ::= \"a\"\r\n", "a", true},
    {"root ::= Word-9\nWord-9 ::= \"a\"", "a", true},
    {"root ::= \"a\"\nroot ::= \"b\"", "b", true},
    {"root ::= \"a\"\nroot ::= \"b\"", "a", false},
    {"root ::= \"\\x41\\u00e9\\U0001F600\\n\\t\\r\\\\\\\"\\[\\]\\-\"",
        "A\u00e9\U0001F600\n\t\r\\\"[]-", true},
    {"root ::= \"\\xe9\"", "\u00e9", true},
    {"root ::= [a-cx]+", "abcx", true},
    {"root ::= [a-cx]+", "d", false},
    {"root ::= [-a]+", "-a", true},
    {"root ::= [a-]+", "a-", true},
    {"root ::= [a\\-z]+", "a-z", true},
    {"root ::= [a\\-z]+", "b", false},
    {"root ::= [\\]\\[]+", "][", true},
    {"root ::= []", "", false},
    {"root ::= [^]", "x", true},
    {"root ::= [^a-z]", "b", false},
    {"root ::= [^a-z]", "\u00e9", true},
    {"root ::= .", "\n", true},
    {"root ::= .", "\U0010FFFF", true},
    {"root ::= [\u0370-\u03ff]{2}", "\u03b1\u03c9", true},
    {"root ::= [\u0370-\u03ff]{2}", "\u03b1\u0400", false},
    {"root ::= [\\U00010000-\\U0010FFFF]", "\U0001F600", true},
    {"root ::= [\\U00010000-\\U0010FFFF]", "\uffff", false},
    {"root ::= ((\"a\"*)*)*", "aaa", true},
    {"root ::= (\"\"){5} \"a\"", "a", true},
    {"root ::= (\"a\"{50}){2} \"b\"", "b", false},
    {"root ::= e \"a\" e\ne ::= \"x\"?", "a", true},
    {"root ::= e \"a\" e\ne ::= \"x\"?", "xax", true},
    /* The second caller comes when e has ended for the first. */
    {"root ::= r \"x\" | (\"q\" | (\"q\" | (\"q\" | r \"y\")))\n"
     "r ::= e \"a\"\ne ::= \"\"",
        "ax", true},
    {"root ::= r \"x\" | (\"q\" | (\"q\" | (\"q\" | r \"y\")))\n"
     "r ::= e \"a\"\ne ::= \"\"",
        "ay", true},
    {"root ::= \"(\" root \")\" | \"\"", "((()))", true},
    {"root ::= \"(\" root \")\" | \"\"", "((())", false},
};

static void
what_a_grammar_means(void **state)
{
	(void)state;
	for (size_t i = 0; i < LENGTH(matched); i++)
		if (matches(matched[i].grammar, matched[i].text) !=
		    matched[i].whole)
			fail_msg(
			    "%s on %s", matched[i].grammar, matched[i].text);
}

static void
the_root_may_have_another_name(void **state)
{
	static const char text[] = "a ::= \"x\"\nb ::= \"y\"";
	struct error err;
	struct grammar *g;

	(void)state;
	g = gbnf_parse(text, strlen(text), "g", "b", NULL, &err);
	assert_non_null(g);
	assert_true(matches_size(g, "y", 1));
	assert_false(matches_size(g, "x", 1));
	grammar_free(g);
	assert_null(gbnf_parse(text, strlen(text), "g", "c", NULL, &err));
	assert_string_equal(
	    err.text, "g: no rule named 'c', where matching begins");
}

static void
a_text_need_not_end_in_nul(void **state)
{
	static const char text[] = "root ::= \"abc\"\r";
	char *guarded;
	struct grammar *g;
	struct error err;

	(void)state;
	for (size_t n = 0; n <= strlen(text); n++) {
		guarded = guarded_new(n);
		memcpy(guarded, text, n);
		g = gbnf_parse(guarded, n, "g", "root", NULL, &err);
		assert_int_equal(g != NULL, n == 8 || n == 9 || n >= 14);
		grammar_free(g);
		guarded_free(guarded, n);
	}
}

/* Not a blank, nor the end of the text. */
static void
a_nul_is_a_character_like_others(void **state)
{
	static const char text[] = "root ::= \"a\"\0",
	                  quoted[] = "root ::= \"\0\"";
	struct grammar *g;
	struct error err;

	(void)state;
	assert_null(
	    gbnf_parse(text, sizeof(text) - 1, "g", "root", NULL, &err));
	assert_string_equal(err.text,
	    "g: line 1, column 13: expecting a newline or the end of the "
	    "grammar");
	g = grammar_of_size(quoted, sizeof(quoted) - 1);
	assert_true(matches_size(g, "", 1));
	grammar_free(g);
}

static void
tokens_are_found_by_their_text(void **state)
{
	static const struct {
		const char *text, *message;
	} wrong[] = {
	    {"root ::= <two>", "g: line 1, column 10: no token is <two>"},
	    {"root ::= <twice>",
	        "g: line 1, column 10: both tokens 2 and 3 are <twice>: "
	        "name one by its id, <[2]>"},
	    {"root ::= \"a\" <[5]>",
	        "g: line 1, column 16: no token has the id "
	        "5: there are 5 pieces"},
	};
	struct pieces *p = pieces_of("a\n<one>\n<twice>\n<twice>\n<twice>\n");
	struct grammar *g;
	struct error err;

	(void)state;
	g = gbnf_parse("root ::= <one>", 14, "g", "root", p, &err);
	assert_non_null(g);
	assert_int_equal(g->code[g->start].op, OP_TOKEN);
	assert_int_equal(g->code[g->start].a, 1);
	grammar_free(g);
	for (size_t i = 0; i < LENGTH(wrong); i++) {
		assert_null(gbnf_parse(wrong[i].text, strlen(wrong[i].text),
		    "g", "root", p, &err));
		assert_string_equal(err.text, wrong[i].message);
		assert_int_equal(err.status, STATUS_USAGE);
	}
	pieces_free(p);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_verdict_is_golems),
	    cmocka_unit_test(a_message_says_where_and_what_is_expected),
	    cmocka_unit_test(what_a_grammar_means),
	    cmocka_unit_test(the_root_may_have_another_name),
	    cmocka_unit_test(a_text_need_not_end_in_nul),
	    cmocka_unit_test(a_nul_is_a_character_like_others),
	    cmocka_unit_test(tokens_are_found_by_their_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
