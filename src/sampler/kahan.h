/* SPDX-License-Identifier: MIT */
/* Kahan's sum: what each addition rounds off is kept for the next. */
#ifndef TOKPICK_KAHAN_H
#define TOKPICK_KAHAN_H

struct kahan {
	double sum;
	double lost;
};

static inline void
kahan_add(struct kahan *k, double value)
{
	double y = value - k->lost, t = k->sum + y;

	k->lost = (t - k->sum) - y;
	k->sum = t;
}

#endif
