/* SPDX-License-Identifier: MIT */
/* strict's settings at random, and strict by the letter beside them. */
#ifndef TOKPICK_TEST_STRICT_SETTINGS_H
#define TOKPICK_TEST_STRICT_SETTINGS_H

#include "plain_strict.h"
#include "reference.h"

static struct plain_strict strict;

/* Some of these are refused, with the first row. */
static void
strict_choose(struct words *w)
{
	static const char *const temps[] = {"1", "0.7", "1.5", "30", "0.001",
	    "1e-300", "5e-324", "1e300", "0.99999999999999989", "0", NULL};
	struct plain_strict_settings *s = &strict.set;

	*s = (struct plain_strict_settings){.greedy = w->greedy,
	    .generator = w->by_row ? &generator_philox : &generator_splitmix64,
	    .seed = random_below(&w->random, INT64_MAX)};
	add(w, "policy", "strict");
	add_int(w, "seed", (int64_t)s->seed);
	s->temp = strtod(any(w, "temp", temps), NULL);
	s->k_given = one_in(&w->random, 2);
	if (!s->k_given)
		return;
	s->top_k = (int64_t)random_below(&w->random, w->vocab + 2);
	if (one_in(&w->random, 2))
		s->top_k = 1 + s->top_k % 12;
	add_int(w, "top-k", s->top_k);
}

static void
strict_begin(size_t vocab)
{
	plain_strict_begin(&strict, vocab);
}

static void
strict_join(uint32_t id)
{
	(void)id; /* it remembers nothing */
}

static bool
strict_weigh_plainly(const struct row *row)
{
	return plain_strict_weigh(&strict, row);
}

static size_t
strict_kept(void)
{
	return strict.retained;
}

static struct place
strict_at(size_t i)
{
	uint32_t id = strict.ranked[i].id;

	return (struct place){id, strict.p[id]};
}

static struct decision
strict_draw_plainly(void)
{
	struct plain_strict_draw d = plain_strict_draw(&strict);

	return (struct decision){.id = d.id,
	    .p = strict.p[d.id],
	    .random = d.random,
	    .unit = d.unit,
	    .at = {d.start, d.end}};
}

/* All that is not kept has a probability of 0. */
static void
strict_compare(const struct sampler *sampler)
{
	const double *p = sampler_by_id(sampler);

	for (size_t id = 0; id < strict.vocab; id++)
		EXPECT(p[id] == strict.p[id], "token %zu: p %a, not %a", id,
		    p[id], strict.p[id]);
}

static const struct reference reference_strict = {.wide = true,
    .choose = strict_choose,
    .begin = strict_begin,
    .join = strict_join,
    .weigh = strict_weigh_plainly,
    .kept = strict_kept,
    .at = strict_at,
    .draw = strict_draw_plainly,
    .compare = strict_compare};

#endif
