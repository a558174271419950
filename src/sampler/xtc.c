/* SPDX-License-Identifier: MIT */
/*
 * XTC, "exclude top choices" (p-e-w): now and then all but the last of the
 * likely ones go; tokpick(1), "llama.cpp", "xtc".
 */
#include "chain.h"

static bool
is_on(const struct sampling *s)
{
	return s->xtc_probability > 0 && s->xtc_threshold <= 0.5f;
}

/* The index of the last in the leading run of likely ones, 0 if none. */
static size_t
last_likely(const struct chain *c)
{
	size_t last = 0;

	for (size_t i = 0; i < c->kept.size; i++) {
		if (!(c->kept.list[i].p >= c->settings->xtc_threshold))
			break;
		last = i;
	}
	return last;
}

static void
drop_first(struct chain *c, size_t n)
{
	struct candidate *list = c->kept.list;

	for (size_t i = 0; i < n; i++)
		c->scratch[i] = list[i];
	for (size_t i = n; i < c->kept.size; i++)
		list[i - n] = list[i];
	c->kept.size -= n;
	for (size_t i = 0; i < n; i++)
		list[c->kept.size + i] = c->scratch[i];
}

static bool
run(struct chain *c, struct error *err)
{
	size_t last;

	(void)err;
	if (c->kept.size < 2)
		return true;
	c->coin = c->settings->generator->coin(&c->memory->coin);
	if (c->coin > c->settings->xtc_probability)
		return true;
	chain_sort(c);
	chain_softmax(c);
	last = last_likely(c);
	if (last > 0 && c->kept.size - last >= (size_t)c->settings->min_keep)
		drop_first(c, last);
	return true;
}

const struct stage stage_xtc = {.name = "xtc",
    .aliases = "",
    .letter = 'x',
    .is_on = is_on,
    .run = run,
    .drops_best = true};
