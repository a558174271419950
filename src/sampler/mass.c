/* SPDX-License-Identifier: MIT */
/* What part of a row's whole softmax is kept, and what part is not. */
#include "mass.h"

#include <math.h>

#include "chain.h"
#include "dmath.h"
#include "kahan.h"
#include "strict.h"

static struct mass
shares(const struct kahan *kept, const struct kahan *gone)
{
	double all = kept->sum + gone->sum;

	return (struct mass){kept->sum / all, gone->sum / all};
}

/* Penalties and biases may raise a logit to +inf: it equals itself. */
static double
weight(float logit, float max)
{
	return logit == max ? 1 : math_exp((double)logit - (double)max);
}

struct mass
mass_of_chain(struct chain *c)
{
	struct kahan kept = {0, 0}, gone = {0, 0};
	float max = -INFINITY;
	uint32_t id;

	if (!c->whole_known)
		return (struct mass){NAN, NAN};
	for (size_t i = 0; i < c->vocab; i++)
		if (c->whole[i] > max)
			max = c->whole[i];
	/*
	 * What is kept is weighed and put away; the rest was removed.  So was
	 * what a stage left in the list as what can't be drawn.
	 */
	for (size_t i = 0; i < c->kept.size; i++) {
		if (c->kept.list[i].logit == -INFINITY)
			continue;
		id = c->kept.list[i].id;
		kahan_add(&kept, weight(c->whole[id], max));
		c->whole[id] = -INFINITY;
	}
	for (size_t i = 0; i < c->vocab; i++)
		kahan_add(&gone, weight(c->whole[i], max));
	return shares(&kept, &gone);
}

struct mass
mass_of_strict(const struct strict *s, const struct row *row)
{
	struct kahan kept = {0, 0}, gone = {0, 0};
	double weight;

	/* An id that is retained with p = 0 weighs nothing either way. */
	for (size_t id = 0; id < row->size; id++) {
		if (!row_allows(row, id))
			continue;
		weight = strict_weight(s, row->wide, id);
		kahan_add(s->p[id] > 0 ? &kept : &gone, weight);
	}
	return shares(&kept, &gone);
}
