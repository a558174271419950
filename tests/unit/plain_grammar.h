/* SPDX-License-Identifier: MIT */
/* Random grammars, and the plainest matcher of them: it tries every way. */
#ifndef TOKPICK_TEST_PLAIN_GRAMMAR_H
#define TOKPICK_TEST_PLAIN_GRAMMAR_H

#include "grammars.h"

enum plain_kind { LITERAL, CLASS, SEQUENCE, CHOICE, REPEAT, RULE };

enum { PARTS_MAX = 3, NODES_MAX = 400, RULES_MAX = 3, NO_MAX = 1000 };

/* A tree of a rule.  Nodes go by number. */
struct plain_node {
	enum plain_kind kind;
	uint32_t ranges[PARTS_MAX][2]; /* a literal's characters: both equal */
	bool others;
	size_t parts[PARTS_MAX], n;
	size_t min, max, rule;
};

struct plain_grammar {
	struct plain_node nodes[NODES_MAX];
	size_t n, roots[RULES_MAX], n_rules;
	char text[1 << 16];
	size_t size;
};

/* Characters that share beginnings, of each length in bytes. */
static const char *const plain_letters[] = {"a", "b", "c", "\u00e9", "\u00fc",
    "\u03b1", "\u65e5", "\u6700", "\U00010400", "\U0001F600"};
static const uint32_t plain_codes[] = {
    'a', 'b', 'c', 0xe9, 0xfc, 0x3b1, 0x65e5, 0x6700, 0x10400, 0x1f600};

/* Writing one: the tree and its text at once. */

static inline void plain_write(struct plain_grammar *g, const char *format, ...)
    MESSAGE_FORMAT(2, 3);

static inline void
plain_write(struct plain_grammar *g, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	g->size += (size_t)vsnprintf(
	    g->text + g->size, sizeof(g->text) - g->size, format, args);
	va_end(args);
	assert_true(g->size < sizeof(g->text));
}

static inline void
plain_literal(
    struct plain_grammar *g, struct plain_node *node, uint64_t *random)
{
	size_t letter;

	node->n = random_below(random, PARTS_MAX + 1);
	plain_write(g, "\"");
	for (size_t i = 0; i < node->n; i++) {
		letter = random_below(random, LENGTH(plain_letters));
		node->ranges[i][0] = node->ranges[i][1] = plain_codes[letter];
		plain_write(g, "%s", plain_letters[letter]);
	}
	plain_write(g, "\" ");
}

static inline void
plain_class(struct plain_grammar *g, struct plain_node *node, uint64_t *random)
{
	size_t from, to;

	node->n = random_below(random, PARTS_MAX + 1);
	node->others = one_in(random, 3);
	plain_write(g, "[%s", node->others ? "^" : "");
	for (size_t i = 0; i < node->n; i++) {
		to = random_below(random, LENGTH(plain_letters));
		from = one_in(random, 2) ? to : random_below(random, to + 1);
		node->ranges[i][0] = plain_codes[from];
		node->ranges[i][1] = plain_codes[to];
		plain_write(g, "%s-%s", plain_letters[from], plain_letters[to]);
	}
	plain_write(g, "] ");
}

static inline size_t plain_make(
    struct plain_grammar *, uint64_t *random, size_t depth);

static inline void
plain_parts(struct plain_grammar *g, size_t number, uint64_t *random,
    size_t depth, const char *between)
{
	struct plain_node *node = &g->nodes[number];

	plain_write(g, "(");
	node->n = random_below(random, PARTS_MAX + 1);
	for (size_t i = 0; i < node->n; i++) {
		plain_write(g, "%s", i > 0 ? between : "");
		node->parts[i] = plain_make(g, random, depth + 1);
	}
	plain_write(g, ") ");
}

static inline void
plain_repeat(
    struct plain_grammar *g, size_t number, uint64_t *random, size_t depth)
{
	struct plain_node *node = &g->nodes[number];

	node->n = 1;
	node->min = random_below(random, 3);
	node->max = node->min + random_below(random, 3);
	if (one_in(random, 2))
		node->max = NO_MAX;
	plain_write(g, "(");
	node->parts[0] = plain_make(g, random, depth + 1);
	if (node->max == NO_MAX && node->min <= 1)
		plain_write(g, ")%c ", "*+"[node->min]);
	else if (node->max == NO_MAX)
		plain_write(g, "){%zu,} ", node->min);
	else
		plain_write(g, "){%zu,%zu} ", node->min, node->max);
}

static inline size_t
plain_make(struct plain_grammar *g, uint64_t *random, size_t depth)
{
	const size_t number = g->n++;
	struct plain_node *node = &g->nodes[number];

	assert_true(number < NODES_MAX);
	*node = (struct plain_node){0};
	node->kind = (enum plain_kind)random_below(random, depth < 3 ? 6 : 2);
	switch (node->kind) {
	case LITERAL:
		plain_literal(g, node, random);
		break;
	case CLASS:
		plain_class(g, node, random);
		break;
	case SEQUENCE:
		plain_parts(g, number, random, depth, "");
		break;
	case CHOICE:
		plain_parts(g, number, random, depth, "| ");
		break;
	case REPEAT:
		plain_repeat(g, number, random, depth);
		break;
	case RULE:
		node->rule = random_below(random, g->n_rules);
		plain_write(g, "r%zu ", node->rule);
		break;
	}
	return number;
}

