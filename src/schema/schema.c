/* SPDX-License-Identifier: MIT */
/* JSON Schema, turned into a grammar: a rule for each schema that is reached.
 */
#include "schema.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../array.h"
#include "json_pointer.h"
#include "schema_rules.h"

enum { RULES_MAX = 100000, EFFORT = 10000000 };

/*
 * What every grammar begins with: any JSON value, with characters of strings
 * counted as validators count them, so that half a surrogate pair is none.
 * Classes list what they hold, since [^...] holds halves of pairs too.
 */
static const char prelude[] =
    "sp ::= \" \"?\n"
    "hex ::= [0-9A-Fa-f]\n"
    "unit ::= [0-9A-CE-Fa-ce-f] hex hex hex | [Dd] [0-7] hex hex | "
    "[Dd] [89ABab] hex hex \"\\\\u\" [Dd] [C-Fc-f] hex hex\n"
    "plain ::= [\\x20-\\x21\\x23-\\x5B\\x5D-\\x7E\\x80-\\uD7FF"
    "\\uE000-\\U0010FFFF]\n"
    "char ::= plain | "
    "\"\\\\\" ([\"\\\\/bfnrt] | \"u\" unit)\n"
    "string ::= \"\\\"\" char* \"\\\"\"\n"
    "integer ::= \"0\" | \"-\"? [1-9] [0-9]{0,14}\n"
    "number ::= \"-\"? (\"0\" | [1-9] [0-9]{0,14}) (\".\" [0-9]{1,15})? "
    "([Ee] [-+]? [0-9]{1,2})?\n"
    "boolean ::= \"true\" | \"false\"\n"
    "array ::= \"[\" (value (\",\" sp value)*)? \"]\"\n"
    "pair ::= string \":\" sp value\n"
    "object ::= \"{\" (pair (\",\" sp pair)*)? \"}\"\n"
    "value ::= object | array | string | number | boolean | \"null\"\n"
    "root ::= s0\n";

bool
schema_refuse(
    struct schema *s, const struct json_node *node, const char *format, ...)
{
	char path[401], what[400];
	va_list args;

	va_start(args, format);
	vsnprintf(what, sizeof(what), format, args);
	va_end(args);
	json_pointer_print(path, sizeof(path), node);
	return error_set(
	    s->err, STATUS_USAGE, "%s: %s: %s", s->where, path, what);
}

static bool
lost(struct schema *s)
{
	s->failed = true;
	return error_system(s->err, ENOMEM, "%s", s->where);
}

static void
add_rule(struct schema *s, struct json_node *node)
{
	if (s->n_rules == RULES_MAX) {
		s->failed = true;
		schema_refuse(s, node,
		    "more than %d schemas lie inside this one", RULES_MAX);
	} else if (array_room(&s->rules, &s->rules_room, s->n_rules + 1,
	               sizeof(*s->rules))) {
		s->rules[s->n_rules] = (struct rule){.node = node};
		node->mark = ++s->n_rules;
	} else {
		lost(s);
	}
}

static void
add_edge(struct schema *s, size_t to, bool leads)
{
	if (array_room(
	        &s->edges, &s->edges_room, s->n_edges + 1, sizeof(*s->edges)))
		s->edges[s->n_edges++] = (struct edge){
		    .to = to, .leads = leads};
	else
		lost(s);
}

size_t
schema_rule(struct schema *s, struct json_node *node, enum need need)
{
	if (node->mark == 0 && !s->failed)
		add_rule(s, node);
	if (s->failed)
		return 0;
	if (need != MAY_HAVE)
		add_edge(s, node->mark - 1, need == STARTS_WITH);
	return node->mark - 1;
}

/* Types in the order in which they are listed as alternatives. */
static bool
write_types(
    struct schema *s, const struct json_node *node, unsigned types, size_t rule)
{
	struct text *out = &s->out;
	const char *between = "";

