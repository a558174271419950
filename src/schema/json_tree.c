/* SPDX-License-Identifier: MIT */
/* A JSON text, read strictly into a tree. */
#include "json_tree.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "json_string.h"

struct reader {
	struct json_tree *tree;
	const char *text, *at, *end;
	char *pool;             /* the part not used yet */
	struct json_node *open; /* the innermost one that isn't closed */
	size_t depth;
	const char *key; /* of the value to come */
	size_t key_size;
	const char *where;
	struct error *err;
};

static bool
fail(struct reader *r, const char *what)
{
	size_t line = 1, column = 1;

	for (const char *c = r->text; c < r->at; c++) {
		if (*c == '\n') {
			line++;
			column = 1;
		} else if ((*c & 0xc0) != 0x80) {
			column++;
		}
	}
	return error_set(r->err, STATUS_USAGE, "%s: line %zu, column %zu: %s",
	    r->where, line, column, what);
}

static void
skip_blanks(struct reader *r)
{
	while (r->at < r->end &&
	    (*r->at == ' ' || *r->at == '\t' || *r->at == '\n' ||
	        *r->at == '\r'))
		r->at++;
}

/* The next byte that isn't blank; NUL, which begins nothing, at the end. */
static char
peek(struct reader *r)
{
	skip_blanks(r);
	return r->at < r->end ? *r->at : '\0';
}

/* At a quote. */
static bool
read_string(struct reader *r, const char **text, size_t *size)
{
	const char *wrong;
	char *to = r->pool;

	r->at++;
	while (r->at < r->end && *r->at != '"') {
		wrong = json_string_step(&r->at, r->end, &to);
		if (wrong != NULL)
			return fail(r, wrong);
	}
	if (r->at == r->end)
		return fail(r, "expecting '\"': a string has no end");
	r->at++;
	*text = r->pool;
	*size = (size_t)(to - r->pool);
	r->pool = to;
	return true;
}

static bool
skip_digits(struct reader *r)
{
	const char *from = r->at;

	while (r->at < r->end && *r->at >= '0' && *r->at <= '9')
		r->at++;
	if (r->at > from)
		return true;
	return fail(r, "expecting a digit");
}

static bool
skip_number(struct reader *r)
{
	if (*r->at == '-')
		r->at++;
	if (r->at < r->end && *r->at == '0')
		r->at++;
	else if (!skip_digits(r))
		return false;
	if (r->at < r->end && *r->at == '.') {
		r->at++;
		if (!skip_digits(r))
			return false;
	}
	if (r->at < r->end && (*r->at == 'e' || *r->at == 'E')) {
		r->at++;
		if (r->at < r->end && (*r->at == '+' || *r->at == '-'))
			r->at++;
		return skip_digits(r);
	}
	return true;
}

static bool
read_number(struct reader *r, struct json_node *node)
{
	const char *from = r->at;

	node->kind = JSON_NUMBER;
	if (!skip_number(r))
		return false;
	node->size = (size_t)(r->at - from);
	node->text = memcpy(r->pool, from, node->size);
	r->pool += node->size;
	return true;
}

static bool
read_word(struct reader *r, struct json_node *node)
{
	static const struct {
		const char *text;
		enum json_kind kind;
	} words[] = {
	    {"null", JSON_NULL}, {"false", JSON_FALSE}, {"true", JSON_TRUE}};
	size_t n;

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		n = strlen(words[i].text);
		if ((size_t)(r->end - r->at) < n ||
		    memcmp(r->at, words[i].text, n) != 0)
			continue;
		node->kind = words[i].kind;
		r->at += n;
		return true;
	}
	return fail(r, "expecting a JSON value");
}

static bool
open_node(struct reader *r, struct json_node *node)
{
	node->kind = *r->at == '{' ? JSON_OBJECT : JSON_ARRAY;
	if (r->depth == JSON_DEPTH)
		return fail(r,
		    "more than 200 arrays and objects inside one "
		    "another");
	r->at++;
	r->depth++;
	r->open = node;
	return true;
}

/* A new node, the last child of the one that is open. */
static struct json_node *
add_node(struct reader *r)
{
	struct json_node *node = calloc(1, sizeof(*node)), *parent = r->open;

	if (node == NULL) {
		error_system(r->err, ENOMEM, "%s", r->where);
		return NULL;
	}
	node->older = r->tree->newest;
	r->tree->newest = node;
	node->parent = parent;
	node->key = r->key;
	node->key_size = r->key_size;
	if (parent == NULL) {
		r->tree->root = node;
		return node;
	}
	if (parent->last == NULL)
		parent->first = node;
	else
		parent->last->next = node;
	parent->last = node;
	node->index = parent->count++;
	return node;
}

/* A value, or the bracket that opens one. */
static bool
read_value(struct reader *r)
{
	struct json_node *node = add_node(r);
	char c = peek(r);

	if (node == NULL)
		return false;
	if (c == '{' || c == '[')
		return open_node(r, node);
	if (c == '-' || (c >= '0' && c <= '9'))
		return read_number(r, node);
	if (c != '"')
		return read_word(r, node);
	node->kind = JSON_STRING;
	return read_string(r, &node->text, &node->size);
}

