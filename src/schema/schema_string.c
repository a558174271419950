/* SPDX-License-Identifier: MIT */
/* Counts, as minItems is one, and strings by their length. */
#include "decimal.h"
#include "schema_rules.h"

/* What a grammar may repeat. */
enum { COUNT_MAX = 2000 };

bool
schema_count(struct schema *s, const struct json_node *node, const char *name,
    size_t *count, bool *there)
{
	const struct json_node *value = json_node_named(node, name);
	struct decimal d;

	*there = value != NULL;
	if (value == NULL)
		return true;
	if (value->kind != JSON_NUMBER ||
	    !decimal_read(&d, value->text, value->size) || !d.whole ||
	    d.negative)
		return schema_refuse(
		    s, value, "expecting a whole number, 0 or above");
	*count = 0;
	for (int i = 0; i < d.point && *count <= COUNT_MAX; i++)
		*count = 10 * *count + (size_t)(d.digits[i] - '0');
	if (*count <= COUNT_MAX)
		return true;
	return schema_refuse(
	    s, value, "'%s' above %d is not supported", name, COUNT_MAX);
}

void
schema_print_times(struct text *t, size_t least, size_t most, bool bounded)
{
	if (bounded)
		text_print(t, "{%zu,%zu}", least, most);
	else
		text_print(t, "{%zu,}", least);
}

static bool
read_lengths(struct schema *s, const struct json_node *node, size_t *least,
    size_t *most, bool *bounded, bool *any)
{
	bool there;

	*least = *most = 0;
	if (!schema_count(s, node, "minLength", least, &there) ||
	    !schema_count(s, node, "maxLength", most, bounded))
		return false;
	*any = !there && !*bounded;
	if (!*bounded || *least <= *most)
		return true;
	return schema_refuse(s, json_node_named(node, "minLength"),
	    "it is above 'maxLength': nothing matches");
}

bool
schema_string(struct schema *s, const struct json_node *node)
{
	size_t least, most;
	bool bounded, any;

	if (!read_lengths(s, node, &least, &most, &bounded, &any))
		return false;
	if (any) {
		text_print(&s->out, "string");
		return true;
	}
	text_print(&s->out, "\"\\\"\" char");
	schema_print_times(&s->out, least, most, bounded);
	text_print(&s->out, " \"\\\"\"");
	return true;
}

bool
schema_string_fits(struct schema *s, const struct json_node *node,
    const struct json_node *value, bool *fit)
{
	size_t least, most, length = 0;
	bool bounded, any;

	if (!read_lengths(s, node, &least, &most, &bounded, &any))
		return false;
	for (size_t i = 0; i < value->size; i++)
		length += (value->text[i] & 0xc0) != 0x80;
	*fit = length >= least && (!bounded || length <= most);
	return true;
}
