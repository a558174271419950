/* SPDX-License-Identifier: MIT */
/* The head of a safetensors file; tokpick(1). */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../little.h"
#include "../schema/json_tree.h"
#include "head.h"

enum {
	LENGTH = 8,                    /* of the JSON, in 64 bits */
	TEXT_LEAST = 2,                /* {} */
	TEXT_MOST = 100 * 1000 * 1000, /* by the format */
	DIMENSIONS_MOST = 3,
	LISTED = 20, /* names in a message */
};

struct tensor {
	const struct json_node *node;
	const struct json_node *type;
	uint64_t shape[DIMENSIONS_MOST];
	size_t dimensions;
	uint64_t from, to; /* bytes of the data */
};

/*
 * There is no magic but a length that is none too large, which is unlike
 * a small number as rows have it, and the brace behind it.
 */
static size_t
tell(const unsigned char *bytes, size_t n)
{
	uint64_t length = little(bytes, n < LENGTH ? n : LENGTH);

	if (length > TEXT_MOST || (n >= 4 && length < TEXT_LEAST) ||
	    (n > LENGTH && bytes[LENGTH] != '{'))
		return 0;
	return LENGTH + 1;
}

static bool
read_number(const struct json_node *node, uint64_t *n)
{
	uint64_t digit;

	*n = 0;
	if (node->kind != JSON_NUMBER)
		return false;
	for (size_t i = 0; i < node->size; i++) {
		if (node->text[i] < '0' || node->text[i] > '9')
			return false;
		digit = (uint64_t)(node->text[i] - '0');
		if (*n > (INT64_MAX - digit) / 10)
			return false;
		*n = 10 * *n + digit;
	}
	return true;
}

static bool
is_metadata(const struct json_node *node)
{
	static const char name[] = "__metadata__";

	return node->key_size == sizeof(name) - 1 &&
	    memcmp(node->key, name, sizeof(name) - 1) == 0;
}

/* What there is to say of one; the shape only where it has few sizes. */
static bool
read_tensor(const struct json_node *node, struct tensor *t)
{
	const struct json_node *offsets, *shape, *size;
	uint64_t ignored;
	size_t i = 0;

	*t = (struct tensor){.node = node};
	t->type = json_node_named(node, "dtype");
	shape = json_node_named(node, "shape");
	offsets = json_node_named(node, "data_offsets");
	if (t->type == NULL || t->type->kind != JSON_STRING || shape == NULL ||
	    shape->kind != JSON_ARRAY || offsets == NULL ||
	    offsets->kind != JSON_ARRAY || offsets->count != 2 ||
	    !read_number(offsets->first, &t->from) ||
	    !read_number(offsets->last, &t->to) || t->from > t->to)
		return false;
	t->dimensions = shape->count;
	for (size = shape->first; size != NULL; size = size->next, i++)
		if (!read_number(
		        size, i < DIMENSIONS_MOST ? &t->shape[i] : &ignored))
			return false;
	return true;
}

static bool
find_type(const struct tensor *t, enum dtype *dtype)
{
	static const struct {
		const char *name;
		enum dtype dtype;
	} types[] = {
	    {"F32", DTYPE_F32},
	    {"F64", DTYPE_F64},
	    {"F16", DTYPE_F16},
	    {"BF16", DTYPE_BF16},
	};

	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (json_node_says(t->type, types[i].name)) {
			*dtype = types[i].dtype;
			return true;
		}
	return false;
}

/* Could it be rows of logits? */
static bool
is_candidate(const struct tensor *t)
{
	enum dtype ignored;

	return find_type(t, &ignored) &&
	    (t->dimensions == 2 || t->dimensions == 3);
}

static int
name_width(const struct json_node *node)
{
	enum { MOST = 60 };

	return node->key_size < MOST ? (int)node->key_size : MOST;
}

/* Say which tensors there are to choose from. */
static bool
list_names(const struct json_node *root, const char *file, const char *problem,
    struct error *err)
{
	const struct json_node *node;
	char name[80];
	size_t n = 0;

	error_set(
	    err, STATUS_FAILED, "%s: %s: --tensor names one of", file, problem);
	for (node = root->first; node != NULL && n < LISTED;
	     node = node->next) {
		if (is_metadata(node))
			continue;
		snprintf(
		    name, sizeof(name), "'%.*s'", name_width(node), node->key);
		error_append(err, name);
		n++;
	}
	if (node != NULL)
		error_append(err, "...");
	return false;
}

