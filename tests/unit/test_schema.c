/* SPDX-License-Identifier: MIT */
/* Schemas and their grammars: what each keyword becomes. */
#include "helper.h"

#include "../../src/schema/schema.h"

static char *
convert(const char *text)
{
	struct error err;
	char *grammar = schema_to_gbnf(text, strlen(text), "test", &err);

	if (grammar == NULL)
		fail_msg("%s: %s", text, err.text);
	return grammar;
}

/* The rules behind those that every grammar has. */
static void
check(const char *text, const char *expected)
{
	static const char root[] = "\nroot ::= s0\n";
	char *grammar = convert(text);
	const char *rules = strstr(grammar, root);

	assert_non_null(rules);
	assert_string_equal(rules + strlen(root), expected);
	free(grammar);
}

/* One rule only. */
static void
check_rule(const char *text, const char *expected)
{
	char rule[1000];

	snprintf(rule, sizeof(rule), "s0 ::= %s\n", expected);
	check(text, rule);
}

static void
any_value_has_rules_of_its_own(void **state)
{
	(void)state;
	check_rule("true", "value");
	check_rule("{}", "value");
	check_rule("{\"title\":\"t\",\"description\":1,\"default\":{},"
	           "\"examples\":[],\"$schema\":\"s\",\"$id\":\"i\","
	           "\"$comment\":\"c\",\"deprecated\":true,"
	           "\"readOnly\":true,\"writeOnly\":true,"
	           "\"$defs\":{\"a\":{\"pattern\":1}},"
	           "\"definitions\":0}",
	    "value");
}

static void
types_are_alternatives(void **state)
{
	(void)state;
	check_rule("{\"type\":\"null\"}", "\"null\"");
	check_rule("{\"type\":\"boolean\"}", "boolean");
	check_rule("{\"type\":\"string\"}", "string");
	check_rule("{\"type\":\"integer\"}", "integer");
	check_rule("{\"type\":\"number\"}", "number");
	check_rule("{\"type\":[\"string\",\"null\",\"integer\"]}",
	    "\"null\" | integer | string");
	check_rule("{\"type\":[\"integer\",\"number\"]}", "number");
	check("{\"type\":[\"array\",\"object\",\"null\"]}",
	    "s0 ::= \"null\" | s0-array | s0-object\n"
	    "s0-array ::= \"[\" (value (\",\" sp value){0,})? \"]\"\n"
	    "s0-object ::= \"{\" (s0-more (\",\" sp s0-more)* | \"\") \"}\"\n"
	    "s0-more ::= \"\\\"\" s0-key \"\\\":\" sp value\n"
	    "s0-key ::= plain*\n");
}

static void
keywords_tell_the_type_where_none_is_given(void **state)
{
	(void)state;
	check_rule("{\"minLength\":1}", "\"\\\"\" char{1,} \"\\\"\"");
	check_rule("{\"maximum\":9,\"minimum\":9,\"maxLength\":2}",
	    "(\"9\" (\".\" \"0\"{1,14})?) | \"\\\"\" char{0,2} \"\\\"\"");
}

static void
strings_have_lengths(void **state)
{
	(void)state;
	check_rule("{\"type\":\"string\",\"minLength\":2,\"maxLength\":2e3}",
	    "\"\\\"\" char{2,2000} \"\\\"\"");
	check_rule("{\"type\":\"string\",\"maxLength\":0.0}",
	    "\"\\\"\" char{0,0} \"\\\"\"");
}

