/* SPDX-License-Identifier: MIT */
/* Draws inside a constraint: what it allows, as a mask. */
#include "inside.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../constraint/constraint.h"

/*
 * So many times the candidates that are needed are asked first, best first.
 * Where these bring too few, few are allowed, as a rule, and to ask of all is
 * cheap: what pieces begin with is asked once.
 */
enum { PREFIX = 4 };

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
	chain_close(&in->chain);
	free(in->allowed);
	*in = (struct inside){0};
}

void
inside_restart(struct inside *in)
{
	in->weighed = in->dead_end = false;
	if (in->constraint != NULL)
		constraint_begin_row(in->constraint);
}

bool
inside_ask_all(struct inside *in, const struct row *row, struct error *err)
{
	uint32_t any = 0;

	if (!constraint_ask_all(in->constraint, in->allowed, err))
		return chain_in_row(row, err);
	for (size_t i = 0; i < words(in->vocab); i++) {
		if (row->mask != NULL)
			in->allowed[i] &= row->mask[i];
		any |= in->allowed[i];
	}
	in->dead_end = any == 0;
	return true;
}

/* Of the n best, allow the first k that are; *enough: there are as many. */
static bool
ask_best(struct inside *in, const struct row *row, size_t n, size_t k,
    bool *enough, struct error *err)
{
	const struct candidates *best = &in->chain.kept;
	const struct candidate *c;
	size_t found = 0;
	bool allowed;

	memset(in->allowed, 0, words(in->vocab) * sizeof(*in->allowed));
	for (size_t i = 0; i < n && found < k; i++) {
		c = &best->list[i];
		if (c->logit == -INFINITY)
			break;
		if (!constraint_ask(in->constraint, c->id, &allowed, err))
			return chain_in_row(row, err);
		if (!allowed)
			continue;
		in->allowed[c->id / 32] |= UINT32_C(1) << c->id % 32;
		found++;
	}
	*enough = found == k;
	return true;
}

/* Allow the k best that are allowed, or all of them. */
static bool
ask(struct inside *in, const struct row *row, const struct window *window,
    struct error *err)
{
	const size_t k = in->chain.select;
	bool enough = false;

	if (!in->chain.settings->traced && k < in->vocab / (2 * PREFIX)) {
		chain_best(&in->chain, row, window, PREFIX * k);
		if (!ask_best(in, row, PREFIX * k, k, &enough, err))
			return false;
	}
	return enough || inside_ask_all(in, row, err);
}

bool
inside_weigh(struct inside *in, const struct row *row,
    const struct window *window, struct error *err)
{
	struct row allowed = *row;

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
