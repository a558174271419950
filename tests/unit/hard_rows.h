/* SPDX-License-Identifier: MIT */
/* Rows at random, of the kinds and sizes that are hard. */
#ifndef TOKPICK_TEST_HARD_ROWS_H
#define TOKPICK_TEST_HARD_ROWS_H

#include <float.h>

#include "reference.h"

/* Mostly few; some about where other ways begin. */
static inline size_t
random_vocab(uint64_t *random)
{
	static const size_t edges[] = {32, 64, 128, 256, 512, 1024, 2048, 4096};
	size_t kind = random_below(random, 100);

	if (kind < 60)
		return 1 + random_below(random, 40);
	if (kind < 82)
		return 1 + random_below(random, 300);
	if (kind < 94)
		return edges[random_below(random, LENGTH(edges))] - 1 +
		    random_below(random, 3);
	if (kind < 96)
		return 1000;
	return 1 + random_below(random, VOCAB_MOST);
}

/* All but one banned, all of them, the ends of float, steep, and flat. */
static inline void
edge_row(uint64_t *random, float *logits, size_t n)
{
	size_t kind = random_below(random, 6), one = random_below(random, n);

	for (size_t id = 0; id < n; id++) {
		logits[id] = random_normal(random, 1);
		if (kind < 2)
			logits[id] = -INFINITY;
		else if (kind == 2)
			logits[id] = one_in(random, 2) ? FLT_MAX : -FLT_MAX;
		else if (kind == 3)
			logits[id] *= 1e30f;
		else if (kind == 4)
			logits[id] = 1 +
			    (float)random_below(random, 3) * 0x1p-23f;
	}
	if (kind == 1)
		logits[one] = -3;
	else if (kind == 5)
		logits[one] = 60;
}

/* The same as doubles, or doubles that no float is; strict takes no -inf. */
static inline void
widen_row(struct conversation *p)
{
	uint64_t *random = &p->words.random;
	bool more = one_in(random, 2), finite = !one_in(random, 20);

	for (size_t id = 0; id < p->row.size; id++) {
		p->wide[id] = (double)p->logits[id];
		if (more)
			p->wide[id] *= 1 + 0x1p-40 * (double)(id % 7);
		if (finite && p->wide[id] == (double)-INFINITY)
			p->wide[id] = -1e300;
	}
	p->row.wide = p->wide;
}

/* One row in twenty has a value that must be refused. */
static inline void
next_row(struct conversation *p, uint64_t number)
{
	uint64_t *random = &p->words.random;
	size_t n = p->words.vocab;

	p->row = (struct row){.number = number,
	    .size = n,
	    .step = one_in(random, 4) ? random_bits(random) : number,
	    .sequence = one_in(random, 4) ? (uint32_t)random_bits(random) : 0,
	    .logits = p->logits,
	    .mask = p->options.sampling.masked ? p->mask : NULL};
	if (one_in(random, 4))
		edge_row(random, p->logits, n);
	else
		random_row(random, p->logits, n);
	if (one_in(random, 20))
		p->logits[random_below(random, n)] = one_in(random, 2)
		    ? NAN
		    : INFINITY;
	p->is_bf16 = one_in(random, 3);
	if (p->is_bf16)
		make_bf16(p->logits, n, p->halves);
	for (size_t i = 0; i <= n / 32; i++)
		p->mask[i] = (uint32_t)(random_bits(random) |
		    random_bits(random));
	if (p->reference->wide)
		widen_row(p);
}

#endif
