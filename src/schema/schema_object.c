/* SPDX-License-Identifier: MIT */
/* Objects: properties in their order, and others behind them. */
#include <errno.h>
#include <stdlib.h>

#include "schema_rules.h"

struct object {
	struct schema_property *list;
	size_t n;
	struct json_node *more_schema; /* NULL: any value, if more is set */
	bool more;                     /* other properties may follow */
};

static bool
read_properties(
    struct schema *s, struct json_node *properties, struct object *o)
{
	if (properties == NULL)
		return true;
	if (properties->kind != JSON_OBJECT)
		return schema_refuse(
		    s, properties, "expecting an object of schemas");
	for (struct json_node *c = properties->first; c != NULL; c = c->next)
		o->list[o->n++] = (struct schema_property){
		    .name = c->key, .size = c->key_size, .schema = c};
	return true;
}

/* A name that is no property is one more, where others are allowed. */
static bool
require(struct schema *s, const struct json_node *properties,
    const struct json_node *name, struct object *o)
{
	const struct json_node *property = NULL;

	if (name->kind != JSON_STRING)
		return schema_refuse(s, name, "expecting a string");
	if (properties != NULL)
		property = json_node_get(properties, name->text, name->size);
	if (property != NULL)
		o->list[property->index].required = true;
	else if (o->more)
		o->list[o->n++] = (struct schema_property){.name = name->text,
		    .size = name->size,
		    .schema = o->more_schema,
		    .required = true};
	else
		return schema_refuse(s, name,
		    "it is none of the properties, and "
		    "'additionalProperties' allows no others");
	return true;
}

static bool
read_object(struct schema *s, const struct json_node *node, struct object *o)
{
	struct json_node *properties = json_node_named(node, "properties");
	struct json_node *required = json_node_named(node, "required");
	size_t room = 1;

	*o = (struct object){0};
	o->more_schema = json_node_named(node, "additionalProperties");
	o->more = o->more_schema != NULL ? o->more_schema->kind != JSON_FALSE
	                                 : properties == NULL;
	if (required != NULL && required->kind != JSON_ARRAY)
		return schema_refuse(s, required, "expecting an array");
	room += properties != NULL ? properties->count : 0;
	room += required != NULL ? required->count : 0;
	o->list = calloc(room, sizeof(o->list[0]));
	if (o->list == NULL)
		return error_system(s->err, ENOMEM, "%s", s->where);
	if (!read_properties(s, properties, o))
		return false;
	if (required != NULL)
		required = required->first;
	for (; required != NULL; required = required->next)
		if (!require(s, properties, required, o))
			return false;
	return true;
}

static void
write_schema(struct schema *s, struct json_node *node, bool required)
{
	if (node == NULL)
		text_print(&s->out, "value\n");
	else
		text_print(&s->out, "s%zu\n",
		    schema_rule(s, node, required ? MUST_HAVE : MAY_HAVE));
}

/*
 * Each property may be the first that is there, up to one that must be.
 * What follows is then the same whoever was first, so that there are as many
 * rules as properties, and not as many as choices among them.
 */
static void
write_firsts(struct schema *s, const struct object *o, size_t rule)
{
	size_t i = 0;

	text_print(&s->out, "s%zu-object ::= \"{\" (", rule);
	for (; i < o->n && (i == 0 || !o->list[i - 1].required); i++)
		text_print(&s->out, "%ss%zu-%zu s%zu-after-%zu",
		    i > 0 ? " | " : "", rule, i, rule, i);
	if (i == o->n && (i == 0 || !o->list[i - 1].required)) {
		if (o->more)
			text_print(&s->out, "%ss%zu-more (\",\" sp s%zu-more)*",
			    i > 0 ? " | " : "", rule, rule);
		text_print(&s->out, i > 0 || o->more ? " | \"\"" : "\"\"");
	}
	text_print(&s->out, ") \"}\"\n");
}

static void
write_property(struct schema *s, const struct object *o, size_t i, size_t rule)
{
	const struct schema_property *p = &o->list[i];

	text_print(&s->out, "s%zu-%zu ::= \"\\\"", rule, i);
	schema_print_string(&s->out, p->name, p->size);
	text_print(&s->out, "\\\":\" sp ");
	write_schema(s, p->schema, p->required);
	text_print(&s->out, "s%zu-after-%zu ::= ", rule, i);
	if (i + 1 < o->n)
		text_print(&s->out, "(\",\" sp s%zu-%zu)%s s%zu-after-%zu\n",
		    rule, i + 1, o->list[i + 1].required ? "" : "?", rule,
		    i + 1);
	else if (o->more)
		text_print(&s->out, "(\",\" sp s%zu-more)*\n", rule);
	else
		text_print(&s->out, "\"\"\n");
}

static bool
write_object(struct schema *s, const struct json_node *node,
    const struct object *o, size_t rule)
{
	write_firsts(s, o, rule);
	for (size_t i = 0; i < o->n; i++)
		write_property(s, o, i, rule);
	if (!o->more)
		return true;
	text_print(&s->out, "s%zu-more ::= \"\\\"\" s%zu-key \"\\\":\" sp ",
	    rule, rule);
	write_schema(s, o->more_schema, false);
	return schema_key_rules(s, node, o->list, o->n, rule);
}

bool
schema_object_rules(struct schema *s, const struct json_node *node, size_t rule)
{
	struct object o;
	bool done;

	done = read_object(s, node, &o) && write_object(s, node, &o, rule);
	free(o.list);
	return done;
}
