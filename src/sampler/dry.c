/* SPDX-License-Identifier: MIT */
/* DRY: what would go on with a repetition is penalised. */
#include "dry.h"

#include <errno.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdlib.h>

#include "../always.h"
#include "../array.h"
#include "dmath.h"

/* The logarithm of the largest float, which a penalty stays below. */
static const float log_float_max = 88.7228391f;

struct dry {
	const struct sampling *settings;
	size_t vocab;
	size_t limit;   /* ids of history that count */
	uint32_t *ring; /* [limit] */
	size_t size, next;
	uint32_t *newest; /* [limit] the history, newest first, this row */
	size_t *match;    /* [limit] see match_all() */
	size_t *length;   /* [vocab] 1 + of what an id would repeat, or 0 */
	uint32_t *ids;    /* those whose length is not 0 */
	size_t n_ids;
	bool *lone_breaker; /* [vocab] is the id alone a breaker? */
};

static void
mark_lone_breakers(struct dry *d)
{
	const struct breaker *b = d->settings->breakers;

	for (size_t i = 0; i < d->settings->n_breakers; i++)
		if (b[i].size == 1 && b[i].ids[0] < d->vocab)
			d->lone_breaker[b[i].ids[0]] = true;
}

struct dry *
dry_new(const struct sampling *settings, size_t vocab, struct error *err)
{
	struct dry *d = calloc(1, sizeof(*d));
	int64_t limit = settings->dry_last_n;

	if (limit < 0)
		limit = settings->dry_most;
	/* Where a size_t has 32 bits, a context may be larger than it can say.
	 */
	if (d != NULL && ALWAYS((uint64_t)limit <= SIZE_MAX)) {
		d->settings = settings;
		d->vocab = vocab;
		d->limit = (size_t)limit;
		d->ring = array_new(d->limit, sizeof(*d->ring));
		d->newest = array_new(d->limit, sizeof(*d->newest));
		d->match = array_new(d->limit, sizeof(*d->match));
		d->ids = array_new(d->limit, sizeof(*d->ids));
		d->length = calloc(vocab, sizeof(*d->length));
		d->lone_breaker = calloc(vocab, sizeof(*d->lone_breaker));
		if (d->ring != NULL && d->newest != NULL && d->match != NULL &&
		    d->ids != NULL && d->length != NULL &&
		    d->lone_breaker != NULL) {
			mark_lone_breakers(d);
			return d;
		}
	}
	dry_free(d);
	error_system(err, ENOMEM,
	    "--dry-penalty-last-n: %" PRId64 " ids to look back on", limit);
	return NULL;
}

void
dry_free(struct dry *d)
{
	if (d == NULL)
		return;
	free(d->ring);
	free(d->newest);
	free(d->match);
	free(d->ids);
	free(d->length);
	free(d->lone_breaker);
	free(d);
}

void
dry_join(struct dry *d, uint32_t id)
{
	d->ring[d->next] = id;
	d->next = (d->next + 1) % d->limit;
	if (d->size < d->limit)
		d->size++;
}

size_t
dry_size(const struct dry *d)
{
	return d->size;
}

uint32_t
dry_at(const struct dry *d, size_t i)
{
	return d->ring[(d->next + d->limit - d->size + i) % d->limit];
}

size_t
dry_limit(const struct dry *d)
{
	return d->limit < d->vocab ? d->limit : d->vocab;
}

static void
lay_out_newest(struct dry *d)
{
	for (size_t i = 0; i < d->size; i++)
		d->newest[i] = d->ring[(d->next + d->limit - 1 - i) % d->limit];
}

/* Does the breaker's tail go on from its head, i back, to the newest? */
static bool
breaks_at(const struct dry *d, const struct breaker *b, size_t i)
{
	if (b->size - 1 > i)
		return false;
	for (size_t t = 0; t < b->size; t++)
		if (d->newest[i - t] != b->ids[t])
			return false;
	return true;
}

/* How far back a repetition may reach: to the nearest breaker. */
static size_t
reach(const struct dry *d)
{
	const struct sampling *s = d->settings;
	size_t tail, i;
	bool found = false;

	for (i = 0; i < d->size; i++) {
		tail = 0;
		for (size_t b = 0; b < s->n_breakers; b++) {
			if (!breaks_at(d, &s->breakers[b], i))
				continue;
			found = true;
			if (s->breakers[b].size - 1 > tail)
				tail = s->breakers[b].size - 1;
		}
		if (found)
			return i - tail;
	}
	return d->size;
}

/*
 * match[k]: how many of the newest ids also stand k back from there.  The
 * Z-algorithm: inside a stretch [left, right) that is known to match, what
 * was found at its beginning is found again, so that each id is compared
 * about once.
 */
static void
match_all(struct dry *d)
{
	const uint32_t *ids = d->newest;
	size_t left = 0, right = 0, n;

	for (size_t k = 1; k < d->size; k++) {
		n = 0;
		if (k < right)
			n = d->match[k - left] < right - k ? d->match[k - left]
			                                   : right - k;
		while (k + n < d->size && ids[n] == ids[k + n])
			n++;
		d->match[k] = n;
		if (k + n > right) {
			left = k;
			right = k + n;
		}
	}
}

/* The id that followed the last time goes on with the repetition. */
static void
note(struct dry *d, uint32_t id, size_t length)
{
	if (id >= d->vocab)
		return;
	if (d->length[id] == 0)
		d->ids[d->n_ids++] = id;
	if (d->length[id] < length)
		d->length[id] = length;
}

bool
dry_prepare(struct dry *d, const uint32_t **ids, size_t *n)
{
	size_t allowed = (size_t)d->settings->dry_allowed_length, limit, m;

	while (d->n_ids > 0)
		d->length[d->ids[--d->n_ids]] = 0;
	*ids = d->ids;
	*n = 0;
	if (d->size <= allowed)
		return false;
	lay_out_newest(d);
	limit = reach(d);
	if (limit < allowed)
		return false;
	match_all(d);
	for (size_t k = 1; k < d->size; k++) {
		m = d->match[k] < limit ? d->match[k] : limit;
		if (m >= allowed)
			note(d, d->newest[k - 1], m + 1);
	}
	*n = d->n_ids;
	return true;
}

/* The power that the base is raised to, kept where no float overflows. */
static int
exponent(const struct sampling *s, size_t length)
{
	int e = (int)(length - (size_t)s->dry_allowed_length), most = 0;

	if (s->dry_base > 1.000001f)
		most = (int)(log_float_max / math_logf(s->dry_base));
	return most > 0 && e > most ? most : e;
}

float
dry_penalise(const struct dry *d, uint32_t id, float logit)
{
	const struct sampling *s = d->settings;

	if (d->length[id] == 0 || d->lone_breaker[id])
		return logit;
	return logit -
	    (float)((double)s->dry_multiplier *
	        math_pow((double)s->dry_base,
	            (double)exponent(s, d->length[id] - 1)));
}
