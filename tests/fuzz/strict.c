/* SPDX-License-Identifier: MIT */
/* Any bytes as settings and rows: strict's draws are those by the letter. */
#include "../unit/plain_strict.h"
#include "fast.h"

static struct fast fast;
static struct plain_strict plain;

static double
feed_double(struct feed *f)
{
	uint64_t bits = feed_bits(f, 8);
	double value;

	memcpy(&value, &bits, sizeof(value));
	return value;
}

static void
choose(struct feed *f, struct plain_strict_settings *s)
{
	const int64_t vocab = (int64_t)plain.vocab;

	s->generator = fast_generator(f, &generator_splitmix64);
	s->seed = feed_bits(f, 1);
	s->greedy = feed_one_in(f, 16);
	s->temp = FEED_ONE(f, double, 1, 0.7, 1.5, 30, 0.001, 1e-300, 0x1p-1074,
	    1e300, 0.99999999999999989, 0, -1);
	if (feed_one_in(f, 8))
		s->temp = feed_double(f);
	if (!isfinite(s->temp))
		s->temp = 1;
	s->k_given = feed_one_in(f, 2);
	s->top_k = FEED_ONE(f, int64_t, 1, 2, 5, 12, vocab - 1, vocab,
	    vocab + 1, 0, -1, INT64_MAX);
}

/* What the command line makes of the same settings. */
static void
tell_fast(struct feed *f, const struct plain_strict_settings *s)
{
	fast.set = (struct sampling){.policy = policies[1],
	    .generator = s->generator,
	    .seed = s->seed,
	    .greedy = s->greedy,
	    .temp = {(float)s->temp, s->temp},
	    .top_k = s->top_k,
	    .top_k_given = s->k_given,
	    .masked = feed_one_in(f, 4),
	    .traced = feed_one_in(f, 4)};
	fast.vocab = plain.vocab;
	fast.show = FEED_ONE(f, size_t, 0, 0, 1, 3, plain.vocab);
}

/* What floats hold, or more; -inf, which strict refuses, now and then. */
static void
next_row(struct feed *f)
{
	bool any = feed_one_in(f, 4), finite = !feed_one_in(f, 16);

	fast_place_row(&fast, f);
	feed_row(f, fast.logits, fast.vocab);
	for (size_t id = 0; id < fast.vocab; id++) {
		fast.wide[id] = any ? feed_double(f) : (double)fast.logits[id];
		if (finite && !isfinite(fast.wide[id]))
			fast.wide[id] = -3;
	}
	fast.row.wide = fast.wide;
}

/* The probabilities of all, and how what is kept ranks. */
static void
compare_kept(void)
{
	const double *p = sampler_by_id(fast.sampler);

	EXPECT(sampler_kept(fast.sampler) == plain.retained,
	    "%zu kept, not %zu", sampler_kept(fast.sampler), plain.retained);
	for (size_t id = 0; id < plain.vocab; id++)
		EXPECT(p[id] == plain.p[id], "token %zu: p %a, not %a", id,
		    p[id], plain.p[id]);
	for (size_t i = 0; i < sampler_listed(fast.sampler); i++)
		EXPECT(sampler_list(fast.sampler, i).id == plain.ranked[i].id,
		    "place %zu: token %u, not %u", i,
		    sampler_list(fast.sampler, i).id, plain.ranked[i].id);
}

static void
compare_draw(void)
{
	struct plain_strict_draw by_letter = plain_strict_draw(&plain);
	const struct decision d = {.id = by_letter.id,
	    .p = plain.p[by_letter.id],
	    .random = by_letter.random,
	    .unit = by_letter.unit,
	    .at = {by_letter.start, by_letter.end},
	    .dead_end = fast.dead_end};
	struct decision ours;

	fast_draw(&fast, true, &d, &ours);
}

/* A constraint is one more mask, unless it allows nothing. */
static bool
try_row(struct feed *f)
{
	struct row row;
	bool good, should;

	next_row(f);
	row = fast.row;
	fast.dead_end = false;
	if (fast.grammar != NULL)
		fast_confine(&fast);
	if (fast.grammar != NULL && !fast.dead_end)
		row.mask = fast.inside;
	should = plain_strict_weigh(&plain, &row);
	good = fast_weigh(&fast, false);
	EXPECT(good == should, "%s", good ? "weighed" : "refused");
	if (!good)
		return true;
	compare_kept();
	for (size_t more = 1 + feed_below(f, 3); more > 0; more--)
		compare_draw();
	return true;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct feed f = {data, data + size};

	plain.vocab = feed_vocab(&f, FAST_VOCAB_MAX);
	choose(&f, &plain.set);
	tell_fast(&f, &plain.set);
	plain_strict_begin(&plain, plain.vocab);
	fast_open(&fast, &f);
	fast_run(&fast, &f, try_row);
	return 0;
}
