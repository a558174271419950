/* SPDX-License-Identifier: MIT */
/* Alternatives of oneOf: those that no value matches both are told apart. */
#include "refusing.h"

static void
check_alike(const char *one, const char *other)
{
	char schema[500];

	snprintf(schema, sizeof(schema), "{'oneOf':[%s,%s]}", one, other);
	check(schema,
	    "#/oneOf/1: a value might match both this and alternative 0");
}

static void
check_apart(const char *one, const char *other)
{
	char schema[500];

	snprintf(schema, sizeof(schema), "{'oneOf':[%s,%s]}", one, other);
	check_taken(schema);
}

static void
alternatives_are_schemas(void **state)
{
	(void)state;
	check("{'oneOf':[]}", "#/oneOf: expecting an array of one schema");
	check("{'oneOf':{}}", "#/oneOf: expecting an array of one schema");
	check("{'oneOf':[{'type':'object'},{'pattern':1}]}",
	    "#/oneOf/1/pattern: 'pattern' is not supported");
}

static void
types_are_told_apart(void **state)
{
	(void)state;
	check_apart("{'type':'null'}", "{'type':['array','string']}");
	check_alike("{'type':'null'}", "{'type':['null','string']}");
	check_alike("{'type':'integer'}", "{'type':'number'}");
	/* Without a type the other matches whatever is no string. */
	check_alike("{'type':'null'}", "{'minLength':1}");
	check_alike("true", "{'type':'null'}");
	check_alike("{'type':'null'}", "true");
}

static void
values_are_told_apart(void **state)
{
	(void)state;
	check_alike("{'const':1}", "{'type':'integer'}");
	check_alike("{'type':'integer'}", "{'const':1}");
	check_apart("{'const':1}", "{'const':2.0}");
	check_alike("{'const':1}", "{'const':1.0}");
	check_apart("{'const':true}", "{'const':false}");
	check_alike("{'const':true}", "{'const':true}");
	check_apart("{'const':'ab'}", "{'enum':['ac','a']}");
	check_alike("{'const':'ab'}", "{'enum':['a','ab']}");
	/* Numbers that some reader may round. */
	check_alike("{'const':9007199254740992}", "{'const':9007199254740993}");
	check_alike("{'const':1}", "{'const':9007199254740993}");
	check_alike("{'const':1}", "{'const':1e400}");
	check_alike("{'const':1e400}", "{'const':1}");
}

static void
arrays_and_objects_are_told_apart_by_their_values(void **state)
{
	(void)state;
	check_apart("{'const':[1,2]}", "{'enum':[[1,3],[1]]}");
	check_alike("{'const':[1,2]}", "{'const':[1,2.0]}");
	check_apart("{'const':{'a':1,'b':2}}",
	    "{'enum':[{'a':1},[1],{'a':1,'c':2},{'a':1,'b':3}]}");
	check_alike("{'const':{'a':1,'b':2}}", "{'const':{'b':2,'a':1}}");
}

#define OBJECT(properties) "{'type':'object','properties':" properties "}"
#define REQUIRED(properties, required)                  \
	"{'type':'object','properties':" properties "," \
	"'required':" required "}"

static void
objects_are_told_apart_by_a_property_that_must_be_there(void **state)
{
	(void)state;
	check_apart(REQUIRED("{'kind':{'const':1}}", "['kind']"),
	    OBJECT("{'kind':{'const':2}}"));
	check_apart(
	    REQUIRED("{'a':{},'mind':{},'kind':{'const':1}}", "['a','mind']"),
	    REQUIRED("{'kind':{'const':2}}", "['kind']"));
	check_alike(
	    OBJECT("{'kind':{'const':1}}"), OBJECT("{'kind':{'const':2}}"));
	check_alike(REQUIRED("{'k':{},'kind':{'const':1}}", "['k']"),
	    OBJECT("{'k':{},'kind':{'const':2}}"));
	check_alike(REQUIRED("{'kind':{'enum':[1,2]}}", "['kind']"),
	    OBJECT("{'kind':{'const':2}}"));
	check_alike(REQUIRED("{'kind':{'const':1}}", "['kind']"),
	    OBJECT("{'kind':true}"));
	check_alike(REQUIRED("{'kind':true}", "['kind']"),
	    OBJECT("{'kind':{'const':1}}"));
	check_alike(
	    REQUIRED("{'kind':{'const':1}}", "['kind']"), "{'type':'object'}");
	check_alike(
	    "{'type':'object'}", REQUIRED("{'kind':{'const':1}}", "['kind']"));
	/* Without a type they match what is no object. */
	check_alike("{'properties':{'kind':{'const':1}},'required':['kind']}",
	    "{'properties':{'kind':{'const':2}},'required':['kind']}");
}

