/* SPDX-License-Identifier: MIT */
/* The window: the last tokens of a conversation, counted by id. */
#include "window.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "counts.h"

/* A ring starts with this many places and doubles up to the limit. */
enum { FIRST_PLACES = 1024 };

/*
 * A bounded window keeps its ids in a ring, to know which one leaves.  An
 * unbounded one keeps counts alone: nothing ever leaves it, and its size
 * must not grow with the length of the stream.
 */
struct window {
	int64_t limit;
	size_t vocab;
	uint32_t *ring;
	size_t places; /* of the ring */
	size_t oldest; /* its index in the ring */
	size_t size;   /* ids in the ring */
	struct counts counts;
};

static bool
allocate(struct window *w)
{
	if (w->limit == 0)
		return true;
	if (w->limit > 0) {
		w->places = w->limit < FIRST_PLACES ? (size_t)w->limit
		                                    : FIRST_PLACES;
		w->ring = calloc(w->places, sizeof(*w->ring));
	}
	return w->limit < 0 || w->ring != NULL;
}

struct window *
window_new(size_t vocab, int64_t limit, struct error *err)
{
	struct window *w = calloc(1, sizeof(*w));

	if (w != NULL) {
		w->vocab = vocab;
		w->limit = limit;
		if (allocate(w))
			return w;
		window_free(w);
	}
	error_system(err, ENOMEM, "the window over %zu token ids", vocab);
	return NULL;
}

void
window_free(struct window *w)
{
	if (w == NULL)
		return;
	free(w->ring);
	counts_free(&w->counts);
	free(w);
}

/* Twice the places, or the limit; the ids laid out from the oldest on. */
static bool
grow(struct window *w, struct error *err)
{
	size_t places = w->places, tail = w->places - w->oldest;
	uint32_t *ring;

	places = w->limit - (int64_t)places < (int64_t)places ? (size_t)w->limit
	                                                      : 2 * places;
	ring = array_new(places, sizeof(*ring));
	if (ring == NULL)
		return error_system(
		    err, ENOMEM, "a window of %zu token ids", places);
	memcpy(ring, w->ring + w->oldest, tail * sizeof(*ring));
	memcpy(ring + tail, w->ring, w->oldest * sizeof(*ring));
	free(w->ring);
	w->ring = ring;
	w->places = places;
	w->oldest = 0;
	return true;
}

bool
window_make_room(struct window *w, struct error *err)
{
	if (w->limit == 0)
		return true;
	if (!counts_make_room(&w->counts))
		return error_system(err, ENOMEM, "the counts of a window");
	return w->limit < 0 || w->size < w->places ||
	    (int64_t)w->size == w->limit || grow(w, err);
}

void
window_put(struct window *w, uint32_t id)
{
	uint32_t leaving;
	size_t index;

	if (w->limit == 0)
		return;
	if (w->limit > 0) {
		if (w->size == w->places) {
			leaving = w->ring[w->oldest];
			if (leaving < w->vocab)
				counts_drop(&w->counts, leaving);
			w->oldest = (w->oldest + 1) % w->places;
			w->size--;
		}
		index = w->oldest + w->size++;
		w->ring[index < w->places ? index : index - w->places] = id;
	}
	if (id < w->vocab)
		counts_add(&w->counts, id, 1);
}

bool
window_add(struct window *w, uint32_t id, struct error *err)
{
	if (!window_make_room(w, err))
		return false;
	window_put(w, id);
	return true;
}

bool
window_add_times(
    struct window *w, uint32_t id, uint32_t times, struct error *err)
{
	if (id >= w->vocab)
		return true;
	if (!window_make_room(w, err))
		return false;
	counts_add(&w->counts, id, times);
	return true;
}

int64_t
window_limit(const struct window *w)
{
	return w->limit;
}

size_t
window_size(const struct window *w)
{
	return w->size;
}

uint32_t
window_at(const struct window *w, size_t i)
{
	size_t tail = w->places - w->oldest;

	return w->ring[i < tail ? w->oldest + i : i - tail];
}

uint32_t
window_count(const struct window *w, uint32_t id)
{
	return counts_of(&w->counts, id);
}

size_t
window_distinct(const struct window *w, const uint32_t **ids)
{
	*ids = w->counts.ids;
	return w->counts.size;
}
