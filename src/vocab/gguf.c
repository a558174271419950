/* SPDX-License-Identifier: MIT */
/* What the metadata of a GGUF model file says that concerns sampling. */
#include "gguf.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../array.h"
#include "../fnv.h"
#include "cursor.h"
#include "ends.h"
#include "gguf_value.h"

/* Files have some dozens; the names of so many are remembered, as hashes. */
enum { KEYS_MAX = 65536, SLOTS = 2 * KEYS_MAX };

/* Bytes in all tokens together; large vocabularies have some megabytes. */
enum { TOKENS_MAX = 1 << 26 };

const char *const token_type_names[TOKEN_TYPES] = {"undefined", "normal",
    "unknown", "control", "user-defined", "unused", "byte"};

const char *const gguf_end_keys[GGUF_ENDS] = {"tokenizer.ggml.eos_token_id",
    "tokenizer.ggml.eot_token_id", "tokenizer.ggml.eom_token_id"};

static const char sampling[] = "general.sampling.";
const char *const gguf_setting_keys[GGUF_SETTINGS] = {"sequence", "top_k",
    "top_p", "min_p", "xtc_probability", "xtc_threshold", "temp",
    "penalty_last_n", "penalty_repeat", "mirostat", "mirostat_tau",
    "mirostat_eta"};

static bool
read_header(struct cursor *c, struct gguf *g)
{
	const unsigned char *magic = cursor_take(c, 4);
	uint64_t version, tensors;

	if (magic == NULL)
		return false;
	if (memcmp(magic, "GGUF", 4) != 0)
		return cursor_bad(c, c->at - 4,
		    "a GGUF file begins with the letters GGUF, and this one "
		    "does not");
	if (!cursor_number(c, 4, &version))
		return false;
	if ((version & 0xffff) == 0 && version != 0)
		return cursor_bad(c, c->at - 4,
		    "the file is byte-swapped (big-endian): a little-endian "
		    "one is wanted");
	if (version != 2 && version != 3)
		return cursor_bad(c, c->at - 4,
		    "version %" PRIu64 " of GGUF: 2 or 3 is wanted", version);
	g->version = (uint32_t)version;
	if (!cursor_number(c, 8, &tensors) || !cursor_number(c, 8, &g->keys))
		return false;
	if (g->keys > KEYS_MAX)
		return cursor_bad(c, c->at - 8,
		    "%" PRIu64 " keys: at most %d are read", g->keys, KEYS_MAX);
	return true;
}

/*
 * Remember a key by FNV-1a of 64 bits.  That two keys of a file share it by
 * chance is out of the question; whoever forges two has forged a bad file.
 */
static bool
is_new(uint64_t *seen, const unsigned char *key, size_t n)
{
	uint64_t hash = fnv_bytes(FNV_BEGIN, (const char *)key, n);
	size_t slot;

	hash |= hash == 0; /* which an empty slot has */
	slot = (size_t)(hash ^ hash >> 32) % SLOTS;
	while (seen[slot] != 0 && seen[slot] != hash)
		slot = (slot + 1) % SLOTS;
	if (seen[slot] == hash)
		return false;
	seen[slot] = hash;
	return true;
}

static bool
read_tokens(struct cursor *c, struct gguf *g)
{
	const unsigned char *text;
	uint64_t n, bytes = 0;
	size_t length;

	if (!value_array(c, GGUF_TEXT, &n))
		return false;
	if (n < 1 || n > INT32_MAX)
		return cursor_bad(c, c->at - 8,
		    "%" PRIu64 " tokens: 1 to %d are wanted", n, INT32_MAX);
	g->texts = pieces_new(c->error);
	if (g->texts == NULL)
		return false;
	for (; n > 0; n--) {
		text = value_text(c, &length);
		if (text == NULL)
			return false;
		bytes += length;
		if (bytes > TOKENS_MAX)
			return cursor_bad(c, c->at,
			    "more than %d bytes of tokens", TOKENS_MAX);
		if (!pieces_add(g->texts, text, length, false, c->error))
			return false;
	}
	return true;
}

static bool
read_types(struct cursor *c, struct gguf *g)
{
	uint64_t n, type;
	size_t room = 0;

	if (!value_array(c, GGUF_I32, &n))
		return false;
	for (; n > 0; n--) {
		if (!cursor_number(c, 4, &type))
			return false;
		if (type >= TOKEN_TYPES)
			return cursor_bad(c, c->at - 4,
			    "%" PRId32 " is no type of a token: 1 to %d are",
			    (int32_t)(uint32_t)type, TOKEN_TYPES - 1);
		if (!array_room(&g->types, &room, g->n_types + 1, 1))
			return error_system(c->error, ENOMEM,
			    "%zu types of tokens", g->n_types);
		g->types[g->n_types++] = (unsigned char)type;
	}
	return true;
}

static bool
is_key(const unsigned char *key, size_t n, const char *name)
{
	return n == strlen(name) && memcmp(key, name, n) == 0;
}