/* Definitions 0 to 59, each of which is the next one; the last is null. */
static void
references_are_followed_but_not_for_ever(void **state)
{
	enum { CHAIN = 60 };
	char schema[CHAIN * 30 + 200];
	struct error err;
	char *grammar;
	size_t n = 0;

	(void)state;
	for (int first = 5; first < 15; first++) {
		n = (size_t)sprintf(schema,
		    "{\"oneOf\":[{\"const\":1},{\"$ref\":\"#/$defs/%d\"}],"
		    "\"$defs\":{",
		    first);
		for (int i = 0; i < CHAIN; i++)
			n += (size_t)sprintf(schema + n,
			    "\"%d\":{\"$ref\":\"#/$defs/%d\"},", i, i + 1);
		n += (size_t)sprintf(
		    schema + n, "\"%d\":{\"type\":\"null\"}}}", CHAIN);
		grammar = schema_to_gbnf(schema, n, "test", &err);
		assert_int_equal(grammar != NULL, first > 11);
		free(grammar);
	}
}

/* Many alternatives of many values: refused, rather than compared for ages. */
static void
comparing_values_has_an_end(void **state)
{
	enum { VALUES = 6000, ROOM = 2 * VALUES * 8 + 200 };
	char *text = malloc(ROOM), *grammar;
	struct error err;
	size_t used = 0;

	(void)state;
	assert_non_null(text);
	for (int i = 0; i < 2 * VALUES; i++)
		used += (size_t)snprintf(text + used, ROOM - used, "%s%d",
		    i == 0            ? "{\"oneOf\":[{\"enum\":["
		        : i == VALUES ? "]},{\"enum\":["
		                      : ",",
		    i);
	snprintf(text + used, ROOM - used, "]}]}");
	grammar = schema_to_gbnf(text, strlen(text), "test", &err);
	assert_null(grammar);
	assert_non_null(strstr(err.text, "#/oneOf: too much to compare"));
	free(text);
}

/* Each property is looked for among all names that are required. */
static void
comparing_properties_has_an_end(void **state)
{
	enum { NAMES = 3500, ROOM = 3 * NAMES * 16 + 200 };
	char *text = malloc(ROOM), *grammar;
	struct error err;
	size_t used = 0;

	(void)state;
	assert_non_null(text);
	for (int i = 0; i < 3 * NAMES; i++)
		used += (size_t)snprintf(text + used, ROOM - used,
		    i < 2 * NAMES ? "%s\"%d\":{}" : "%s\"a%d\"",
		    i == 0 ? "{\"oneOf\":[{\"type\":\"object\",\"properties\":{"
		        : i == NAMES
		        ? "}},{\"type\":\"object\",\"properties\":{"
		        : i == 2 * NAMES ? "},\"additionalProperties\":true,"
		                           "\"required\":["
		                         : ",",
		    i % NAMES);
	snprintf(text + used, ROOM - used, "]}]}");
	grammar = schema_to_gbnf(text, strlen(text), "test", &err);
	assert_null(grammar);
	assert_non_null(strstr(err.text, "#/oneOf: too much to compare"));
	free(text);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(alternatives_are_schemas),
	    cmocka_unit_test(types_are_told_apart),
	    cmocka_unit_test(values_are_told_apart),
	    cmocka_unit_test(arrays_and_objects_are_told_apart_by_their_values),
	    cmocka_unit_test(
	        objects_are_told_apart_by_a_property_that_must_be_there),
	    cmocka_unit_test(references_are_followed_but_not_for_ever),
	    cmocka_unit_test(comparing_values_has_an_end),
	    cmocka_unit_test(comparing_properties_has_an_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
