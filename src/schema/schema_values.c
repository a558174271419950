/* SPDX-License-Identifier: MIT */
/* Schemas that list their values: enum and const. */
#include <string.h>

#include "decimal.h"
#include "schema_rules.h"

struct json_node *
schema_listed(const struct json_node *node, size_t *n)
{
	struct json_node *list = json_node_named(node, "enum");

	*n = 1;
	if (list == NULL)
		return json_node_named(node, "const");
	*n = list->count;
	return list->first;
}

static void
print_unescaped(struct text *t, unsigned char c)
{
	if (c == '"')
		text_print(t, "\\\"");
	else if (c == '\\')
		text_print(t, "\\\\");
	else
		text_add(t, (const char *)&c, 1);
}

/* First as JSON has it, then each byte of that as a grammar has it. */
void
schema_print_string(struct text *t, const char *bytes, size_t n)
{
	static const char from[] = "\"\\\b\f\n\r\t", into[] = "\"\\bfnrt";
	const char *found;

	for (size_t i = 0; i < n; i++) {
		found = bytes[i] != '\0' ? strchr(from, bytes[i]) : NULL;
		if (found != NULL) {
			text_print(t, "\\\\");
			print_unescaped(t, (unsigned char)into[found - from]);
		} else if ((unsigned char)bytes[i] < 0x20) {
			text_print(t, "\\\\u%04x", (unsigned)bytes[i]);
		} else {
			text_add(t, &bytes[i], 1);
		}
	}
}

/* Inside a literal, which is closed and opened around blanks. */
static void
print_inside(struct text *t, const struct json_node *node)
{
	static const char *const words[] = {"null", "false", "true"};
	const bool object = node->kind == JSON_OBJECT;

	if (node->kind <= JSON_TRUE) {
		text_print(t, "%s", words[node->kind]);
	} else if (node->kind == JSON_NUMBER) {
		text_add(t, node->text, node->size);
	} else if (node->kind == JSON_STRING) {
		text_print(t, "\\\"");
		schema_print_string(t, node->text, node->size);
		text_print(t, "\\\"");
	} else {
		text_print(t, object ? "{" : "[");
		for (node = node->first; node != NULL; node = node->next) {
			if (object) {
				text_print(t, "\\\"");
				schema_print_string(
				    t, node->key, node->key_size);
				text_print(t, "\\\":\" sp \"");
			}
			print_inside(t, node);
			if (node->next != NULL)
				text_print(t, ",\" sp \"");
		}
		text_print(t, object ? "}" : "]");
	}
}

static void
print_value(struct text *t, const struct json_node *node)
{
	text_print(t, " \"");
	print_inside(t, node);
	text_print(t, "\"");
}

unsigned
schema_type_of(const struct json_node *value)
{
	static const unsigned types[] = {
	    [JSON_NULL] = TYPE_NULL,
	    [JSON_FALSE] = TYPE_BOOLEAN,
	    [JSON_TRUE] = TYPE_BOOLEAN,
	    [JSON_NUMBER] = TYPE_NUMBER,
	    [JSON_STRING] = TYPE_STRING,
	    [JSON_ARRAY] = TYPE_ARRAY,
	    [JSON_OBJECT] = TYPE_OBJECT,
	};
	struct decimal d;

	if (value->kind == JSON_NUMBER &&
	    decimal_read(&d, value->text, value->size) && d.whole)
		return TYPE_NUMBER | TYPE_INTEGER;
	return types[value->kind];
}

/* Beside a list of values only type, and bounds of numbers and strings. */
static bool
check_siblings(struct schema *s, const struct json_node *node, unsigned listed)
{
	static const char *const others[] = {"items", "prefixItems",
	    "additionalItems", "minItems", "maxItems", "uniqueItems",
	    "properties", "required", "additionalProperties"};
	const struct json_node *list = json_node_named(node, "enum"), *other;

	if (list != NULL && json_node_named(node, "const") != NULL)
		return schema_refuse(s, list,
		    "'enum' is not supported beside 'const': take one out");
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		other = json_node_named(node, others[i]);
		if (other != NULL)
			return schema_refuse(s, other,
			    "'%s' is not supported beside '%s': list just the "
			    "values that are right",
			    others[i], list != NULL ? "enum" : "const");
	}
	return schema_vacuous(s, node, listed);
}

static bool
fits(struct schema *s, const struct json_node *node,
    const struct json_node *value, unsigned types, bool *fit)
{
	*fit = (schema_type_of(value) & types) != 0;
	if (*fit && value->kind == JSON_NUMBER)
		return schema_number_fits(s, node, value, fit);
	if (*fit && value->kind == JSON_STRING)
		return schema_string_fits(s, node, value, fit);
	return true;
}

bool
schema_values(struct schema *s, const struct json_node *node)
{
	const struct json_node *list = json_node_named(node, "enum"), *value;
	unsigned types, listed = 0;
	bool fit, any = false;
	size_t n;

	if (list != NULL && (list->kind != JSON_ARRAY || list->count == 0))
		return schema_refuse(
		    s, list, "expecting an array of one value or more");
	value = schema_listed(node, &n);
	for (size_t i = 0; i < n; i++, value = value->next)
		listed |= schema_type_of(value);
	if (!schema_types(s, node, &types) || !check_siblings(s, node, listed))
		return false;
	value = schema_listed(node, &n);
	for (size_t i = 0; i < n; i++, value = value->next) {
		if (!fits(s, node, value, types, &fit))
			return false;
		if (!fit)
			continue;
		if (any)
			text_print(&s->out, " |");
		print_value(&s->out, value);
		any = true;
	}
	text_print(&s->out, "\n");
	if (any)
		return true;
	return schema_refuse(
	    s, node, "none of its values is right by what stands beside them");
}