/* A setting, a number but for the sequence of stages; else passed over. */
static bool
read_sampling(
    struct cursor *c, struct gguf *g, const unsigned char *name, size_t n)
{
	struct gguf_value *v = g->settings;
	size_t i = 0;

	while (i < GGUF_SETTINGS && !is_key(name, n, gguf_setting_keys[i]))
		i++;
	if (i == GGUF_SETTINGS)
		return value_skip(c);
	if (i > 0)
		return value_number(c, false, &v[i]);
	v->at = c->at + 4;
	return value_copy(c, &v->text);
}

/* The value behind a key; the window holds the key until it is read. */
static bool
read_value(struct cursor *c, struct gguf *g, const unsigned char *key, size_t n)
{
	const size_t before = strlen(sampling);

	if (is_key(key, n, "general.architecture"))
		return value_copy(c, &g->architecture);
	if (is_key(key, n, "general.name"))
		return value_copy(c, &g->name);
	if (is_key(key, n, "tokenizer.ggml.model"))
		return value_copy(c, &g->tokenizer);
	if (is_key(key, n, "tokenizer.ggml.tokens"))
		return read_tokens(c, g);
	if (is_key(key, n, "tokenizer.ggml.token_type"))
		return read_types(c, g);
	for (size_t i = 0; i < GGUF_ENDS; i++)
		if (is_key(key, n, gguf_end_keys[i]))
			return value_number(c, true, &g->end_ids[i]);
	if (n > before && memcmp(key, sampling, before) == 0)
		return read_sampling(c, g, key + before, n - before);
	return value_skip(c);
}

static bool
read_key(struct cursor *c, struct gguf *g, uint64_t *seen)
{
	const unsigned char *key;
	uint64_t at = c->at;
	size_t n;

	snprintf(c->key, sizeof(c->key), "a key");
	key = value_text(c, &n);
	if (key == NULL)
		return false;
	snprintf(c->key, sizeof(c->key), "%.*s", (int)n, (const char *)key);
	if (!is_new(seen, key, n))
		return cursor_bad(
		    c, at, "the key is there for the second time");
	return read_value(c, g, key, n);
}

/* What two keys say together. */
static bool
check(struct cursor *c, struct gguf *g)
{
	size_t tokens = gguf_tokens(g);
	struct gguf_value *end;

	for (size_t i = 0; i < GGUF_ENDS; i++) {
		end = &g->end_ids[i];
		snprintf(c->key, sizeof(c->key), "%s", gguf_end_keys[i]);
		if (end->text == NULL)
			continue;
		if (end->number < 0 || end->number > INT32_MAX)
			return cursor_bad(
			    c, end->at, "%s is no token id", end->text);
		if (tokens > 0 && end->number >= (double)tokens)
			return cursor_bad(c, end->at,
			    "token %s is outside the vocabulary: ids are 0 to "
			    "%zu",
			    end->text, tokens - 1);
	}
	snprintf(c->key, sizeof(c->key), "tokenizer.ggml.token_type");
	if (tokens > 0 && g->types != NULL && g->n_types != tokens)
		return cursor_bad(c, c->at,
		    "%zu types and %zu tokens: there must be as many",
		    g->n_types, tokens);
	return true;
}

static bool
read_all(struct cursor *c, struct gguf *g, uint64_t *seen)
{
	uint64_t first = c->at;

	if (!read_header(c, g))
		return false;
	for (uint64_t i = 0; i < g->keys; i++)
		if (!read_key(c, g, seen))
			return false;
	g->bytes = c->at - first;
	return check(c, g) && ends_find(g, c->error);
}

struct gguf *
gguf_read(const char *file, struct error *err)
{
	struct cursor *c = malloc(sizeof(*c));
	struct gguf *g = calloc(1, sizeof(*g));
	uint64_t *seen = calloc(SLOTS, sizeof(*seen));
	bool good = false;

	if (c == NULL || g == NULL || seen == NULL) {
		error_system(err, ENOMEM, "%s", file);
	} else if (cursor_open(c, file, err)) {
		good = read_all(c, g, seen);
		cursor_close(c);
	}
	free(c);
	free(seen);
	if (good)
		return g;
	gguf_free(g);
	return NULL;
}

void
gguf_free(struct gguf *g)
{
	if (g == NULL)
		return;
	free(g->architecture);
	free(g->name);
	free(g->tokenizer);
	pieces_free(g->texts);
	free(g->types);
	for (size_t i = 0; i < GGUF_ENDS; i++)
		free(g->end_ids[i].text);
	for (size_t i = 0; i < GGUF_SETTINGS; i++)
		free(g->settings[i].text);
	free(g->ends);
	free(g);
}

size_t
gguf_tokens(const struct gguf *g)
{
	return g->texts != NULL ? pieces_count(g->texts) : 0;
}

enum token_type
gguf_type(const struct gguf *g, uint32_t id)
{
	return id < g->n_types ? (enum token_type)g->types[id] : TOKEN_NORMAL;
}
