/* SPDX-License-Identifier: MIT */
/* Telling that no value matches two schemas, as oneOf wants it. */
#include <string.h>

#include "../always.h"
#include "decimal.h"
#include "schema_rules.h"

/* References that are followed before giving up. */
enum { HOPS = 50 };

/*
 * One more comparison, of so many bytes; false when there were too many.  What
 * is done over and over asks; what ends soon only counts.
 */
static bool
spend(struct schema *s, size_t bytes)
{
	size_t effort = 1 + bytes / 64;

	if (s->effort < effort) {
		s->effort = 0;
		return false;
	}
	s->effort -= effort;
	return true;
}

static bool
numbers_differ(const struct json_node *a, const struct json_node *b)
{
	struct decimal x, y;

	return decimal_read(&x, a->text, a->size) &&
	    decimal_read(&y, b->text, b->size) && x.exact && y.exact &&
	    decimal_compare(&x, &y) != 0;
}

static bool values_differ(
    struct schema *, const struct json_node *, const struct json_node *);

/* Some key is in one only, or what it has differs. */
static bool
objects_differ(
    struct schema *s, const struct json_node *a, const struct json_node *b)
{
	const struct json_node *other;

	if (a->count != b->count)
		return true;
	for (a = a->first; a != NULL; a = a->next) {
		other = json_node_get(b, a->key, a->key_size);
		if (other == NULL || values_differ(s, a, other))
			return true;
	}
	return false;
}

static bool
arrays_differ(
    struct schema *s, const struct json_node *a, const struct json_node *b)
{
	if (a->count != b->count)
		return true;
	b = b->first;
	for (a = a->first; a != NULL; a = a->next, b = b->next)
		if (values_differ(s, a, b))
			return true;
	return false;
}

static bool
values_differ(
    struct schema *s, const struct json_node *a, const struct json_node *b)
{
	if (!spend(s, a->size + a->key_size))
		return false;
	if (a->kind != b->kind)
		return true;
	switch (a->kind) {
	case JSON_NUMBER:
		return numbers_differ(a, b);
	case JSON_STRING:
		return a->size != b->size ||
		    memcmp(a->text, b->text, a->size) != 0;
	case JSON_ARRAY:
		return arrays_differ(s, a, b);
	case JSON_OBJECT:
		return objects_differ(s, a, b);
	default:
		return false;
	}
}

/* Through $ref, to what it means in the end; NULL if that isn't told. */
static const struct json_node *
resolve(struct schema *s, const struct json_node *node)
{
	const struct json_node *ref;

	for (int i = 0; i < HOPS && node->kind == JSON_OBJECT; i++) {
		ref = json_node_named(node, "$ref");
		if (ref == NULL)
			return node;
		if (NEVER(ref->mark == 0)) /* all rules were written before */
			break;
		spend(s, 0);
		node = s->rules[ref->mark - 1].node;
	}
	return NULL;
}

/* All types that values of it may have; every integer is a number too. */
static unsigned
types_of(struct schema *s, const struct json_node *node)
{
	const struct json_node *value;
	unsigned types, listed = 0;
	size_t n;

	schema_types(s, node, &types); /* right, since its rule was written */
	if ((types & (TYPE_INTEGER | TYPE_NUMBER)) != 0)
		types |= TYPE_INTEGER | TYPE_NUMBER;
	value = schema_listed(node, &n);
	if (value == NULL)
		return types;
	for (; n > 0; n--, value = value->next) {
		spend(s, 0);
		listed |= schema_type_of(value);
	}
	return types & listed;
}

/* Both list values, and none is in both lists. */
static bool
lists_disjoint(
    struct schema *s, const struct json_node *a, const struct json_node *b)
{
	const struct json_node *x, *y;
	size_t n, m, count;

	x = schema_listed(a, &n);
	y = schema_listed(b, &count);
	if (x == NULL || y == NULL)
		return false;
	for (; n > 0; n--, x = x->next) {
		b = y;
		for (m = count; m > 0; m--, b = b->next)
			if (!values_differ(s, x, b))
				return false;
	}
	return true;
}

static bool
is_required(struct schema *s, const struct json_node *schema,
    const struct json_node *property)
{
	const struct json_node *list = json_node_named(schema, "required");

	if (list == NULL)
		return false;
	for (list = list->first; list != NULL; list = list->next) {
		spend(s, 0);
		if (list->size == property->key_size &&
		    memcmp(list->text, property->key, list->size) == 0)
			return true;
	}
	return false;
}

static bool
simply_disjoint(
    struct schema *s, const struct json_node *a, const struct json_node *b)
{
	return (types_of(s, a) & types_of(s, b)) == 0 ||
	    lists_disjoint(s, a, b);
}

/*
 * A property that both describe, and can't be the same in both.  Where it is
 * required in one, nothing matches both.
 */
static bool
told_apart(
    struct schema *s, const struct json_node *a, const struct json_node *b)
{
	const struct json_node *x = json_node_named(a, "properties");
	const struct json_node *y = json_node_named(b, "properties");
	const struct json_node *one, *other;

	if (x == NULL || y == NULL)
		return false;
	for (x = x->first; x != NULL; x = x->next) {
		if (!spend(s, 0))
			return false;
		other = json_node_get(y, x->key, x->key_size);
		if (other == NULL ||
		    (!is_required(s, a, x) && !is_required(s, b, x)))
			continue;
		one = resolve(s, x);
		other = resolve(s, other);
		if (one != NULL && other != NULL &&
		    simply_disjoint(s, one, other))
			return true;
	}
	return false;
}

static bool
disjoint(struct schema *s, const struct json_node *a, const struct json_node *b)
{
	spend(s, 0);
	a = resolve(s, a);
	b = resolve(s, b);
	if (a == NULL || b == NULL)
		return false;
	if (simply_disjoint(s, a, b))
		return true;
	return (types_of(s, a) & types_of(s, b)) == TYPE_OBJECT &&
	    told_apart(s, a, b);
}

static bool
check_pair(
    struct schema *s, const struct json_node *a, const struct json_node *b)
{
	bool apart = disjoint(s, a, b);

	if (s->effort == 0)
		return schema_refuse(s, a->parent,
		    "too much to compare: perhaps 'anyOf' will do");
	if (apart)
		return true;
	return schema_refuse(s, b,
	    "a value might match both this and alternative %zu, which 'oneOf' "
	    "forbids: perhaps 'anyOf' is meant",
	    a->index);
}

bool
schema_check_one_of(struct schema *s, const struct json_node *node)
{
	const struct json_node *list = json_node_named(node, "oneOf"), *a, *b;

	if (list == NULL)
		return true;
	for (b = list->first; b != NULL; b = b->next)
		for (a = list->first; a != b; a = a->next)
			if (!check_pair(s, a, b))
				return false;
	return true;
}
