/* SPDX-License-Identifier: MIT */
/* Arrays: a prefix of items each of its own kind, and more of one kind. */
#include "schema_rules.h"

struct array {
	struct json_node *prefix; /* its first item */
	size_t n;                 /* of the prefix */
	struct json_node *rest;   /* NULL: any value, if more is set */
	bool more;                /* items may follow the prefix */
	size_t least, most;
	bool bounded;
};

/* Of a draft in which items would be said of a prefix too? */
static bool
is_older(const struct schema *s)
{
	static const char newest[] =
	    "https://json-schema.org/draft/2020-12/schema";
	const struct json_node *draft = json_node_named(s->root, "$schema");

	return draft != NULL && !json_node_says(draft, newest);
}

static bool
read_prefix(struct schema *s, const struct json_node *node, struct array *a)
{
	struct json_node *list = json_node_named(node, "prefixItems");
	struct json_node *items = json_node_named(node, "items"), *old;

	old = json_node_named(node, "additionalItems");
	if (list == NULL && items != NULL && items->kind == JSON_ARRAY) {
		list = items;
		items = old;
	} else if (old != NULL) {
		return schema_refuse(s, old,
		    "'additionalItems' is not supported where 'items' is no "
		    "array: 'items' says all");
	}
	if (list != NULL && list == json_node_named(node, "prefixItems") &&
	    is_older(s))
		return schema_refuse(s, list,
		    "'prefixItems' is of draft 2020-12, and '$schema' tells of "
		    "another: 'items' means it there");
	if (list != NULL && list->kind != JSON_ARRAY)
		return schema_refuse(s, list, "expecting an array of schemas");
	a->prefix = list != NULL ? list->first : NULL;
	a->n = list != NULL ? list->count : 0;
	a->rest = items;
	a->more = items != NULL ? items->kind != JSON_FALSE : list == NULL;
	return true;
}

static bool
read_bounds(struct schema *s, const struct json_node *node, struct array *a)
{
	const struct json_node *unique = json_node_named(node, "uniqueItems");
	bool there;

	if (unique != NULL && unique->kind != JSON_FALSE)
		return schema_refuse(s, unique,
		    "'uniqueItems' is not supported unless it is false");
	if (!schema_count(s, node, "minItems", &a->least, &there) ||
	    !schema_count(s, node, "maxItems", &a->most, &a->bounded))
		return false;
	if (!a->more && (!a->bounded || a->most > a->n)) {
		a->most = a->n;
		a->bounded = true;
	}
	if (a->bounded && a->least > a->most)
		return schema_refuse(s, json_node_named(node, "minItems"),
		    "an array has at most %zu items by what stands beside it: "
		    "nothing matches",
		    a->most);
	if (a->bounded && a->most <= a->n) {
		a->n = a->most;
		a->more = false;
	}
	return true;
}

/* Whatever may follow the prefix. */
static void
write_item(struct schema *s, const struct array *a, bool required)
{
	if (a->rest == NULL)
		text_print(&s->out, "value");
	else
		text_print(&s->out, "s%zu",
		    schema_rule(s, a->rest, required ? MUST_HAVE : MAY_HAVE));
}

/* ("," sp item){least,most}, after so many that are already there. */
static void
write_rest(struct schema *s, const struct array *a, size_t there)
{
	size_t least = a->least > there ? a->least - there : 0;

	text_print(&s->out, " (\",\" sp ");
	write_item(s, a, least > 0);
	text_print(&s->out, ")");
	schema_print_times(
	    &s->out, least, a->bounded ? a->most - there : 0, a->bounded);
}

/* Of each item of the prefix a rule for it and what follows. */
static void
write_prefix_rules(struct schema *s, const struct array *a, size_t rule)
{
	struct json_node *item = a->prefix;
	size_t number;

	for (size_t i = 0; i < a->n; i++, item = item->next) {
		number = schema_rule(
		    s, item, i < a->least ? MUST_HAVE : MAY_HAVE);
		text_print(&s->out, "s%zu-item-%zu ::= s%zu", rule, i, number);
		if (i + 1 < a->n)
			text_print(&s->out, " (\",\" sp s%zu-item-%zu)%s", rule,
			    i + 1, i + 1 < a->least ? "" : "?");
		else if (a->more)
			write_rest(s, a, a->n);
		text_print(&s->out, "\n");
	}
}

bool
schema_array_rules(struct schema *s, const struct json_node *node, size_t rule)
{
	struct array a = {0};

	if (!read_prefix(s, node, &a) || !read_bounds(s, node, &a))
		return false;
	text_print(&s->out, "s%zu-array ::= \"[\" ", rule);
	if (a.n > 0 || a.more) {
		text_print(&s->out, "(");
		if (a.n > 0) {
			text_print(&s->out, "s%zu-item-0", rule);
		} else {
			write_item(s, &a, a.least > 0);
			write_rest(s, &a, 1);
		}
		text_print(&s->out, a.least > 0 ? ") " : ")? ");
	}
	text_print(&s->out, "\"]\"\n");
	write_prefix_rules(s, &a, rule);
	return true;
}
