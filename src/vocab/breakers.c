/* SPDX-License-Identifier: MIT */
/* Sequence breakers for dry, from texts to token ids. */
#include "breakers.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A text longer than this is cut, as upstream does. */
enum { TEXT_MAX = 40, TAIL_MAX = 20 };

struct breaker_text {
	char bytes[TEXT_MAX];
	size_t size;
};

static bool
contains(const char *piece, size_t n, const struct breaker_text *t)
{
	const char *end = piece + n;

	while ((size_t)(end - piece) >= t->size) {
		piece = memchr(
		    piece, t->bytes[0], (size_t)(end - piece) - t->size + 1);
		if (piece == NULL)
			return false;
		if (memcmp(piece, t->bytes, t->size) == 0)
			return true;
		piece++;
	}
	return false;
}

/* The longest piece that begins what is left; false if none does. */
static bool
longest(const struct pieces *p, const char *left, size_t n, uint32_t *id,
    size_t *length)
{
	const char *piece;
	size_t size;

	*length = 0;
	for (uint32_t i = 0; pieces_get(p, i, &piece, &size); i++)
		if (size > *length && size <= n &&
		    memcmp(piece, left, size) == 0) {
			*id = i;
			*length = size;
		}
	return *length > 0;
}

/* The tokens of the rest behind the head in ids; 0 if they can't be told. */
static size_t
tokenize(const struct pieces *p, const char *left, size_t n, uint32_t *ids)
{
	size_t count = 0, length;

	while (n > 0 && count < TAIL_MAX) {
		if (!longest(p, left, n, &ids[count], &length))
			return 0;
		left += length;
		n -= length;
		count++;
	}
	return count;
}

bool
breakers_append(struct breaker **list, size_t *n, const uint32_t *ids,
    size_t size, struct error *err)
{
	struct breaker *larger;
	uint32_t *copy;

	larger = realloc(*list, (*n + 1) * sizeof(**list));
	if (larger != NULL)
		*list = larger;
	copy = malloc(size * sizeof(*copy));
	if (larger == NULL || copy == NULL) {
		free(copy);
		return error_system(err, ENOMEM, "%zu breakers for dry", *n);
	}
	memcpy(copy, ids, size * sizeof(*copy));
	(*list)[(*n)++] = (struct breaker){copy, size};
	return true;
}

/* The tokens of what is left behind each beginning of a text. */
struct tails {
	uint32_t ids[TEXT_MAX][TAIL_MAX];
	size_t size[TEXT_MAX]; /* 0: they can't be told */
};

static void
find_tails(
    const struct pieces *p, const struct breaker_text *t, struct tails *tails)
{
	for (size_t k = 1; k < t->size; k++)
		tails->size[k] = tokenize(
		    p, t->bytes + k, t->size - k, tails->ids[k]);
}

/* One breaker for each beginning of the text that the piece ends with. */
static bool
add_heads(uint32_t id, const char *piece, size_t n,
    const struct breaker_text *t, const struct tails *tails,
    struct breaker **list, size_t *count, struct error *err)
{
	uint32_t ids[1 + TAIL_MAX] = {id};

	for (size_t k = 1; k < t->size && k <= n; k++) {
		if (tails->size[k] == 0 ||
		    memcmp(piece + n - k, t->bytes, k) != 0)
			continue;
		memcpy(ids + 1, tails->ids[k], tails->size[k] * sizeof(ids[0]));
		if (!breakers_append(list, count, ids, 1 + tails->size[k], err))
			return false;
	}
	return true;
}

static bool
read_text(struct breaker_text *t, const char *text, struct error *err)
{
	size_t length;

	for (t->size = 0; *text != '\0' && t->size < TEXT_MAX; text += length) {
		length = 1;
		t->bytes[t->size++] = *text;
		if (*text != '\\')
			continue;
		length += pieces_unescape(
		    text + 1, text + strlen(text), &t->bytes[t->size - 1]);
		if (length == 1)
			return error_set(err, STATUS_USAGE,
			    "--dry-sequence-breaker: a backslash begins none "
			    "of \\\\ \\n \\r \\t \\xNN in '%s'",
			    text);
	}
	if (t->size > 0)
		return true;
	return error_set(err, STATUS_USAGE,
	    "--dry-sequence-breaker: an empty text breaks nothing");
}

bool
breakers_add(const struct pieces *p, const char *text, struct breaker **list,
    size_t *n, struct error *err)
{
	struct breaker_text t;
	struct tails tails;
	const char *piece;
	size_t size;

	if (!read_text(&t, text, err))
		return false;
	find_tails(p, &t, &tails);
	for (uint32_t id = 0; pieces_get(p, id, &piece, &size); id++) {
		if (contains(piece, size, &t)) {
			if (!breakers_append(list, n, &id, 1, err))
				return false;
		} else if (!add_heads(
		               id, piece, size, &t, &tails, list, n, err)) {
			return false;
		}
	}
	return true;
}
