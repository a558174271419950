/* SPDX-License-Identifier: MIT */
/* A JSON text, read strictly into a tree. */
#ifndef TOKPICK_JSON_TREE_H
#define TOKPICK_JSON_TREE_H

#include <stddef.h>

#include "../message.h"

/* Arrays and objects inside one another, at most. */
enum { JSON_DEPTH = 200 };

enum json_kind {
	JSON_NULL,
	JSON_FALSE,
	JSON_TRUE,
	JSON_NUMBER,
	JSON_STRING,
	JSON_ARRAY,
	JSON_OBJECT,
};

struct json_node {
	enum json_kind kind;
	struct json_node *parent; /* NULL: the whole text */
	struct json_node *next;   /* behind it in its parent */
	struct json_node *first, *last;
	size_t count;    /* of children */
	size_t index;    /* among its parent's children */
	const char *key; /* in an object: UTF-8, any NUL in it */
	size_t key_size;
	const char *text; /* a string's UTF-8, a number as it was written */
	size_t size;
	struct json_node **children; /* once more: an object's sorted by key */
	size_t mark;                 /* 0 at first; the caller's */
	struct json_node *older;     /* made before it, anywhere */
};

struct json_tree {
	struct json_node *root;
	struct json_node *newest;
	char *pool; /* what keys and texts point into */
};

/*
 * Read size bytes: one value as RFC 8259 has it, well-formed UTF-8, no key
 * twice in an object, no half of a surrogate pair.  where, then a line and
 * a column counted in characters, begin messages.  NULL and err on failure.
 */
struct json_tree *json_tree_read(
    const char *text, size_t size, const char *where, struct error *);
void json_tree_free(struct json_tree *);

/* An object's child of that key; NULL if there is none, or no object. */
struct json_node *json_node_get(
    const struct json_node *, const char *key, size_t size);
struct json_node *json_node_named(const struct json_node *, const char *key);

/* Is it a string of just these characters? */
bool json_node_says(const struct json_node *, const char *text);

#endif
