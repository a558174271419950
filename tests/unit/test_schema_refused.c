/* SPDX-License-Identifier: MIT */
/* Schemas that are refused, each by the place of what is wrong. */
#include "refusing.h"

static void
what_is_no_schema_is_refused(void **state)
{
	(void)state;
	check("{", "line 1, column 2: ");
	check("[]", "#: a schema is an object, true or false");
	check("1", "#: a schema is an object");
	check("false", "#: nothing matches");
	check("{'properties':{'a':1}}", "#/properties/a: a schema is an");
	check("{'properties':{'a':false}}", "#/properties/a: nothing matches");
	check("{'properties':{'\\u0000':1}}", "#/properties/%00: a schema is");
	check("{'type':'any'}", "#/type: expecting the name of a type");
	check("{'type':1}", "#/type: expecting the name of a type");
	check("{'type':[]}", "#/type: nothing matches");
	check("{'prefixItems':1}", "#/prefixItems: expecting an array");
	check("{'type':['null','any']}", "#/type/1: expecting the name");
	check("{'type':['null','null']}", "#/type/1: it is listed twice");
}

static void
keywords_are_refused_by_name_and_place(void **state)
{
	static const char *const names[] = {"pattern", "format", "multipleOf",
	    "contains", "minProperties", "maxProperties", "patternProperties",
	    "propertyNames", "dependentRequired", "dependentSchemas", "not",
	    "if", "then", "else", "unevaluatedProperties", "unevaluatedItems",
	    "$anchor", "$dynamicRef", "$vocabulary", "contentEncoding", "id",
	    "nullable", "Type", ""};
	char schema[200], message[400], name[151] = "";

	(void)state;
	for (size_t i = 0; i < LENGTH(names); i++) {
		snprintf(schema, sizeof(schema),
		    "{'items':{'properties':{'a/b':{'%s':1}}}}", names[i]);
		snprintf(message, sizeof(message),
		    "#/items/properties/a~1b/%s: '%s' is not supported",
		    names[i], names[i]);
		check(schema, message);
	}
	memset(name, 'x', sizeof(name) - 1);
	snprintf(schema, sizeof(schema), "{'%s':1}", name);
	snprintf(message, sizeof(message),
	    "#/%s: '%.100s' is not supported: tokpick(1) lists", name, name);
	check(schema, message);
	check("{'items':{'$id':'x'}}", "#/items/$id: '$id' is not supported");
	check("{'allOf':[{},{}]}", "#/allOf: 'allOf' is not supported with");
	check("{'uniqueItems':true}", "#/uniqueItems: 'uniqueItems' is not");
}

/* What a definition says counts as soon as something refers to it. */
static void
definitions_are_looked_at_when_they_are_used(void **state)
{
	(void)state;
	check_taken("{'type':'null','$defs':{'a':{'pattern':1}}}");
	check("{'$ref':'#/$defs/a','$defs':{'a':{'pattern':1}}}",
	    "#/$defs/a/pattern: 'pattern' is not supported");
}

static void
keywords_that_say_nothing_are_refused(void **state)
{
	(void)state;
	check("{'type':'integer','minLength':3}",
	    "#/minLength: 'minLength' says nothing");
	check("{'type':['null','array'],'minimum':3}",
	    "#/minimum: 'minimum' says nothing");
	check(
	    "{'enum':['a'],'minimum':3}", "#/minimum: 'minimum' says nothing");
	check("{'items':true,'additionalItems':false}",
	    "#/additionalItems: 'additionalItems' is not supported where");
}

static void
keywords_that_do_not_go_together_are_refused(void **state)
{
	(void)state;
	check("{'$ref':'#/$defs/a','type':'null','$defs':{'a':{}}}",
	    "#/type: 'type' is not supported beside '$ref'");
	check("{'type':'object','anyOf':[{}]}",
	    "#/type: 'type' is not supported beside 'anyOf'");
	check("{'anyOf':[{}],'oneOf':[{}]}",
	    "#/oneOf: 'oneOf' is not supported beside 'anyOf'");
	check("{'anyOf':[{}],'enum':[1]}", "#/enum: 'enum' is not supported");
	check("{'const':1,'enum':[1]}", "#/enum: 'enum' is not supported");
	check("{'enum':[{}],'properties':{}}",
	    "#/properties: 'properties' is not supported beside 'enum'");
	check("{'$schema':'http://json-schema.org/draft-07/schema#',"
	      "'prefixItems':[{}]}",
	    "#/prefixItems: 'prefixItems' is of draft 2020-12");
	check_taken("{'$schema':'https://json-schema.org/draft/2020-12/schema',"
	            "'prefixItems':[{}]}");
	check("{'const':1,'minItems':1}",
	    "#/minItems: 'minItems' is not supported beside 'const'");
}

