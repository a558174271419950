/* SPDX-License-Identifier: MIT */
/*
 * Locally typical sampling (Meister et al.): the candidates whose surprise
 * is nearest to the entropy; tokpick(1), "llama.cpp", "typ_p".
 */
#include <math.h>

#include "chain.h"
#include "dmath.h"

static bool
is_on(const struct sampling *s)
{
	return s->typical < 1;
}

static float
entropy(const struct candidates *kept)
{
	float h = 0, p;

	for (size_t i = 0; i < kept->size; i++) {
		p = kept->list[i].p;
		if (p > 0) /* 0 log 0 is taken as 0 */
			h += -p * math_logf(p);
	}
	return h;
}

/*
 * The order by score is found by ranking stand-ins: the id is the place in
 * the list, so that equal scores keep their order, the logit the score's
 * negative.
 */
static void
order_by_score(struct chain *c, struct candidate *order, float h)
{
	float p;

	for (size_t i = 0; i < c->kept.size; i++) {
		p = c->kept.list[i].p;
		order[i] = (struct candidate){
		    .id = (uint32_t)i, .logit = -fabsf(-math_logf(p) - h)};
	}
	rank_candidates(order, c->kept.size, c->scratch);
}

/* The shortest prefix of that order whose probabilities pass typical. */
static size_t
count_typical(const struct chain *c, const struct candidate *order)
{
	size_t least = (size_t)c->settings->min_keep, n = 0;
	float sum = 0;

	while (n < c->kept.size) {
		sum += c->kept.list[order[n++].id].p;
		if (sum > c->settings->typical && n >= least)
			break;
	}
	return n;
}

static bool
run(struct chain *c, struct error *err)
{
	struct candidate *order = c->order;
	size_t n;

	(void)err;
	chain_sort(c);
	chain_softmax(c);
	order_by_score(c, order, entropy(&c->kept));
	n = count_typical(c, order);
	for (size_t i = 0; i < c->kept.size; i++)
		c->scratch[i] = c->kept.list[order[i].id];
	for (size_t i = 0; i < c->kept.size; i++)
		c->kept.list[i] = c->scratch[i];
	c->kept.size = n;
	c->sorted = false;
	return true;
}

const struct stage stage_typ_p = {.name = "typ_p",
    .aliases = " typical typical-p typ-p typ ",
    .letter = 'y',
    .is_on = is_on,
    .run = run,
    .drops_best = true};
