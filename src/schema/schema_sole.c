/* SPDX-License-Identifier: MIT */
/* Schemas that are others: $ref, anyOf, oneOf, allOf. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "json_pointer.h"
#include "schema_rules.h"

/* Does a schema with an identity of its own lie on the way? */
static bool
is_resource(const struct json_node *node)
{
	const struct json_node *id = json_node_named(node, "$id");

	return id != NULL && id->kind == JSON_STRING;
}

static bool
follow(struct schema *s, const struct json_node *ref, char *text,
    struct json_node **target)
{
	char *at = text + 1, *end = text + ref->size;

	if (ref->size == 0 || *text != '#' || (at < end && *at != '/'))
		return schema_refuse(s, ref,
		    "only references within the schema are supported, such "
		    "as '#/$defs/name'");
	for (*target = s->root; at < end;) {
		*target = json_pointer_step(*target, &at, end);
		if (*target == NULL)
			return schema_refuse(s, ref,
			    "it refers to a place that isn't in the schema");
		if (is_resource(*target))
			return schema_refuse(s, ref,
			    "it refers to a place inside a schema with an "
			    "'$id' of its own, which is not supported");
	}
	return true;
}

/* What a $ref refers to; NULL and err if that isn't in the schema. */
static struct json_node *
find_target(struct schema *s, const struct json_node *ref)
{
	struct json_node *target = NULL;
	char *text;
	bool found;

	if (ref->kind != JSON_STRING) {
		schema_refuse(s, ref, "expecting a string");
		return NULL;
	}
	text = malloc(ref->size + 1);
	if (text == NULL) {
		error_system(s->err, ENOMEM, "%s", s->where);
		return NULL;
	}
	memcpy(text, ref->text, ref->size);
	text[ref->size] = '\0';
	found = follow(s, ref, text, &target);
	free(text);
	return found ? target : NULL;
}

static void
add_alternative(struct schema *s, struct json_node *node, bool first)
{
	text_print(&s->out, first ? " s%zu" : " | s%zu",
	    schema_rule(s, node, STARTS_WITH));
}

bool
schema_sole(
    struct schema *s, const struct json_node *node, struct json_node *sole)
{
	struct json_node *target;

	if (sole == json_node_named(node, "$ref")) {
		target = find_target(s, sole);
		if (target == NULL)
			return false;
		add_alternative(s, target, true);
		sole->mark = target->mark;
		text_print(&s->out, "\n");
		return true;
	}
	if (sole->kind != JSON_ARRAY || sole->count == 0)
		return schema_refuse(
		    s, sole, "expecting an array of one schema or more");
	if (sole == json_node_named(node, "allOf") && sole->count > 1)
		return schema_refuse(s, sole,
		    "'allOf' is not supported with more than one schema: "
		    "write them as one");
	for (target = sole->first; target != NULL; target = target->next)
		add_alternative(s, target, target == sole->first);
	text_print(&s->out, "\n");
	return true;
}