/* The tensor that is named, or the only one, or the only likely one. */
static bool
choose(const struct json_node *root, const char *file, const char *name,
    struct tensor *chosen, struct error *err)
{
	size_t tensors = 0, candidates = 0;
	struct tensor t, only = {0};
	bool named;

	*chosen = (struct tensor){0};
	for (struct json_node *n = root->first; n != NULL; n = n->next) {
		if (is_metadata(n))
			continue;
		if (!read_tensor(n, &t))
			return error_set(err, STATUS_FAILED,
			    "%s: tensor '%.*s' lacks a good dtype, shape or "
			    "data_offsets",
			    file, name_width(n), n->key);
		named = name != NULL && strlen(name) == n->key_size &&
		    memcmp(name, n->key, n->key_size) == 0;
		tensors++;
		only = t;
		candidates += is_candidate(&t);
		if (name != NULL ? named : is_candidate(&t))
			*chosen = t;
	}
	if (tensors == 0)
		return error_set(
		    err, STATUS_FAILED, "%s: there is no tensor in it", file);
	if (name == NULL && tensors == 1)
		*chosen = only;
	else if (name == NULL && candidates > 1)
		chosen->node = NULL;
	if (chosen->node != NULL)
		return true;
	return list_names(root, file,
	    name != NULL          ? "no tensor has that name"
	        : candidates == 0 ? "no tensor is like rows of logits"
	                          : "several tensors may be meant",
	    err);
}

/* Does another tensor claim some of the same bytes? */
static bool
check_alone(const struct json_node *root, const struct tensor *mine,
    const char *file, struct error *err)
{
	struct tensor t;

	for (struct json_node *n = root->first; n != NULL; n = n->next) {
		if (n == mine->node || is_metadata(n))
			continue;
		read_tensor(n, &t); /* choose() has, and found all good */
		if (t.from < mine->to && mine->from < t.to)
			return error_set(err, STATUS_FAILED,
			    "%s: the tensors '%.*s' and '%.*s' overlap", file,
			    name_width(mine->node), mine->node->key,
			    name_width(n), n->key);
	}
	return true;
}

static bool
use_tensor(
    const struct tensor *t, const char *file, struct head *h, struct error *err)
{
	if (!find_type(t, &h->dtype))
		return error_set(err, STATUS_FAILED,
		    "%s: tensor '%.*s' is of the type %.*s: F32, F64, F16 and "
		    "BF16 are read",
		    file, name_width(t->node), t->node->key,
		    t->type->size < 20 ? (int)t->type->size : 20,
		    t->type->text);
	if (t->from > INT64_MAX - h->start)
		return error_set(err, STATUS_FAILED,
		    "%s: the data begins behind the end of any file", file);
	h->start += t->from;
	if (!head_set_shape(h, t->shape, t->dimensions, file, err))
		return false;
	if (h->size != t->to - t->from)
		return error_set(err, STATUS_FAILED,
		    "%s: tensor '%.*s' has %" PRIu64
		    " bytes of data, its shape and type say %" PRIu64,
		    file, name_width(t->node), t->node->key, t->to - t->from,
		    h->size);
	return true;
}

static bool
read_text(const unsigned char *bytes, size_t n, const char *file,
    const char *name, struct head *h, struct error *err)
{
	struct json_tree *tree = json_tree_read(
	    (const char *)bytes, n, file, err);
	struct tensor t;
	bool good;

	if (tree == NULL) {
		err->status = STATUS_FAILED; /* nobody typed it */
		return false;
	}
	if (tree->root->kind != JSON_OBJECT)
		good = error_set(err, STATUS_FAILED,
		    "%s: the safetensors header is no JSON object", file);
	else
		good = choose(tree->root, file, name, &t, err) &&
		    check_alone(tree->root, &t, file, err) &&
		    use_tensor(&t, file, h, err);
	json_tree_free(tree);
	return good;
}

static bool
read_head(const unsigned char *bytes, size_t n, const char *file,
    const struct head_choice *choice, struct head *h, size_t *want,
    struct error *err)
{
	uint64_t length;

	*want = LENGTH;
	if (n < *want)
		return true;
	length = little(bytes, LENGTH);
	if (length > TEXT_MOST) /* nor would tell() call it one */
		return error_set(err, STATUS_FAILED,
		    "%s: a safetensors header of %" PRIu64
		    " bytes: at most %d are allowed",
		    file, length, TEXT_MOST);
	*want = LENGTH + (size_t)length;
	if (n < *want)
		return true;
	h->start = *want;
	return read_text(
	    bytes + LENGTH, (size_t)length, file, choice->tensor, h, err);
}

const struct head_format head_safetensors = {"safetensors", tell, read_head};