static void
numbers_have_bounds(void **state)
{
	(void)state;
	check_rule("{\"type\":\"integer\",\"minimum\":-3,\"maximum\":12}",
	    "(\"-\" ([1-3]) | [0-9] | \"1\" ([0-2]))");
	check_rule("{\"type\":\"integer\",\"exclusiveMinimum\":0,"
	           "\"exclusiveMaximum\":9}",
	    "([1-8])");
	/* Of two bounds on a side the tighter counts. */
	check_rule("{\"type\":\"integer\",\"exclusiveMinimum\":1,"
	           "\"minimum\":1,\"maximum\":7.5,\"exclusiveMaximum\":8}",
	    "([2-7])");
	check_rule("{\"type\":\"integer\",\"minimum\":-12,"
	           "\"exclusiveMaximum\":-7}",
	    "(\"-\" ([8-9] | \"1\" ([0-2])))");
	/* A side without one ends at 15 digits, or at those of the other. */
	check_rule("{\"type\":\"integer\",\"minimum\":0}",
	    "([0-9] | [1-9] [0-9]{1,13} | [1-9] [0-9]{14})");
	check_rule("{\"type\":\"integer\",\"minimum\":9999999999999999}",
	    "(\"9\" (\"9\" (\"9\" (\"9\" (\"9\" (\"9\" (\"9\" (\"9\" (\"9\" "
	    "(\"9\" (\"9\" (\"9\" (\"9\" (\"9\" (\"9\" (\"9\"))))))))))))))))");
	check_rule("{\"type\":\"number\",\"minimum\":0,\"maximum\":10}",
	    "([0-9] (\".\" [0-9]{1,13})? | "
	    "\"1\" (\"0\" (\".\" \"0\"{1,13})?))");
}

static void
values_are_written_as_json(void **state)
{
	(void)state;
	check_rule("{\"const\":\"a\\\"\\\\\\n\\u0001\u00e9\"}",
	    "\"\\\"a\\\\\\\"\\\\\\\\\\\\n\\\\u0001\u00e9\\\"\"");
	check_rule("{\"const\":\"\\u0000\"}", "\"\\\"\\\\u0000\\\"\"");
	check_rule("{\"enum\":[null,true,false,-1.50E+2,\"\",[],{}]}",
	    "\"null\" | \"true\" | \"false\" | \"-1.50E+2\" | \"\\\"\\\"\" | "
	    "\"[]\" | \"{}\"");
	check_rule("{\"const\": {\"b\" : [1, 2], \"a\": 3} }",
	    "\"{\\\"b\\\":\" sp \"[1,\" sp \"2],\" sp "
	    "\"\\\"a\\\":\" sp \"3}\"");
}

static void
values_are_dropped_that_type_or_bounds_rule_out(void **state)
{
	(void)state;
	check_rule("{\"enum\":[1,1.5,\"a\",2.0,null],\"type\":\"integer\"}",
	    "\"1\" | \"2.0\"");
	check_rule("{\"enum\":[1,2,3,10,\"a\",\"\u00e9\u00e9\"],\"minimum\":2,"
	           "\"exclusiveMaximum\":1e1,\"minLength\":2,\"maxLength\":2}",
	    "\"2\" | \"3\" | \"\\\"\u00e9\u00e9\\\"\"");
	check_rule("{\"enum\":[1,2,\"a\",\"bb\",\"ccc\"],\"minimum\":2,"
	           "\"minLength\":2}",
	    "\"2\" | \"\\\"bb\\\"\" | \"\\\"ccc\\\"\"");
	check_rule("{\"enum\":[\"a\",\"bb\",\"ccc\"],\"maxLength\":2}",
	    "\"\\\"a\\\"\" | \"\\\"bb\\\"\"");
}

static void
arrays_have_items_and_bounds(void **state)
{
	(void)state;
	check("{\"type\":\"array\",\"items\":{\"type\":\"null\"},"
	      "\"minItems\":2,\"maxItems\":5}",
	    "s0 ::= s0-array\n"
	    "s0-array ::= \"[\" (s1 (\",\" sp s1){1,4}) \"]\"\n"
	    "s1 ::= \"null\"\n");
	check("{\"maxItems\":0}",
	    "s0 ::= s0-array\n"
	    "s0-array ::= \"[\" \"]\"\n");
	check("{\"items\":false}",
	    "s0 ::= s0-array\n"
	    "s0-array ::= \"[\" \"]\"\n");
	check("{\"prefixItems\":[true,{\"type\":\"null\"},true],"
	      "\"items\":{\"type\":\"boolean\"},\"minItems\":2}",
	    "s0 ::= s0-array\n"
	    "s0-array ::= \"[\" (s0-item-0) \"]\"\n"
	    "s0-item-0 ::= s1 (\",\" sp s0-item-1)\n"
	    "s0-item-1 ::= s2 (\",\" sp s0-item-2)?\n"
	    "s0-item-2 ::= s3 (\",\" sp s4){0,}\n"
	    "s1 ::= value\n"
	    "s2 ::= \"null\"\n"
	    "s3 ::= value\n"
	    "s4 ::= boolean\n");
	/* A prefix without items ends the array; one may be cut. */
	check("{\"prefixItems\":[{\"type\":\"null\"}],\"maxItems\":5}",
	    "s0 ::= s0-array\n"
	    "s0-array ::= \"[\" (s0-item-0)? \"]\"\n"
	    "s0-item-0 ::= s1\n"
	    "s1 ::= \"null\"\n");
	check("{\"items\":[true,{\"type\":\"null\"}],\"maxItems\":1}",
	    "s0 ::= s0-array\n"
	    "s0-array ::= \"[\" (s0-item-0)? \"]\"\n"
	    "s0-item-0 ::= s1\n"
	    "s1 ::= value\n");
}

