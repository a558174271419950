/* SPDX-License-Identifier: MIT */
/* The touched set: the few token ids whose logits are changed. */
#include "touched.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "chain.h"

struct touched {
	const struct sampling *settings;
	size_t limit;
	struct candidate *list; /* [limit], the biased ids always first */
	float *raw;             /* [limit] their logits in the row */
	size_t n_biased;        /* distinct ids with a bias */
	size_t size;
	uint32_t *marks; /* bit id % 32 of word id / 32: in the list */
};

static bool
is_marked(const struct touched *t, uint32_t id)
{
	return (t->marks[id / 32] >> id % 32 & 1) != 0;
}

static void
turn_mark(struct touched *t, uint32_t id)
{
	t->marks[id / 32] ^= (uint32_t)1 << id % 32;
}

static void
insert(struct touched *t, uint32_t id)
{
	if (is_marked(t, id))
		return;
	t->list[t->size++].id = id;
	turn_mark(t, id);
}

struct touched *
touched_new(const struct sampling *settings, size_t vocab, size_t others,
    struct error *err)
{
	struct touched *t = calloc(1, sizeof(*t));

	if (t != NULL) {
		t->settings = settings;
		t->limit = settings->n_biases < vocab ? settings->n_biases
		                                      : vocab;
		t->limit = others < vocab - t->limit ? t->limit + others
		                                     : vocab;
		t->list = calloc(t->limit + 1, sizeof(*t->list));
		t->raw = calloc(t->limit + 1, sizeof(*t->raw));
		t->marks = calloc(vocab / 32 + 1, sizeof(*t->marks));
		if (t->list != NULL && t->raw != NULL && t->marks != NULL) {
			for (size_t i = 0; i < settings->n_biases; i++)
				insert(t, settings->biases[i].id);
			t->n_biased = t->size;
			return t;
		}
		touched_free(t);
	}
	error_system(err, ENOMEM, "marks for %zu token ids", vocab);
	return NULL;
}

void
touched_free(struct touched *t)
{
	if (t == NULL)
		return;
	free(t->list);
	free(t->raw);
	free(t->marks);
	free(t);
}

size_t
touched_limit(const struct touched *t)
{
	return t->limit;
}

void
touched_restart(struct touched *t)
{
	while (t->size > t->n_biased)
		turn_mark(t, t->list[--t->size].id);
}

void
touched_add(struct touched *t, const uint32_t *ids, size_t n)
{
	for (size_t i = 0; i < n; i++)
		insert(t, ids[i]);
}

size_t
touched_size(const struct touched *t)
{
	return t->size;
}

const float *
touched_read(struct touched *t, const struct row *row)
{
	for (size_t i = 0; i < t->size; i++)
		t->raw[i] = row_float(row, t->list[i].id);
	return t->raw;
}

/* Biases come first, whatever the chain. */
static void
add_biases(struct touched *t)
{
	const struct bias *bias = t->settings->biases;
	const struct bias *end = bias + t->settings->n_biases;

	for (size_t i = 0; i < t->n_biased; i++)
		for (; bias < end && bias->id == t->list[i].id; bias++)
			t->list[i].logit += bias->add;
}

bool
touched_is_nan(uint32_t id, float logit, struct error *err)
{
	if (!isnan(logit))
		return false;
	error_set(err, STATUS_FAILED,
	    "biases and penalties make the logit of token %" PRIu32
	    " NaN: set them smaller",
	    id);
	return true;
}

/* One stage after another changes them all: none sees more than one. */
bool
touched_change(struct touched *t, const struct chain *chain,
    const struct row *row, struct error *err)
{
	const struct stage *stage;
	struct candidate *end = t->list + t->size;

	for (size_t i = 0; i < t->size; i++)
		t->list[i].logit = t->raw[i];
	add_biases(t);
	for (size_t s = 0; s < chain->first; s++) {
		stage = t->settings->stages[s];
		if (stage->touch == NULL || !stage->is_on(t->settings))
			continue;
		for (struct candidate *c = t->list; c < end; c++)
			c->logit = stage->touch(chain, c->id, c->logit);
	}
	for (struct candidate *c = t->list; c < end; c++) {
		if (chain->twin && !row_allows(row, c->id))
			c->logit = -INFINITY;
		if (touched_is_nan(c->id, c->logit, err))
			return false;
	}
	return true;
}

size_t
touched_swap(
    const struct touched *t, struct candidate *list, size_t n, size_t k)
{
	float floor = INFINITY;
	size_t kept = 0;

	for (size_t i = 0; i < n; i++) {
		if (is_marked(t, list[i].id))
			continue;
		if (list[i].logit < floor)
			floor = list[i].logit;
		list[kept++] = list[i];
	}
	if (kept < k)
		floor = -INFINITY;
	for (size_t i = 0; i < t->size; i++)
		if (t->list[i].logit >= floor)
			list[kept++] = t->list[i];
	return kept;
}

void
touched_put(const struct touched *t, float *logits)
{
	for (size_t i = 0; i < t->size; i++)
		logits[t->list[i].id] = t->list[i].logit;
}
