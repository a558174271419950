/* SPDX-License-Identifier: MIT */
/* The touched set: the few token ids whose logits are changed. */
#include "touched.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

struct touched {
	const struct sampling *settings;
	bool penalise;
	size_t limit;
	struct candidate *list; /* [limit], the biased ids always first */
	size_t n_biased;        /* distinct ids with a bias */
	size_t size;
	uint32_t *place; /* [vocab] 1 + index in the list, 0: not in it */
};

static size_t
most(const struct sampling *s, size_t vocab, bool penalise)
{
	size_t most = s->n_biases < vocab ? s->n_biases : vocab;

	if (!penalise)
		return most;
	if (s->repeat_last_n < 0 || (uint64_t)s->repeat_last_n >= vocab - most)
		return vocab;
	return most + (size_t)s->repeat_last_n;
}

static void
insert(struct touched *t, uint32_t id)
{
	if (t->place[id] != 0)
		return;
	t->list[t->size++].id = id;
	t->place[id] = (uint32_t)t->size;
}

struct touched *
touched_new(const struct sampling *settings, size_t vocab, bool penalise,
    struct error *err)
{
	struct touched *t = calloc(1, sizeof(*t));

	if (t != NULL) {
		t->settings = settings;
		t->penalise = penalise;
		t->limit = most(settings, vocab, penalise);
		t->list = calloc(t->limit + 1, sizeof(*t->list));
		t->place = calloc(vocab, sizeof(*t->place));
		if (t->list != NULL && t->place != NULL) {
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
	free(t->place);
	free(t);
}

size_t
touched_limit(const struct touched *t)
{
	return t->limit;
}

static void
forget_window(struct touched *t)
{
	while (t->size > t->n_biased)
		t->place[t->list[--t->size].id] = 0;
}

size_t
touched_gather(struct touched *t, const struct window *window)
{
	const uint32_t *ids;
	size_t n;

	forget_window(t);
	if (!t->penalise)
		return t->size;
	n = window_distinct(window, &ids);
	for (size_t i = 0; i < n; i++)
		insert(t, ids[i]);
	return t->size;
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

bool
touched_change(struct touched *t, const float *logits,
    const struct window *window, struct error *err)
{
	struct candidate *c;
	uint32_t count;

	for (size_t i = 0; i < t->size; i++)
		t->list[i].logit = logits[t->list[i].id];
	add_biases(t);
	for (size_t i = 0; i < t->size; i++) {
		c = &t->list[i];
		count = t->penalise ? window_count(window, c->id) : 0;
		if (count > 0)
			c->logit = t->settings->policy->penalise(
			    c->logit, count, t->settings);
		if (touched_is_nan(c->id, c->logit, err))
			return false;
	}
	return true;
}

size_t
touched_swap(struct touched *t, struct candidate *list, size_t n)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++)
		if (t->place[list[i].id] == 0)
			list[kept++] = list[i];
	for (size_t i = 0; i < t->size; i++)
		list[kept++] = t->list[i];
	return kept;
}