static void
objects_have_their_properties_in_order(void **state)
{
	(void)state;
	check("{\"type\":\"object\",\"properties\":{\"a\":true,\"b\":true,"
	      "\"c\":true},\"required\":[\"b\"]}",
	    "s0 ::= s0-object\n"
	    "s0-object ::= \"{\" (s0-0 s0-after-0 | s0-1 s0-after-1) \"}\"\n"
	    "s0-0 ::= \"\\\"a\\\":\" sp s1\n"
	    "s0-after-0 ::= (\",\" sp s0-1) s0-after-1\n"
	    "s0-1 ::= \"\\\"b\\\":\" sp s2\n"
	    "s0-after-1 ::= (\",\" sp s0-2)? s0-after-2\n"
	    "s0-2 ::= \"\\\"c\\\":\" sp s3\n"
	    "s0-after-2 ::= \"\"\n"
	    "s1 ::= value\ns2 ::= value\ns3 ::= value\n");
	check("{\"properties\":{}}",
	    "s0 ::= s0-object\n"
	    "s0-object ::= \"{\" (\"\") \"}\"\n");
}

/* The trie of "a" and "ab": what is neither, and no escapes. */
static void
other_properties_have_other_names(void **state)
{
	(void)state;
	check("{\"properties\":{\"ab\":{\"type\":\"null\"}},"
	      "\"required\":[\"a\"],"
	      "\"additionalProperties\":{\"type\":\"boolean\"}}",
	    "s0 ::= s0-object\n"
	    "s0-object ::= \"{\" (s0-0 s0-after-0 | s0-1 s0-after-1) \"}\"\n"
	    "s0-0 ::= \"\\\"ab\\\":\" sp s1\n"
	    "s0-after-0 ::= (\",\" sp s0-1) s0-after-1\n"
	    "s0-1 ::= \"\\\"a\\\":\" sp s2\n"
	    "s0-after-1 ::= (\",\" sp s0-more)*\n"
	    "s0-more ::= \"\\\"\" s0-key \"\\\":\" sp s2\n"
	    "s0-key ::= [\\x20-\\x21\\x23-\\x5B\\x5D-\\x60\\x62-\\x7E"
	    "\\x80-\\U0000D7FF\\U0000E000-\\U0010FFFF] plain* | "
	    "\"a\" s0-key-0-1 | \"\"\n"
	    "s0-key-0-1 ::= [\\x20-\\x21\\x23-\\x5B\\x5D-\\x61\\x63-\\x7E"
	    "\\x80-\\U0000D7FF\\U0000E000-\\U0010FFFF] plain* | "
	    "\"b\" s0-key-1-2\n"
	    "s0-key-1-2 ::= plain plain*\n"
	    "s1 ::= \"null\"\n"
	    "s2 ::= boolean\n");
}

