/* SPDX-License-Identifier: MIT */
/* Draws inside a constraint: what it allows, as a mask. */
#include "inside.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../constraint/constraint.h"

/*
 * A sorted prefix of the row is asked first, and a longer one while that
 * brings too few; past this part of the row it is cheaper to ask of all.
 */
enum { WIDER = 4, PART = 8 };

static size_t
words(size_t vocab)
{
	return vocab / 32 + (vocab % 32 > 0);
}

bool
inside_open(struct inside *in, struct constraint *constraint,
    const struct chain *of, size_t vocab, struct error *err)
{
	*in = (struct inside){.constraint = constraint, .vocab = vocab};
	in->allowed = malloc(words(vocab) * sizeof(*in->allowed));
	if (in->allowed == NULL)
		return error_system(err, ENOMEM, "a mask of %zu bits", vocab);
	if (of == NULL || chain_open_twin(&in->chain, of, err))
		return true;
	inside_close(in);
	return false;
}

void
inside_close(struct inside *in)
{
	if (in->chain.settings != NULL)
		chain_close(&in->chain);
	free(in->allowed);
	*in = (struct inside){0};
}

void
inside_restart(struct inside *in)
{
	in->weighed = in->dead_end = false;
}

bool
inside_ask_all(struct inside *in, const struct row *row, struct error *err)
{
	uint32_t any = 0;

	if (!constraint_ask_all(in->constraint, in->allowed, err))
		return false;
	for (size_t i = 0; i < words(in->vocab); i++) {
		if (row->mask != NULL)
			in->allowed[i] &= row->mask[i];
		any |= in->allowed[i];
	}
	in->dead_end = any == 0;
	return true;
}

/* Ask of the n best, from the asked-th on, until as many as needed are found.
 */
static bool
ask_best(struct inside *in, size_t n, size_t *asked, size_t *found,
    struct error *err)
{
	const struct candidates *best = &in->chain.kept;
	const struct candidate *c;
	bool allowed;

	for (; *asked < n && *found < in->chain.select; ++*asked) {
		c = &best->list[*asked];
		if (c->logit == -INFINITY)
			break;
		if (!constraint_ask(in->constraint, c->id, &allowed, err))
			return false;
		if (!allowed)
			continue;
		in->allowed[c->id / 32] |= UINT32_C(1) << c->id % 32;
		++*found;
	}
	return true;
}

/* Allow no more than the k best that are allowed, or all where k are too many.
 */
static bool
ask(struct inside *in, const struct row *row, const struct window *window,
    struct error *err)
{
	size_t k = in->chain.select, asked = 0, found = 0;

	if (in->chain.settings->traced || k > in->vocab / PART)
		return inside_ask_all(in, row, err);
	memset(in->allowed, 0, words(in->vocab) * sizeof(*in->allowed));
	for (size_t n = WIDER * k; n < in->vocab / PART; n *= WIDER) {
		if (!chain_best(&in->chain, row, window, n, err) ||
		    !ask_best(in, n, &asked, &found, err))
			return false;
		if (found == k)
			return true;
	}
	return inside_ask_all(in, row, err);
}

bool
inside_weigh(struct inside *in, const struct row *row,
    const struct window *window, struct error *err)
{
	struct row allowed = *row;

	if (in->weighed)
		return true;
	if (!ask(in, row, window, err))
		return false;
	allowed.mask = in->allowed;
	if (!in->dead_end && !chain_run(&in->chain, &allowed, window, err)) {
		if (!in->chain.empty)
			return false;
		in->dead_end = true;
	}
	in->weighed = true;
	return true;
}
