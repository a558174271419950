/* SPDX-License-Identifier: MIT */
/* The keywords of JSON Schema that are known, and what may stand together. */
#include <string.h>

#include "schema_rules.h"

/* A keyword that only describes, and one beside which no other may stand. */
enum { REMARK = 0, SOLE = 256 };

static const struct keyword {
	const char *name;
	unsigned types; /* of which it says something; or one of the above */
} keywords[] = {
    {"$comment", REMARK},
    {"$defs", REMARK},
    {"$id", REMARK},
    {"$ref", SOLE},
    {"$schema", REMARK},
    {"additionalItems", TYPE_ARRAY},
    {"additionalProperties", TYPE_OBJECT},
    {"allOf", SOLE},
    {"anyOf", SOLE},
    {"const", TYPE_ALL},
    {"default", REMARK},
    {"definitions", REMARK},
    {"deprecated", REMARK},
    {"description", REMARK},
    {"enum", TYPE_ALL},
    {"examples", REMARK},
    {"exclusiveMaximum", TYPE_INTEGER | TYPE_NUMBER},
    {"exclusiveMinimum", TYPE_INTEGER | TYPE_NUMBER},
    {"items", TYPE_ARRAY},
    {"maxItems", TYPE_ARRAY},
    {"maxLength", TYPE_STRING},
    {"maximum", TYPE_INTEGER | TYPE_NUMBER},
    {"minItems", TYPE_ARRAY},
    {"minLength", TYPE_STRING},
    {"minimum", TYPE_INTEGER | TYPE_NUMBER},
    {"oneOf", SOLE},
    {"prefixItems", TYPE_ARRAY},
    {"properties", TYPE_OBJECT},
    {"readOnly", REMARK},
    {"required", TYPE_OBJECT},
    {"title", REMARK},
    {"type", TYPE_ALL},
    {"uniqueItems", TYPE_ARRAY},
    {"writeOnly", REMARK},
};

static const char *const type_names[] = {
    "null", "boolean", "integer", "number", "string", "array", "object"};
enum { TYPES = sizeof(type_names) / sizeof(type_names[0]) };

static const struct keyword *
find_keyword(const struct json_node *node)
{
	for (size_t i = 0; i < sizeof(keywords) / sizeof(keywords[0]); i++)
		if (strlen(keywords[i].name) == node->key_size &&
		    memcmp(keywords[i].name, node->key, node->key_size) == 0)
			return &keywords[i];
	return NULL;
}

static bool
add_type(struct schema *s, const struct json_node *name, unsigned *types)
{
	for (unsigned i = 0; i < TYPES; i++)
		if (json_node_says(name, type_names[i])) {
			if ((*types & 1u << i) != 0)
				return schema_refuse(
				    s, name, "it is listed twice");
			*types |= 1u << i;
			return true;
		}
	return schema_refuse(s, name,
	    "expecting the name of a type: null, boolean, integer, number, "
	    "string, array or object");
}

bool
schema_types(struct schema *s, const struct json_node *node, unsigned *types)
{
	const struct json_node *type = json_node_named(node, "type");

	*types = TYPE_ALL;
	if (type == NULL)
		return true;
	*types = 0;
	if (type->kind != JSON_ARRAY)
		return add_type(s, type, types);
	for (type = type->first; type != NULL; type = type->next)
		if (!add_type(s, type, types))
			return false;
	if (*types != 0)
		return true;
	return schema_refuse(s, json_node_named(node, "type"),
	    "nothing matches a list of no types");
}

bool
schema_keywords(struct schema *s, const struct json_node *node,
    struct json_node **sole, unsigned *spoken)
{
	const struct json_node *other = NULL;
	const struct keyword *k;

	*sole = NULL;
	*spoken = 0;
	for (struct json_node *c = node->first; c != NULL; c = c->next) {
		k = find_keyword(c);
		if (k == NULL)
			return schema_refuse(s, c,
			    "'%.*s' is not supported: tokpick(1) lists the "
			    "keywords that are, under JSON Schema",
			    (int)(c->key_size < 100 ? c->key_size : 100),
			    c->key);
		if (strcmp(k->name, "$id") == 0 && node != s->root)
			return schema_refuse(s, c,
			    "'$id' is not supported inside a schema: "
			    "references would mean something else");
		if (k->types == SOLE && *sole == NULL)
			*sole = c;
		else if (k->types != REMARK)
			other = c;
		if (k->types != TYPE_ALL)
			*spoken |= k->types;
	}
	if (*sole != NULL && other != NULL)
		return schema_refuse(s, other,
		    "'%s' is not supported beside '%s': put all that counts "
		    "into the latter",
		    find_keyword(other)->name, find_keyword(*sole)->name);
	return true;
}

bool
schema_vacuous(struct schema *s, const struct json_node *node, unsigned types)
{
	const struct keyword *k;

	for (const struct json_node *c = node->first; c != NULL; c = c->next) {
		k = find_keyword(c);
		if (k->types != REMARK && (k->types & types) == 0)
			return schema_refuse(s, c,
			    "'%s' says nothing of the types that this schema "
			    "allows: take it out, or mend 'type'",
			    k->name);
	}
	return true;
}
