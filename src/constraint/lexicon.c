/* SPDX-License-Identifier: MIT */
/* All pieces in order of their bytes, so that what they share is met once. */
#include "lexicon.h"

#include <stdlib.h>
#include <string.h>

/* A piece, behind what it shares with the one before it. */
struct word {
	uint32_t id;
	uint32_t shared; /* so many bytes */
	uint32_t size;   /* in all */
};

struct lexicon {
	const struct pieces *pieces;
	struct word *words;
	size_t count;
	unsigned char *rest; /* the bytes behind those shared, end to end */
	uint32_t *states;    /* after each byte of a word: [longest + 1] */
};

/* A piece on its way to its place. */
struct sorted {
	uint64_t first; /* its first bytes as a number that sorts like them */
	const char *bytes;
	uint32_t size, id;
};

static int
by_bytes(const void *a, const void *b)
{
	const struct sorted *x = a, *y = b;
	int order = (x->first > y->first) - (x->first < y->first);

	if (order == 0)
		order = memcmp(
		    x->bytes, y->bytes, x->size < y->size ? x->size : y->size);
	if (order == 0)
		order = (x->size > y->size) - (x->size < y->size);
	return order != 0 ? order : (x->id > y->id) - (x->id < y->id);
}

static uint64_t
first_bytes(const char *bytes, size_t n)
{
	uint64_t first = 0;

	for (size_t i = 0; i < sizeof(first); i++)
		first = first << 8 | (i < n ? (unsigned char)bytes[i] : 0);
	return first;
}

/* Returns how many there are. */
static size_t
sort(const struct pieces *pieces, size_t vocab, struct sorted *sorted)
{
	const char *bytes;
	size_t n, count = 0;

	for (uint32_t id = 0; id < vocab && pieces_get(pieces, id, &bytes, &n);
	     id++)
		if (n > 0)
			sorted[count++] = (struct sorted){
			    first_bytes(bytes, n), bytes, (uint32_t)n, id};
	qsort(sorted, count, sizeof(*sorted), by_bytes);
	return count;
}

/* How many bytes begin both; b comes behind a, and is no beginning of it. */
static uint32_t
count_shared(const struct sorted *a, const struct sorted *b)
{
	uint32_t n = 0;

	while (n < a->size && a->bytes[n] == b->bytes[n])
		n++;
	return n;
}

/* Take the pieces in order; their words have room. */
static bool
fill(struct lexicon *l, const struct sorted *sorted, size_t count)
{
	size_t longest = 0, used = 0;
	struct word *w;

	for (size_t i = 0; i < count; i++) {
		longest = sorted[i].size > longest ? sorted[i].size : longest;
		used += sorted[i].size;
	}
	l->states = calloc(longest + 1, sizeof(*l->states));
	l->rest = malloc(used + 1);
	if (l->states == NULL || l->rest == NULL)
		return false;
	for (used = 0; l->count < count; l->count++) {
		w = &l->words[l->count];
		*w = (struct word){
		    sorted[l->count].id, 0, sorted[l->count].size};
		if (l->count > 0)
			w->shared = count_shared(
			    &sorted[l->count - 1], &sorted[l->count]);
		memcpy(l->rest + used, sorted[l->count].bytes + w->shared,
		    w->size - w->shared);
		used += w->size - w->shared;
	}
	return true;
}

struct lexicon *
lexicon_new(const struct pieces *pieces, size_t vocab)
{
	const size_t count = pieces_count(pieces),
	             room = 1 + (count < vocab ? count : vocab);
	struct lexicon *l = calloc(1, sizeof(*l));
	struct sorted *sorted = calloc(room, sizeof(*sorted));
	bool fine = l != NULL && sorted != NULL;

	if (fine) {
		l->pieces = pieces;
		l->words = calloc(room, sizeof(*l->words));
		fine = l->words != NULL &&
		    fill(l, sorted, sort(pieces, vocab, sorted));
	}
	free(sorted);
	if (fine)
		return l;
	lexicon_free(l);
	return NULL;
}

void
lexicon_free(struct lexicon *l)
{
	if (l == NULL)
		return;
	free(l->words);
	free(l->rest);
	free(l->states);
	free(l);
}

/*
 * Follow a word by the rest of its bytes, from the state that those it shares
 * have led to.  Set *dead to how many of its bytes lead to nothing, or to
 * ALIVE.
 */
#define ALIVE UINT32_MAX

static bool
follow(struct lexicon *l, struct automaton *a, const struct word *w,
    const unsigned char *rest, uint32_t *dead, struct error *err)
{
	uint32_t at = w->shared, state = l->states[at], next;

	while (at < w->size && state != AUTOMATON_DEAD) {
		next = a->next[state][*rest];
		if (next == AUTOMATON_UNKNOWN) {
			a->probe = state;
			if (!automaton_step(a, *rest, err))
				return false;
			next = a->probe;
		}
		state = next;
		rest++;
		l->states[++at] = state;
	}
	*dead = state == AUTOMATON_DEAD ? at : ALIVE;
	return true;
}

/* The same from the beginning: what it shares led to states now forgotten. */
static bool
follow_whole(const struct lexicon *l, struct automaton *a, const struct word *w,
    uint32_t *dead, struct error *err)
{
	const char *bytes;
	size_t n;
	bool fine;

	pieces_get(l->pieces, w->id, &bytes, &n);
	fine = automaton_walk(a, bytes, n, err);
	*dead = a->probe == AUTOMATON_DEAD ? w->size : ALIVE;
	return fine;
}

bool
lexicon_ask(
    struct lexicon *l, struct automaton *a, uint32_t *words, struct error *err)
{
	const unsigned char *rest = l->rest;
	const struct word *w = l->words, *end = l->words + l->count;
	unsigned long forgotten = a->forgotten;
	uint32_t dead = ALIVE;

	for (; w < end; rest += w->size - w->shared, w++) {
		if (w->shared >= dead)
			continue;
		if (w->shared == 0) {
			forgotten = a->forgotten;
			l->states[0] = a->at;
		}
		if (!(a->forgotten == forgotten
		            ? follow(l, a, w, rest, &dead, err)
		            : follow_whole(l, a, w, &dead, err)))
			return false;
		words[w->id / 32] |= (uint32_t)(dead == ALIVE) << w->id % 32;
	}
	return true;
}
