/* SPDX-License-Identifier: MIT */
/* What the files share that turn parts of a schema into rules. */
#ifndef TOKPICK_SCHEMA_RULES_H
#define TOKPICK_SCHEMA_RULES_H

#include "../text.h"
#include "json_tree.h"

/*
 * Each schema that is reached becomes one rule, "s" and its number.  The mark
 * of its node is that number and 1; that of a $ref is its target's.
 */
struct rule {
	struct json_node *node;
	size_t first_edge, n_edges; /* it has these, made while it is written */
	bool any;                   /* one of the rules it needs is enough */
};

/* A rule that another one needs before it can end. */
struct edge {
	size_t to;
	bool leads; /* with nothing consumed before it */
};

struct schema {
	struct text out;
	struct rule *rules;
	size_t n_rules, rules_room;
	struct edge *edges;
	size_t n_edges, edges_room;
	bool failed;   /* a rule or an edge could not be added: see err */
	size_t effort; /* comparisons of values that are still allowed */
	struct json_node *root;
	const char *where;
	struct error *err;
};

/* How a rule depends on another that it names. */
enum need {
	MAY_HAVE, /* it can do without */
	MUST_HAVE,
	STARTS_WITH, /* must have, before anything else */
};

/*
 * The number of a schema's rule, which is written later if it isn't yet.  If
 * there are too many, or memory runs out, that is remembered, and
 * write_rules() looks behind each rule.
 */
size_t schema_rule(struct schema *, struct json_node *, enum need);

/* Refuse what stands at the node; always false. */
bool schema_refuse(struct schema *, const struct json_node *, const char *, ...)
    MESSAGE_FORMAT(3, 4);

/* Types, as a set of bits. */
enum {
	TYPE_NULL = 1,
	TYPE_BOOLEAN = 2,
	TYPE_INTEGER = 4,
	TYPE_NUMBER = 8,
	TYPE_STRING = 16,
	TYPE_ARRAY = 32,
	TYPE_OBJECT = 64,
	TYPE_ALL = 127,
};

/* The types that type names; TYPE_ALL if it isn't there. */
bool schema_types(struct schema *, const struct json_node *, unsigned *types);

/*
 * Look at all keywords of a schema: those that are not known are refused, as
 * is what stands beside a keyword that decides all, which goes to *sole (NULL
 * if there is none).  The types that keywords speak of go to *spoken.
 */
bool schema_keywords(struct schema *, const struct json_node *,
    struct json_node **sole, unsigned *spoken);

/* Refuse keywords that say nothing of these types. */
bool schema_vacuous(struct schema *, const struct json_node *, unsigned types);

/* A JSON string without its quotes, in a literal without its own. */
void schema_print_string(struct text *, const char *, size_t);

/* A count such as minItems; *there tells whether it is given. */
bool schema_count(struct schema *, const struct json_node *, const char *name,
    size_t *count, bool *there);

/* "{least,most}", or "{least,}". */
void schema_print_times(struct text *, size_t least, size_t most, bool bounded);

/* Write the alternatives of a rule, up to its line's end. */
bool schema_sole(
    struct schema *, const struct json_node *, struct json_node *sole);
bool schema_values(struct schema *, const struct json_node *);

/* Write one alternative. */
bool schema_string(struct schema *, const struct json_node *);
bool schema_number(struct schema *, const struct json_node *, bool integer);

/* Write "sN-array" or "sN-object", where N is rule, and what these need. */
bool schema_array_rules(struct schema *, const struct json_node *, size_t rule);
bool schema_object_rules(
    struct schema *, const struct json_node *, size_t rule);

struct schema_property {
	const char *name;
	size_t size;
	struct json_node *schema; /* NULL: any value */
	bool required;
};

/*
 * The rule "sN-key" of keys, without quotes, that are none of the names; the
 * node is blamed where one stands there twice.
 */
bool schema_key_rules(struct schema *, const struct json_node *,
    const struct schema_property *names, size_t n, size_t rule);

/* Is a listed value right by the bounds in the schema? */
bool schema_number_fits(struct schema *, const struct json_node *,
    const struct json_node *value, bool *fit);
bool schema_string_fits(struct schema *, const struct json_node *,
    const struct json_node *value, bool *fit);

/*
 * Refuse a oneOf with alternatives that some value might match both.  All
 * rules were written before.
 */
bool schema_check_one_of(struct schema *, const struct json_node *);

/* The types of a value: of a whole number there are two. */
unsigned schema_type_of(const struct json_node *value);

/* The values that enum or const lists; NULL if neither is there. */
struct json_node *schema_listed(const struct json_node *, size_t *n);

/* Refuse rules that lead to themselves, or that can never end. */
bool schema_check_rules(struct schema *);

#endif