static void
counts_are_whole_and_bounded(void **state)
{
	(void)state;
	check("{'minLength':-1}", "#/minLength: expecting a whole number");
	check("{'minLength':1.5}", "#/minLength: expecting a whole number");
	check("{'minLength':'1'}", "#/minLength: expecting a whole number");
	check("{'minLength':1e400}", "#/minLength: expecting a whole number");
	check("{'maxLength':-1}", "#/maxLength: expecting a whole number");
	check("{'minItems':-1}", "#/minItems: expecting a whole number");
	check("{'enum':['a'],'minLength':-1}",
	    "#/minLength: expecting a whole number");
	check("{'minLength':2001}", "#/minLength: 'minLength' above 2000");
	check("{'maxItems':1e299}", "#/maxItems: 'maxItems' above 2000");
	check(
	    "{'maxItems':999999999999999999999}", "#/maxItems: 'maxItems' ab");
	check_taken("{'minItems':2e3}");
	check("{'minLength':3,'maxLength':2}", "#/minLength: it is above");
	check("{'minItems':3,'maxItems':2}",
	    "#/minItems: an array has at most "
	    "2 items");
	check("{'prefixItems':[{}],'minItems':2}", "#/minItems: an array has");
	check("{'prefixItems':[{}],'maxItems':3,'minItems':2}",
	    "#/minItems: an array has at most 1 items");
	check("{'items':false,'minItems':1}", "#/minItems: an array has");
}

static void
bounds_are_numbers_that_leave_some(void **state)
{
	(void)state;
	check("{'minimum':'1'}", "#/minimum: expecting a number");
	check("{'minimum':1,'exclusiveMinimum':true}",
	    "#/exclusiveMinimum: expecting a number");
	check("{'exclusiveMaximum':'1'}",
	    "#/exclusiveMaximum: expecting a number");
	check("{'enum':[1],'minimum':'1'}", "#/minimum: expecting a number");
	check("{'maximum':1e300}", "#/maximum: expecting a number of at most");
	check("{'type':'integer','maximum':1e40}", "#: bounds of more than");
	check("{'maximum':1234567890123456}", "#: bounds of more than 15");
	check("{'minimum':1e15}", "#: bounds of more than 15");
	check("{'minimum':2,'maximum':1}", "#: no number of 15 digits lies");
	check("{'type':'integer','minimum':0.1,'maximum':0.9}",
	    "#: no integer lies between");
	check("{'exclusiveMinimum':1,'maximum':1}", "#: no number of 15");
	check("{'minimum':2,'maximum':-1}", "#: no number of 15 digits lies");
	check("{'minimum':-1,'maximum':-2}", "#: no number of 15 digits lies");
}

static void
lists_of_values_leave_some(void **state)
{
	(void)state;
	check("{'enum':[]}", "#/enum: expecting an array of one value");
	check("{'enum':'a'}", "#/enum: expecting an array of one value");
	check("{'enum':[1],'type':'any'}", "#/type: expecting the name");
	check("{'enum':[1,'a'],'type':'null'}", "#: none of its values");
	check("{'const':1.5,'type':'integer'}", "#: none of its values");
	check("{'enum':[1,2],'minimum':3}", "#: none of its values");
	check("{'enum':[0.12345678901234567],'minimum':0}",
	    "#/enum/0: not every reader");
}

static void
required_names_are_properties(void **state)
{
	(void)state;
	check("{'properties':{},'required':['a']}",
	    "#/required/0: it is none of the properties");
	check("{'required':['a'],'additionalProperties':false}",
	    "#/required/0: it is none of the properties");
	check("{'required':'a'}", "#/required: expecting an array");
	check("{'required':[1]}", "#/required/0: expecting a string");
	check("{'required':['a','a']}", "#: 'required' has a name twice");
	check("{'properties':[]}", "#/properties: expecting an object");
	check_taken("{'required':['a'],'properties':{},"
	            "'additionalProperties':true}");
}

