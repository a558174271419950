/* SPDX-License-Identifier: MIT */
/* Keys of an object that are none of some names. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../utf8.h"
#include "schema_rules.h"

/*
 * The names, sorted, are a tree in which each beginning of a name is a node.
 * Where the key so far is such a node, it may go on along the tree, leave it
 * by another character, after which anything may follow, or end, unless a
 * name ends there.  Escapes are left out, as they could spell a name too; so
 * names that need some are not looked at.
 */
struct keys {
	struct schema_property *names;
	size_t *shared; /* bytes that each has in common with the one before */
	size_t n;
	size_t rule;
	struct text *out;
};

static bool
is_plain(const struct schema_property *name)
{
	unsigned char c;

	for (size_t i = 0; i < name->size; i++) {
		c = (unsigned char)name->name[i];
		if (c < 0x20 || c == 0x7f || c == '"' || c == '\\')
			return false;
	}
	return true;
}

static int
by_name(const void *a, const void *b)
{
	const struct schema_property *x = a, *y = b;
	size_t n = x->size < y->size ? x->size : y->size;
	int order = n > 0 ? memcmp(x->name, y->name, n) : 0;

	return order != 0 ? order : (x->size > y->size) - (x->size < y->size);
}

static size_t
count_shared(const struct schema_property *a, const struct schema_property *b)
{
	size_t n = 0;

	while (n < a->size && n < b->size && a->name[n] == b->name[n])
		n++;
	return n;
}

/* The length of a name's character at at; 0 at its end. */
static size_t
step(const struct keys *k, size_t name, size_t at)
{
	return utf8_length((const unsigned char *)k->names[name].name + at,
	    k->names[name].size - at);
}

/*
 * The next name, *j or behind, with which the tree goes on from the node that
 * is the first at bytes of *j's; each further character once.
 */
static bool
find_branch(const struct keys *k, size_t i, size_t at, size_t *j)
{
	for (; *j < k->n && (*j == i || k->shared[*j] >= at); (*j)++)
		if (step(k, *j, at) > 0 &&
		    (*j == i || k->shared[*j] < at + step(k, *j, at)))
			return true;
	return false;
}

/* Bytes as a class of characters has them. */
static void
print_member(struct text *t, const char *bytes, size_t n)
{
	if (n > 1)
		text_add(t, bytes, n);
	else
		text_print(t, "\\x%02X", (unsigned)*bytes);
}

static void
print_name(const struct keys *k, size_t i, size_t at)
{
	text_print(k->out, "s%zu-key", k->rule);
	if (at > 0)
		text_print(k->out, "-%zu-%zu", i, at);
}

/* The rule of what follows the first at bytes of name i. */
static void
write_node(const struct keys *k, size_t i, size_t at)
{
	size_t length;

	print_name(k, i, at);
	text_print(k->out, " ::= [^\"\\\\\\x00-\\x1F\\x7F");
	for (size_t j = i; find_branch(k, i, at, &j); j++)
		print_member(k->out, k->names[j].name + at, step(k, j, at));
	text_print(k->out, "] plain*");
	for (size_t j = i; find_branch(k, i, at, &j); j++) {
		length = step(k, j, at);
		text_print(
		    k->out, " | \"%.*s\" ", (int)length, k->names[j].name + at);
		print_name(k, j, at + length);
	}
	if (k->names[i].size != at)
		text_print(k->out, " | \"\"");
	text_print(k->out, "\n");
}

static bool
write_nodes(struct schema *s, const struct json_node *node, struct keys *k)
{
	size_t length;

	for (size_t i = 1; i < k->n; i++)
		k->shared[i] = count_shared(&k->names[i - 1], &k->names[i]);
	for (size_t i = 0; i < k->n; i++) {
		if (i > 0 && by_name(&k->names[i - 1], &k->names[i]) == 0)
			return schema_refuse(
			    s, node, "'required' has a name twice");
		for (size_t at = 0;; at += length) {
			if (i == 0 || at > k->shared[i])
				write_node(k, i, at);
			length = step(k, i, at);
			if (length == 0)
				break;
		}
	}
	if (k->n == 0)
		text_print(k->out, "s%zu-key ::= plain*\n", k->rule);
	return true;
}

bool
schema_key_rules(struct schema *s, const struct json_node *node,
    const struct schema_property *names, size_t n, size_t rule)
{
	struct keys k = {.rule = rule, .out = &s->out};
	bool done = false;

	k.names = calloc(n + 1, sizeof(*k.names));
	k.shared = calloc(n + 1, sizeof(*k.shared));
	if (k.names == NULL || k.shared == NULL) {
		error_system(s->err, ENOMEM, "%s", s->where);
	} else {
		for (size_t i = 0; i < n; i++)
			if (is_plain(&names[i]))
				k.names[k.n++] = names[i];
		qsort(k.names, k.n, sizeof(*k.names), by_name);
		done = write_nodes(s, node, &k);
	}
	free(k.names);
	free(k.shared);
	return done;
}
