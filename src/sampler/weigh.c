/* SPDX-License-Identifier: MIT */
/* Weights: exponentials of logits below the highest one. */
#include "weigh.h"

#include "exp_array.h"

double
weigh_candidates(struct candidate *list, size_t n, float max, weigh_add *add)
{
	float logit[WEIGH_BLOCK], weight[WEIGH_BLOCK];
	double sum = 0, exact;
	size_t m;

	for (; n > 0; n -= m, list += m) {
		m = n < WEIGH_BLOCK ? n : WEIGH_BLOCK;
		for (size_t i = 0; i < m; i++)
			logit[i] = list[i].logit;
		exact = exp_floats(logit, max, weight, m);
		for (size_t i = 0; i < m; i++)
			list[i].p = weight[i];
		sum = add(sum, weight, m, exact);
	}
	return sum;
}
