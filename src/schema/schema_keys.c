/* SPDX-License-Identifier: MIT */
/* Keys of an object that are none of some names. */
#include <errno.h>
#include <stdint.h>
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

/* b is behind a, and so is no beginning of it. */
static size_t
count_shared(const struct schema_property *a, const struct schema_property *b)
{
	size_t n = 0;

	while (n < a->size && a->name[n] == b->name[n])
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

/* The character at at of a name, which has one there. */
static uint32_t
character(const struct keys *k, size_t name, size_t at)
{
	static const unsigned char first[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
	const unsigned char *text = (const unsigned char *)k->names[name].name;
	size_t length = step(k, name, at);
	uint32_t value = text[at] & first[length];

	for (size_t i = 1; i < length; i++)
		value = value << 6 | (text[at + i] & 0x3f);
	return value;
}

static void
print_character(struct text *t, uint32_t c)
{
	text_print(t, c < 0x100 ? "\\x%02X" : "\\U%08X", (unsigned)c);
}

static void
print_range(struct text *t, uint32_t from, uint32_t to)
{
	if (from > to)
		return;
	print_character(t, from);
	if (from < to) {
		text_print(t, "-");
		print_character(t, to);
	}
}

/* A class of all plain characters with which no name goes on. */
static void
print_others(const struct keys *k, size_t i, size_t at)
{
	/* As "plain" in the rules that every grammar has. */
	static const struct {
		uint32_t from, to;
	} plain[] = {{0x20, 0x21}, {0x23, 0x5b}, {0x5d, 0x7e}, {0x80, 0xd7ff},
	    {0xe000, 0x10ffff}};
	size_t name = i;
	uint32_t from, c;

	if (!find_branch(k, i, at, &name)) {
		text_print(k->out, "plain");
		return;
	}
	text_print(k->out, "[");
	for (size_t p = 0; p < sizeof(plain) / sizeof(plain[0]); p++) {
		from = plain[p].from;
		for (; find_branch(k, i, at, &name); name++) {
			c = character(k, name, at);
			if (c > plain[p].to)
				break;
			print_range(k->out, from, c - 1);
			from = c + 1;
		}
		print_range(k->out, from, plain[p].to);
	}
	text_print(k->out, "]");
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
	text_print(k->out, " ::= ");
	print_others(k, i, at);
	text_print(k->out, " plain*");
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