/* A class leaves out one character, beside those that are escaped. */
static void
names_may_be_of_odd_characters(void **state)
{
	(void)state;
	check("{\"properties\":{\"!\":true},\"additionalProperties\":true}",
	    "s0 ::= s0-object\n"
	    "s0-object ::= \"{\" (s0-0 s0-after-0 | "
	    "s0-more (\",\" sp s0-more)* | \"\") \"}\"\n"
	    "s0-0 ::= \"\\\"!\\\":\" sp s1\n"
	    "s0-after-0 ::= (\",\" sp s0-more)*\n"
	    "s0-more ::= \"\\\"\" s0-key \"\\\":\" sp s2\n"
	    "s0-key ::= [\\x20\\x23-\\x5B\\x5D-\\x7E"
	    "\\x80-\\U0000D7FF\\U0000E000-\\U0010FFFF] plain* | "
	    "\"!\" s0-key-0-1 | \"\"\n"
	    "s0-key-0-1 ::= plain plain*\n"
	    "s1 ::= value\ns2 ::= value\n");
	/* No other key is written like these, which have escapes. */
	check("{\"required\":[\"\\u0001\",\"\\u007f\",\"\\\"\",\"\\\\\"]}",
	    "s0 ::= s0-object\n"
	    "s0-object ::= \"{\" (s0-0 s0-after-0) \"}\"\n"
	    "s0-0 ::= \"\\\"\\\\u0001\\\":\" sp value\n"
	    "s0-after-0 ::= (\",\" sp s0-1) s0-after-1\n"
	    "s0-1 ::= \"\\\"\x7f\\\":\" sp value\n"
	    "s0-after-1 ::= (\",\" sp s0-2) s0-after-2\n"
	    "s0-2 ::= \"\\\"\\\\\\\"\\\":\" sp value\n"
	    "s0-after-2 ::= (\",\" sp s0-3) s0-after-3\n"
	    "s0-3 ::= \"\\\"\\\\\\\\\\\":\" sp value\n"
	    "s0-after-3 ::= (\",\" sp s0-more)*\n"
	    "s0-more ::= \"\\\"\" s0-key \"\\\":\" sp value\n"
	    "s0-key ::= plain*\n");
}

static void
schemas_may_be_others(void **state)
{
	(void)state;
	check("{\"anyOf\":[{\"type\":\"null\"},true],\"title\":\"t\"}",
	    "s0 ::= s1 | s2\ns1 ::= \"null\"\ns2 ::= value\n");
	check("{\"allOf\":[{\"type\":\"null\"}]}",
	    "s0 ::= s1\ns1 ::= \"null\"\n");
	check("{\"oneOf\":[{\"type\":\"null\"},{\"const\":1}]}",
	    "s0 ::= s1 | s2\ns1 ::= \"null\"\ns2 ::= \"1\"\n");
}

static void
references_become_rules(void **state)
{
	(void)state;
	check("{\"$ref\":\"#/$defs/a~1b%25\",\"$defs\":{\"a/b%\":"
	      "{\"type\":\"null\"}}}",
	    "s0 ::= s1\ns1 ::= \"null\"\n");
	check("{\"type\":\"array\",\"items\":{\"$ref\":\"#\"}}",
	    "s0 ::= s0-array\n"
	    "s0-array ::= \"[\" (s1 (\",\" sp s1){0,})? \"]\"\n"
	    "s1 ::= s0\n");
}

/* A thousand properties cost no more each than three do. */
static void
grammars_grow_with_their_schemas(void **state)
{
	enum { MANY = 1000 };
	static char text[MANY * 16];
	size_t used = 0, few;
	char *grammar;

	(void)state;
	grammar = convert("{\"properties\":{\"0\":{},\"1\":{},\"2\":{}}}");
	few = strlen(grammar);
	free(grammar);
	for (int i = 0; i < MANY; i++)
		used += (size_t)snprintf(text + used, sizeof(text) - used,
		    "%s\"%d\":{}", i == 0 ? "{\"properties\":{" : ",", i);
	snprintf(text + used, sizeof(text) - used, "}}");
	grammar = convert(text);
	assert_true(strlen(grammar) < MANY * few / 3);
	free(grammar);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(any_value_has_rules_of_its_own),
	    cmocka_unit_test(types_are_alternatives),
	    cmocka_unit_test(keywords_tell_the_type_where_none_is_given),
	    cmocka_unit_test(strings_have_lengths),
	    cmocka_unit_test(numbers_have_bounds),
	    cmocka_unit_test(values_are_written_as_json),
	    cmocka_unit_test(values_are_dropped_that_type_or_bounds_rule_out),
	    cmocka_unit_test(arrays_have_items_and_bounds),
	    cmocka_unit_test(objects_have_their_properties_in_order),
	    cmocka_unit_test(other_properties_have_other_names),
	    cmocka_unit_test(names_may_be_of_odd_characters),
	    cmocka_unit_test(schemas_may_be_others),
	    cmocka_unit_test(references_become_rules),
	    cmocka_unit_test(grammars_grow_with_their_schemas),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