static void
references_stay_in_the_schema(void **state)
{
	(void)state;
	check("{'$ref':1}", "#/$ref: expecting a string");
	check("{'$ref':''}", "#/$ref: only references within");
	check("{'$ref':'other.json'}", "#/$ref: only references within");
	check("{'$ref':'#name'}", "#/$ref: only references within");
	check("{'$ref':'#/$defs/a'}", "#/$ref: it refers to a place that");
	check_taken("{'$ref':'#/$defs/a/properties/$id',"
	            "'$defs':{'a':{'properties':{'$id':{'type':'null'}}}}}");
	check("{'$ref':'#/$defs/%'}", "#/$ref: it refers to a place that");
	check("{'$ref':'#/$defs/a/not','$defs':{'a':{'$id':'a','not':{}}}}",
	    "#/$ref: it refers to a place inside");
}

static void
schemas_that_mean_themselves_are_refused(void **state)
{
	(void)state;
	check("{'$ref':'#'}", "#: it means itself again");
	check("{'anyOf':[{'type':'null'},{'$ref':'#'}]}",
	    "#: it means itself again");
	check("{'items':{'$ref':'#/$defs/a'},'$defs':{'a':{'$ref':'#/$defs/b'},"
	      "'b':{'allOf':[{'$ref':'#/$defs/a'}]}}}",
	    "#/$defs/a: it means itself again");
}

static void
schemas_without_an_end_are_refused(void **state)
{
	(void)state;
	check("{'properties':{'a':{'$ref':'#'}},'required':['a']}",
	    "#: every value of it has another one inside");
	check("{'items':{'$ref':'#'},'minItems':1}",
	    "#: every value of it has another one inside");
	check("{'properties':{'a':{'$ref':'#/$defs/b'}},'$defs':{'b':"
	      "{'prefixItems':[{'$ref':'#/$defs/b'}],'minItems':1}}}",
	    "#/properties/a: every value of it has another one inside");
	check_taken("{'properties':{'a':{'$ref':'#'}}}");
	check_taken("{'type':['object','null'],"
	            "'properties':{'a':{'$ref':'#'}},'required':['a']}");
	check_taken("{'properties':{'a':{'anyOf':[{'$ref':'#'},{'const':1}]}},"
	            "'required':['a']}");
}

/* Text of any length, which is freed. */
static void
check_long(char *text, size_t n, const char *message)
{
	struct error err;

	assert_null(schema_to_gbnf(text, n, "test", &err));
	free(text);
	assert_string_equal(err.text, message);
}

static void
schemas_are_not_too_many(void **state)
{
	enum { SCHEMAS = 100000 };
	char *text = malloc(SCHEMAS * 3 + 30);
	size_t n = (size_t)sprintf(text, "{\"anyOf\":[{}");

	(void)state;
	for (int i = 1; i < SCHEMAS + 2; i++)
		n += (size_t)sprintf(text + n, ",{}");
	n += (size_t)sprintf(text + n, "]}");
	check_long(text, n,
	    "test: #/anyOf/99999: more than 100000 schemas lie inside this "
	    "one");
}

/* What is no long name has a rule for each of its beginnings. */
static void
grammars_are_not_too_large(void **state)
{
	enum { NAME = 80000 };
	char *text = malloc(NAME + 40);
	size_t n = (size_t)sprintf(text, "{\"required\":[\"");

	(void)state;
	memset(text + n, 'a', NAME);
	n += NAME;
	n += (size_t)sprintf(text + n, "\"]}");
	check_long(
	    text, n, "test: #: its grammar is larger than 8388608 bytes");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(what_is_no_schema_is_refused),
	    cmocka_unit_test(keywords_are_refused_by_name_and_place),
	    cmocka_unit_test(definitions_are_looked_at_when_they_are_used),
	    cmocka_unit_test(keywords_that_say_nothing_are_refused),
	    cmocka_unit_test(keywords_that_do_not_go_together_are_refused),
	    cmocka_unit_test(counts_are_whole_and_bounded),
	    cmocka_unit_test(bounds_are_numbers_that_leave_some),
	    cmocka_unit_test(lists_of_values_leave_some),
	    cmocka_unit_test(required_names_are_properties),
	    cmocka_unit_test(references_stay_in_the_schema),
	    cmocka_unit_test(schemas_that_mean_themselves_are_refused),
	    cmocka_unit_test(schemas_without_an_end_are_refused),
	    cmocka_unit_test(schemas_are_not_too_many),
	    cmocka_unit_test(grammars_are_not_too_large),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
