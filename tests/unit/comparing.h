/* SPDX-License-Identifier: MIT */
/* Is what a sampler made of a row what the one by the letter made of it? */
#ifndef TOKPICK_TEST_COMPARING_H
#define TOKPICK_TEST_COMPARING_H

#include "reference.h"

/* The first value that no row may have, if there is one, is what is told. */
static inline void
compare_refusal(const struct conversation *p, const char *text)
{
	const struct row *row = &p->row;
	char expected[80] = "";
	double logit = 0;
	size_t id = 0;

	while (id < row->size) {
		logit = row_logit(row, id);
		if (!(logit < (double)INFINITY) ||
		    (row->wide != NULL && logit == (double)-INFINITY))
			break;
		id++;
	}
	if (id < row->size)
		snprintf(expected, sizeof(expected),
		    "row %llu: logit of token %zu is %s: ",
		    (unsigned long long)row->number, id,
		    isnan(logit)    ? "NaN"
		        : logit > 0 ? "+inf"
		                    : "-inf");
	EXPECT(
	    text[0] != '\0' && strncmp(text, expected, strlen(expected)) == 0,
	    "refused with '%s', not '%s'", text, expected);
}

static inline int
by_id(const void *first, const void *second)
{
	const struct place *a = first, *b = second;

	return a->id < b->id ? -1 : a->id > b->id;
}

/*
 * The same are kept, in the same order and to the bit as likely.  Where some
 * were ranked to be shown, the order of these is that of their probabilities.
 */
static inline void
compare_kept(const struct conversation *p, const struct sampler *sampler)
{
	static struct place ours[VOCAB_MOST], theirs[VOCAB_MOST];
	size_t n = p->reference->kept();
	struct listed l;

	EXPECT(sampler_kept(sampler) == n, "%zu kept, not %zu",
	    sampler_kept(sampler), n);
	for (size_t i = 0; i < n; i++) {
		l = sampler_list(sampler, i);
		EXPECT(!l.removed, "place %zu of %zu is removed", i, n);
		ours[i] = (struct place){l.id, l.p};
		theirs[i] = p->reference->at(i);
		EXPECT(!p->words.traced || i == 0 || i >= p->show ||
		        l.p <= ours[i - 1].p,
		    "place %zu of %zu: p %a after %a", i, n, l.p,
		    ours[i - 1].p);
	}
	if (p->words.traced) {
		qsort(ours, n, sizeof(*ours), by_id);
		qsort(theirs, n, sizeof(*theirs), by_id);
	}
	for (size_t i = 0; i < n; i++)
		EXPECT(ours[i].id == theirs[i].id && ours[i].p == theirs[i].p,
		    "place %zu of %zu: token %u, p %a, not %u, %a", i, n,
		    ours[i].id, ours[i].p, theirs[i].id, theirs[i].p);
}

/* What else is listed was removed, and is another token each. */
static inline void
compare_removed(const struct conversation *p, const struct sampler *sampler)
{
	static bool listed[VOCAB_MOST];
	struct listed l;

	memset(listed, 0, p->row.size * sizeof(*listed));
	for (size_t i = 0; i < sampler_listed(sampler); i++) {
		l = sampler_list(sampler, i);
		EXPECT(l.id < p->row.size && !listed[l.id],
		    "place %zu: token %u, again", i, l.id);
		listed[l.id] = true;
		EXPECT(i < sampler_kept(sampler) || (l.removed && l.p == 0),
		    "place %zu: token %u is not removed", i, l.id);
	}
}

static inline void
compare_draw(const struct decision *ours, const struct decision *theirs)
{
	EXPECT(ours->id == theirs->id && ours->p == theirs->p &&
	        ours->random == theirs->random,
	    "token %u, p %a, %s random number, not %u, %a, %s", ours->id,
	    ours->p, ours->random ? "a" : "no", theirs->id, theirs->p,
	    theirs->random ? "a" : "no");
	EXPECT(
	    ours->dead_end == theirs->dead_end && ours->again == theirs->again,
	    "%s, %s, not %s, %s", ours->dead_end ? "a dead end" : "none",
	    ours->again ? "drawn again" : "drawn once",
	    theirs->dead_end ? "a dead end" : "none",
	    theirs->again ? "drawn again" : "drawn once");
	EXPECT(ours->refused.id == theirs->refused.id &&
	        ours->refused.p == theirs->refused.p &&
	        ours->refused.random == theirs->refused.random &&
	        ours->refused.unit == theirs->refused.unit,
	    "token %u, p %a refused, not %u, %a", ours->refused.id,
	    ours->refused.p, theirs->refused.id, theirs->refused.p);
	EXPECT(!ours->random || ours->unit == theirs->unit, "unit %a, not %a",
	    ours->unit, theirs->unit);
	EXPECT(ours->at.start == theirs->at.start &&
	        ours->at.end == theirs->at.end,
	    "interval %a, %a, not %a, %a", ours->at.start, ours->at.end,
	    theirs->at.start, theirs->at.end);
}

#endif
