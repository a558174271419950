/* SPDX-License-Identifier: MIT */
/* A row's candidates in the order in which people look at them. */
#include <string.h>

#include "chain.h"

static bool
is_ranked(const struct candidate *list, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (candidate_better(&list[i], &list[i - 1]))
			return false;
	return true;
}

/*
 * The draw walks the list's own order, so what is ranked is a copy.  Where
 * the policy keeps the ranks of logits that dividing made equal, the order
 * knows more than the logits do.  Elsewhere the chain's word that the list
 * is sorted may be stale: adaptive_p has logits of its own.
 */
void
chain_view(struct chain *c)
{
	size_t start = 0, end = c->kept.size, steps = c->settings->n_stages;
	bool ranked = c->settings->policy->ranked;
	struct candidate *list;

	memcpy(c->view, c->kept.list, c->listed * sizeof(*c->view));
	while (start < c->listed && start < c->show) {
		list = c->view + start;
		if (!ranked && !is_ranked(list, end - start))
			rank_candidates(list, end - start, c->scratch);
		ranked = false;
		start = end;
		end = steps > 0 ? c->after[--steps] : c->listed;
		if (end > c->listed)
			end = c->listed;
	}
}