static inline void
plain_new(struct plain_grammar *g, uint64_t *random)
{
	g->n = g->size = 0;
	g->n_rules = 1 + random_below(random, RULES_MAX);
	for (size_t i = 0; i < g->n_rules; i++) {
		plain_write(g, "r%zu ::= ", i);
		g->roots[i] = plain_make(g, random, 0);
		plain_write(g, "\n");
	}
}

/* Matching. */

/* What is still to be matched: the rest of a node, then what is behind it. */
struct plain_rest {
	size_t node, done; /* parts, characters or repetitions */
	size_t from;       /* where the repetition under way began */
	const struct plain_rest *behind;
};

struct plain_match {
	const struct plain_grammar *g;
	const unsigned char *bytes;
	size_t n;
	size_t left; /* so many steps more before this is given up */
	bool alive, complete;
};

static inline bool
plain_holds(
    const struct plain_node *node, size_t first, size_t last, uint32_t c)
{
	for (size_t i = first; i < last; i++)
		if (c >= node->ranges[i][0] && c <= node->ranges[i][1])
			return !node->others;
	return node->others;
}

/*
 * The numbers of the characters whose bytes begin with those at a place: one
 * if all of it is there.  Returns its length, or 0 if there are none.
 */
static inline size_t
plain_decode(
    const unsigned char *bytes, size_t n, uint32_t *low, uint32_t *high)
{
	static const uint32_t shortest[] = {0, 0, 0x80, 0x800, 0x10000};
	const size_t length = bytes[0] < 0x80 ? 1
	    : bytes[0] < 0xc2                 ? 0
	    : bytes[0] < 0xe0                 ? 2
	    : bytes[0] < 0xf0                 ? 3
	                                      : 4;

	*low = *high = length == 1 ? bytes[0]
	                           : bytes[0] & (length == 2 ? 0x1f : 0x0f);
	for (size_t i = 1; i < length; i++) {
		if (i < n && (bytes[i] & 0xc0) != 0x80)
			return 0;
		*low = *low << 6 | (i < n ? bytes[i] & 0x3f : 0);
		*high = *high << 6 | (i < n ? bytes[i] & 0x3f : 0x3f);
	}
	if (*low < shortest[length])
		*low = shortest[length];
	return *low <= *high ? length : 0;
}

static inline void plain_go(
    struct plain_match *, const struct plain_rest *, size_t at);

/* One character that is among some ranges of a node. */
static inline void
plain_character(struct plain_match *m, const struct plain_node *node,
    size_t first, size_t last, const struct plain_rest *behind, size_t at)
{
	uint32_t low, high;
	size_t length;

	m->alive |= at == m->n;
	if (at == m->n)
		return;
	length = plain_decode(m->bytes + at, m->n - at, &low, &high);
	if (length == 0)
		return;
	if (length <= m->n - at) {
		if (plain_holds(node, first, last, low))
			plain_go(m, behind, at + length);
		return;
	}
	for (; low <= high && !m->alive; low++)
		m->alive = plain_holds(node, first, last, low);
}

/* A repetition more than needed must match something, or none ever ends. */
static inline void
plain_again(struct plain_match *m, const struct plain_node *node,
    const struct plain_rest *rest, size_t at)
{
	struct plain_rest again = *rest, part = {node->parts[0], 0, at, &again};

	if (rest->done > node->min && rest->from == at)
		return;
	again.done++;
	again.from = at;
	if (rest->done >= node->min)
		plain_go(m, rest->behind, at);
	if (node->max == NO_MAX || rest->done < node->max)
		plain_go(m, &part, at);
}

static inline void
plain_go(struct plain_match *m, const struct plain_rest *rest, size_t at)
{
	const struct plain_node *node;
	struct plain_rest next, part = {.behind = &next};

	if (m->left == 0)
		return;
	m->left--;
	if (rest == NULL) {
		m->complete |= at == m->n;
		return;
	}
	node = &m->g->nodes[rest->node];
	next = *rest;
	next.done++;
	switch (node->kind) {
	case LITERAL:
		if (rest->done == node->n)
			plain_go(m, rest->behind, at);
		else
			plain_character(
			    m, node, rest->done, next.done, &next, at);
		break;
	case CLASS:
		plain_character(m, node, 0, node->n, rest->behind, at);
		break;
	case SEQUENCE:
		part.node = node->parts[rest->done % PARTS_MAX];
		plain_go(m, rest->done < node->n ? &part : rest->behind, at);
		break;
	case CHOICE:
		part.behind = rest->behind;
		for (size_t i = 0; i < node->n; i++) {
			part.node = node->parts[i];
			plain_go(m, &part, at);
		}
		if (node->n == 0)
			plain_go(m, rest->behind, at);
		break;
	case REPEAT:
		plain_again(m, node, rest, at);
		break;
	case RULE:
		part.node = m->g->roots[node->rule];
		part.behind = rest->behind;
		plain_go(m, &part, at);
		break;
	}
}

/*
 * Are n bytes the beginning of a text of rule 0, or a whole one?  False if
 * there are too many ways to try.
 */
static inline bool
plain_match(const struct plain_grammar *g, const char *bytes, size_t n,
    bool *alive, bool *complete)
{
	struct plain_match m = {.g = g,
	    .bytes = (const unsigned char *)bytes,
	    .n = n,
	    .left = 20000};
	const struct plain_rest all = {.node = g->roots[0]};

	plain_go(&m, &all, 0);
	*alive = m.alive || m.complete;
	*complete = m.complete;
	return m.left > 0;
}

#endif