	for (unsigned type = 1; type <= TYPE_OBJECT; type <<= 1) {
		if ((types & type) == 0)
			continue;
		text_print(out, "%s ", between);
		between = " |";
		if (type == TYPE_NULL)
			text_print(out, "\"null\"");
		else if (type == TYPE_BOOLEAN)
			text_print(out, "boolean");
		else if (type == TYPE_ARRAY)
			text_print(out, "s%zu-array", rule);
		else if (type == TYPE_OBJECT)
			text_print(out, "s%zu-object", rule);
		else if (type == TYPE_STRING
		        ? !schema_string(s, node)
		        : !schema_number(s, node, type == TYPE_INTEGER))
			return false;
	}
	text_print(out, "\n");
	return ((types & TYPE_ARRAY) == 0 ||
	           schema_array_rules(s, node, rule)) &&
	    ((types & TYPE_OBJECT) == 0 || schema_object_rules(s, node, rule));
}

static bool
write_typed(struct schema *s, const struct json_node *node, unsigned spoken,
    size_t rule)
{
	const struct json_node *type = json_node_named(node, "type");
	unsigned types = spoken;

	if (type != NULL && !schema_types(s, node, &types))
		return false;
	if (types == 0) {
		text_print(&s->out, " value\n");
		return true;
	}
	if ((types & TYPE_NUMBER) != 0)
		types &= ~(unsigned)TYPE_INTEGER;
	if (!schema_vacuous(s, node, types) ||
	    !write_types(s, node, types, rule))
		return false;
	/* Whatever arrays and objects need: others may stand in for them. */
	if ((types & ~(unsigned)(TYPE_ARRAY | TYPE_OBJECT)) != 0)
		s->n_edges = s->rules[rule].first_edge;
	return true;
}

static bool
write_rule(struct schema *s, size_t rule)
{
	const struct json_node *node = s->rules[rule].node;
	struct json_node *sole;
	unsigned spoken;

	text_print(&s->out, "s%zu ::=", rule);
	if (node->kind == JSON_TRUE) {
		text_print(&s->out, " value\n");
		return true;
	}
	if (node->kind == JSON_FALSE)
		return schema_refuse(s, node, "nothing matches 'false'");
	if (node->kind != JSON_OBJECT)
		return schema_refuse(
		    s, node, "a schema is an object, true or false");
	if (!schema_keywords(s, node, &sole, &spoken))
		return false;
	if (sole != NULL) {
		s->rules[rule].any = true;
		return schema_sole(s, node, sole);
	}
	if (json_node_named(node, "enum") != NULL ||
	    json_node_named(node, "const") != NULL)
		return schema_values(s, node);
	return write_typed(s, node, spoken, rule);
}

/* Rules are added at the end while the ones before are written. */
static bool
write_rules(struct schema *s)
{
	text_add(&s->out, prelude, sizeof(prelude) - 1);
	schema_rule(s, s->root, MAY_HAVE);
	for (size_t i = 0; i < s->n_rules && !s->failed; i++) {
		s->rules[i].first_edge = s->n_edges;
		if (!write_rule(s, i))
			return false;
		s->rules[i].n_edges = s->n_edges - s->rules[i].first_edge;
		if (s->out.lost)
			return lost(s);
		if (s->out.full)
			return schema_refuse(s, s->root,
			    "its grammar is larger than %d bytes", TEXT_CAP);
	}
	if (s->failed)
		return false;
	for (size_t i = 0; i < s->n_rules; i++)
		if (!schema_check_one_of(s, s->rules[i].node))
			return false;
	return true;
}

char *
schema_to_gbnf(
    const char *text, size_t size, const char *where, struct error *err)
{
	struct schema s = {.where = where, .err = err, .effort = EFFORT};
	struct json_tree *tree;
	bool done;

	tree = json_tree_read(text, size, where, err);
	if (tree == NULL)
		return NULL;
	s.root = tree->root;
	done = write_rules(&s) && schema_check_rules(&s);
	json_tree_free(tree);
	free(s.rules);
	free(s.edges);
	if (done)
		return s.out.bytes;
	free(s.out.bytes);
	return NULL;
}