static int
compare_keys(const char *a, size_t a_size, const char *b, size_t b_size)
{
	size_t n = a_size < b_size ? a_size : b_size;
	int order = n > 0 ? memcmp(a, b, n) : 0;

	return order != 0 ? order : (a_size > b_size) - (a_size < b_size);
}

static int
by_key(const void *a, const void *b)
{
	const struct json_node *x = *(struct json_node *const *)a;
	const struct json_node *y = *(struct json_node *const *)b;

	return compare_keys(x->key, x->key_size, y->key, y->key_size);
}

static bool
list_children(struct reader *r, struct json_node *node)
{
	size_t i = 0;

	if (node->count == 0)
		return true;
	node->children = calloc(node->count, sizeof(struct json_node *));
	if (node->children == NULL)
		return error_system(r->err, ENOMEM, "%s", r->where);
	for (struct json_node *c = node->first; c != NULL; c = c->next)
		node->children[i++] = c;
	return true;
}

static bool
sort_keys(struct reader *r, struct json_node *object)
{
	struct json_node **list = object->children;

	if (list != NULL)
		qsort(list, object->count, sizeof(*list), by_key);
	for (size_t i = 1; i < object->count; i++)
		if (by_key(&list[i - 1], &list[i]) == 0)
			return fail(r, "a key stands twice in this object");
	return true;
}

static bool
close_node(struct reader *r)
{
	struct json_node *node = r->open;

	if (!list_children(r, node) ||
	    (node->kind == JSON_OBJECT && !sort_keys(r, node)))
		return false;
	r->at++;
	r->depth--;
	r->open = node->parent;
	return true;
}

/* A key and its colon, where an object is open. */
static bool
read_key(struct reader *r)
{
	r->key = NULL;
	r->key_size = 0;
	if (r->open == NULL || r->open->kind != JSON_OBJECT)
		return true;
	if (peek(r) != '"')
		return fail(r, "expecting a key in '\"'");
	if (!read_string(r, &r->key, &r->key_size))
		return false;
	if (peek(r) != ':')
		return fail(r, "expecting ':'");
	r->at++;
	return true;
}

/* Behind a value: close what ends here, up to a comma or the whole's end. */
static bool
read_ends(struct reader *r, bool opened)
{
	char c, partner;

	for (; r->open != NULL; opened = false) {
		partner = r->open->kind == JSON_OBJECT ? '}' : ']';
		c = peek(r);
		if (c == partner) {
			if (!close_node(r))
				return false;
		} else if (opened) {
			return true;
		} else if (c == ',') {
			r->at++;
			return true;
		} else {
			return fail(r,
			    partner == '}' ? "expecting ',' or '}'"
			                   : "expecting ',' or ']'");
		}
	}
	return true;
}

static bool
read_tree(struct reader *r)
{
	size_t depth;

	do {
		depth = r->depth;
		if (!read_key(r) || !read_value(r) ||
		    !read_ends(r, r->depth > depth))
			return false;
	} while (r->open != NULL);
	skip_blanks(r);
	if (r->at == r->end)
		return true;
	return fail(r, "expecting nothing behind the JSON value");
}

struct json_tree *
json_tree_read(
    const char *text, size_t size, const char *where, struct error *err)
{
	struct reader r = {.text = text, .at = text, .end = text + size};

	r.where = where;
	r.err = err;
	r.tree = calloc(1, sizeof(*r.tree));
	if (r.tree != NULL)
		r.tree->pool = r.pool = malloc(size + 1);
	if (r.tree == NULL || r.pool == NULL) {
		free(r.tree);
		error_system(err, ENOMEM, "%s", where);
		return NULL;
	}
	if (read_tree(&r))
		return r.tree;
	json_tree_free(r.tree);
	return NULL;
}

void
json_tree_free(struct json_tree *tree)
{
	struct json_node *node;

	while ((node = tree->newest) != NULL) {
		tree->newest = node->older;
		free(node->children);
		free(node);
	}
	free(tree->pool);
	free(tree);
}

struct json_node *
json_node_get(const struct json_node *node, const char *key, size_t size)
{
	size_t low = 0, high, middle;
	int order;

	high = node->kind == JSON_OBJECT ? node->count : 0;
	while (low < high) {
		middle = low + (high - low) / 2;
		order = compare_keys(key, size, node->children[middle]->key,
		    node->children[middle]->key_size);
		if (order == 0)
			return node->children[middle];
		if (order < 0)
			high = middle;
		else
			low = middle + 1;
	}
	return NULL;
}

struct json_node *
json_node_named(const struct json_node *node, const char *key)
{
	return json_node_get(node, key, strlen(key));
}

bool
json_node_says(const struct json_node *node, const char *text)
{
	return node->kind == JSON_STRING && node->size == strlen(text) &&
	    memcmp(node->text, text, node->size) == 0;
}
