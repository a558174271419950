/* SPDX-License-Identifier: MIT */
/* The best of a row, searched for once for many settings. */
#include "best.h"

#include <errno.h>
#include <stdlib.h>

#include "chain.h"
#include "select.h"

bool
best_open(struct best *b, size_t k, size_t vocab, struct error *err)
{
	size_t room = select_room(vocab, k);

	*b = (struct best){.k = k};
	if (k == 0)
		return true;
	b->kept.list = malloc(room * sizeof(*b->kept.list));
	b->scratch = malloc(room * sizeof(*b->scratch));
	if (b->kept.list != NULL && b->scratch != NULL)
		return true;
	best_close(b);
	return error_system(err, ENOMEM, "the best %zu of a row", k);
}

void
best_close(struct best *b)
{
	free(b->kept.list);
	free(b->scratch);
	*b = (struct best){0};
}

bool
best_find(struct best *b, struct row *row, struct error *err)
{
	struct scan scan;
	size_t bad;

	if (b->k == 0)
		return true;
	bad = select_scan(&scan, row, b->k);
	if (bad < row->size)
		return chain_bad_logit(row, bad, err);
	select_others(&scan, b->k, NULL, 0, &b->kept, b->scratch);
	rank_candidates(b->kept.list, b->kept.size, b->scratch);
	row->best = &b->kept;
	return true;
}
