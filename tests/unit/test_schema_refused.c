/* SPDX-License-Identifier: MIT */
/* Schemas that are refused, each by the place of what is wrong. */
#include "helper.h"

#include "../../src/schema/schema.h"

/* Quotes are written ' here. */
static char *
convert(const char *quoted, struct error *err)
{
	char text[1000];
	size_t n = strlen(quoted);

	assert_true(n < sizeof(text));
	for (size_t i = 0; i < n; i++)
		text[i] = (char)(quoted[i] == '\'' ? '"' : quoted[i]);
	return schema_to_gbnf(text, n, "test", err);
}

static void
check(const char *schema, const char *message)
{
	struct error err;
	char *grammar = convert(schema, &err);

	if (grammar != NULL)
		fail_msg("%s is taken", schema);
	assert_int_equal(err.status, STATUS_USAGE);
	if (strncmp(err.text, "test: ", 6) != 0 ||
	    strstr(err.text, message) != err.text + 6)
		fail_msg("%s: %s", schema, err.text);
}

static void
check_taken(const char *schema)
{
	struct error err;
	char *grammar = convert(schema, &err);

	if (grammar == NULL)
		fail_msg("%s: %s", schema, err.text);
	free(grammar);
}

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
	check("{'type':'any'}", "#/type: expecting the name of a type");
	check("{'type':1}", "#/type: expecting the name of a type");
	check("{'type':[]}", "#/type: nothing matches");
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
	char schema[200], message[200];

	(void)state;
	for (size_t i = 0; i < LENGTH(names); i++) {
		snprintf(schema, sizeof(schema),
		    "{'items':{'properties':{'a/b':{'%s':1}}}}", names[i]);
		snprintf(message, sizeof(message),
		    "#/items/properties/a~1b/%s: '%s' is not supported",
		    names[i], names[i]);
		check(schema, message);
	}
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
}

static void
counts_are_whole_and_bounded(void **state)
{
	(void)state;
	check("{'minLength':-1}", "#/minLength: expecting a whole number");
	check("{'minLength':1.5}", "#/minLength: expecting a whole number");
	check("{'minLength':'1'}", "#/minLength: expecting a whole number");
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
	check("{'items':false,'minItems':1}", "#/minItems: an array has");
}

static void
bounds_are_numbers_that_leave_some(void **state)
{
	(void)state;
	check("{'minimum':'1'}", "#/minimum: expecting a number");
	check("{'minimum':1,'exclusiveMinimum':true}",
	    "#/exclusiveMinimum: expecting a number");
	check("{'maximum':1e300}", "#/maximum: expecting a number of at most");
	check("{'type':'integer','maximum':1e40}", "#: bounds of more than");
	check("{'maximum':1234567890123456}", "#: bounds of more than 15");
	check("{'minimum':1e15}", "#: bounds of more than 15");
	check("{'minimum':2,'maximum':1}", "#: no number of 15 digits lies");
	check("{'type':'integer','minimum':0.1,'maximum':0.9}",
	    "#: no integer lies between");
	check("{'exclusiveMinimum':1,'maximum':1}", "#: no number of 15");
}

static void
lists_of_values_leave_some(void **state)
{
	(void)state;
	check("{'enum':[]}", "#/enum: expecting an array of one value");
	check("{'enum':'a'}", "#/enum: expecting an array of one value");
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

#define OBJECT(kind, required)                        \
	"{'type':'object','properties':{'kind':" kind \
	"},'required':[" required "]}"

static void
alternatives_of_one_of_must_be_told_apart(void **state)
{
	(void)state;
	check("{'oneOf':[]}", "#/oneOf: expecting an array of one schema");
	check("{'oneOf':{}}", "#/oneOf: expecting an array of one schema");
	check("{'oneOf':[{'type':'null'},{'type':['null','string']}]}",
	    "#/oneOf/1: a value might match both this and alternative 0");
	check("{'oneOf':[{'type':'integer'},{'type':'number'}]}",
	    "#/oneOf/1: a value");
	check("{'oneOf':[{'const':1},{'const':1.0}]}", "#/oneOf/1: a value");
	check("{'oneOf':[{'const':9007199254740992},"
	      "{'const':9007199254740993}]}",
	    "#/oneOf/1: a value");
	check("{'oneOf':[{'const':{'a':1,'b':2}},{'const':{'b':2,'a':1}}]}",
	    "#/oneOf/1: a value");
	check_taken("{'oneOf':[{'const':{'a':1,'b':2}},{'const':{'a':1}},"
	            "{'const':[1]},{'const':[2]},{'const':true}]}");
	/* Without a type the others match whatever is no object. */
	check("{'oneOf':[{'type':'null'},{'minLength':1}]}",
	    "#/oneOf/1: a value");
	check_taken("{'oneOf':[" OBJECT("{'const':1}", "'kind'") "," OBJECT(
	    "{'const':2}", "") "]}");
	check("{'oneOf':[" OBJECT("{'const':1}", "") "," OBJECT(
	          "{'const':2}", "") "]}",
	    "#/oneOf/1: a value");
	check("{'oneOf':[" OBJECT("{'enum':[1,2]}", "'kind'") "," OBJECT(
	          "{'const':2}", "'kind'") "]}",
	    "#/oneOf/1: a value");
	check("{'oneOf':[{'type':'object'},{'pattern':1}]}",
	    "#/oneOf/1/pattern: 'pattern' is not supported");
}

/* Many alternatives of many values: refused, rather than compared for ages. */
static void
comparing_has_an_end(void **state)
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
	    cmocka_unit_test(alternatives_of_one_of_must_be_told_apart),
	    cmocka_unit_test(comparing_has_an_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
