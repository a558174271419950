/* SPDX-License-Identifier: MIT */
/* A row of which every token is kept, and not listed before it must be. */
#include "entire.h"

#include "bits.h"
#include "chain.h"
#include "exp_array.h"
#include "masses.h"
#include "maxima.h"
#include "select.h"

void
entire_take(struct chain *c, const float *row, float max)
{
	c->entire.row = row;
	c->entire.max = max;
	c->entire.temp = 1;
	c->entire.sum = 0;
	c->entire.listed = 0;
	c->kept = (struct candidates){c->list, c->vocab};
	c->listed = 0;
	c->sorted = false;
}

void
entire_weigh(struct chain *c)
{
	struct entire *e = &c->entire;
	float max = e->max / e->temp, scaled[WEIGH_BLOCK];
	const float *logits = e->row;
	double exact;
	size_t n;

	e->sum = 0;
	for (size_t id = 0; id < c->vocab; id += n, logits = e->row + id) {
		n = c->vocab - id < WEIGH_BLOCK ? c->vocab - id : WEIGH_BLOCK;
		if (e->temp != 1) {
			for (size_t i = 0; i < n; i++)
				scaled[i] = logits[i] / e->temp;
			logits = scaled;
		}
		exact = exp_floats(logits, max, e->weights + id, n);
		e->sum = c->settings->policy->add(
		    e->sum, e->weights + id, n, exact);
	}
}

/* They are ranked by the logits, before the temperature makes some equal. */
static void
finish_list(struct chain *c, size_t n)
{
	struct entire *e = &c->entire;
	struct candidate *list = c->kept.list;

	if (e->sum > 0) {
		for (size_t i = 0; i < n; i++)
			list[i].p = e->weights[list[i].id];
		c->settings->policy->share(list, n, e->sum);
	}
	for (size_t i = 0; e->temp != 1 && i < n; i++)
		list[i].logit /= e->temp;
	c->listed = n;
	e->listed = 0;
	for (size_t i = 0; i < n; i++)
		e->listed += (double)list[i].p;
}

/* The best few are found as a top-k finds them. */
static void
rank_few(struct chain *c, size_t n)
{
	struct candidates best = {c->list, 0};

	select_best(c->entire.row, c->vocab, n, &best, c->scratch);
	rank_candidates(best.list, best.size, c->scratch);
	finish_list(c, n < best.size ? n : best.size);
}

/* List those whose weights are above a floor; returns how many they are. */
static size_t
list_above(struct chain *c, float floor)
{
	const struct entire *e = &c->entire;
	size_t n = 0, id, at;
	uint64_t bits;

	for (id = 0; id + MAXIMA_STEP <= c->vocab; id += MAXIMA_STEP) {
		bits = maxima_above(e->weights + id, floor);
		for (; bits != 0; bits &= bits - 1) {
			at = id + bits_lowest(bits);
			c->list[n++] = (struct candidate){
			    (uint32_t)at, e->row[at], 0};
		}
	}
	for (; id < c->vocab; id++)
		if (e->weights[id] > floor)
			c->list[n++] = (struct candidate){
			    (uint32_t)id, e->row[id], 0};
	return n;
}

/* Of more, the weights tell how far down they go. */
static void
rank_many(struct chain *c, double mass)
{
	const struct entire *e = &c->entire;
	struct masses masses = {{0}};
	size_t n;

	for (size_t id = 0; id < c->vocab; id++)
		masses_add(&masses, e->weights[id]);
	n = list_above(c, masses_floor(&masses, mass * e->sum));
	rank_candidates(c->list, n, c->scratch);
	finish_list(c, n);
}

size_t
entire_rank(struct chain *c, double mass, size_t least)
{
	enum { FEW = 128 };

	mass += MASS_SLACK;
	if (c->listed < least || c->entire.listed < mass)
		rank_few(c, least > FEW ? least : FEW);
	if (c->listed < c->vocab && c->entire.listed < mass)
		rank_many(c, mass);
	return c->listed < least ? 0 : c->listed;
}

void
entire_list(struct chain *c)
{
	struct entire *e = &c->entire;

	if (e->row == NULL)
		return;
	for (size_t id = 0; id < c->vocab; id++)
		c->list[id] = (struct candidate){(uint32_t)id, e->row[id], 0};
	e->row = NULL;
	if (e->temp != 1)
		chain_sort(c);
	finish_list(c, c->vocab);
}
