/* SPDX-License-Identifier: MIT */
/* Any bytes as settings and rows: llama.cpp's draws are those by the letter. */
#include "../unit/plain_llama.h"
#include "fast.h"

enum {
	VOCAB_MAX = (int)PLAIN_VOCAB_MAX < (int)FAST_VOCAB_MAX
	    ? (int)PLAIN_VOCAB_MAX
	    : (int)FAST_VOCAB_MAX
};

static struct fast fast;
static struct plain plain, again; /* first draws, second ones */
static const struct plain *shown; /* which the last row was from */
static bool weighed_again;

/* The last draw; the first from the row at hand, and which it was from. */
static struct plain_draw last, first;
static struct plain *drawn;

static void
choose_rules(struct feed *f, struct plain_settings *s)
{
	size_t rules = feed_below(f, 3);

	fast.set = (struct sampling){.policy = policies[2 + rules]};
	s->lone_draw = rules == 0;
	s->sigma_sorts = rules == 2;
	s->generator = fast_generator(f, &generator_mt19937);
	s->greedy = feed_one_in(f, 16);
}

/* Any stages in any order, the usual ones out of nothing. */
static void
choose_stages(struct feed *f, struct plain_settings *s)
{
	for (s->n_stages = 0; s->n_stages + 1 < PLAIN_STAGES; s->n_stages++)
		s->stages[s->n_stages] = &plain_stages[s->n_stages];
	if (feed_below(f, 4) < 2)
		return;
	s->n_stages = feed_below(f, PLAIN_STAGES_MAX + 1);
	for (size_t i = 0; i < s->n_stages; i++)
		s->stages[i] = &plain_stages[feed_below(f, PLAIN_STAGES)];
}

static void
choose_biases(struct feed *f, struct plain_settings *s)
{
	s->n_biases = feed_one_in(f, 3) ? feed_below(f, PLAIN_BIASES_MAX + 1)
	                                : 0;
	for (size_t i = 0; i < s->n_biases; i++) {
		s->biases[i].id = (uint32_t)feed_below(f, plain.vocab);
		s->biases[i].add = FEED_FLOAT(f, FLT_MAX, -INFINITY, 2, -3, 50,
		    0, 0x1p-149f, 0x1.fffffep127f, -0x1.fffffep127f);
	}
}

static void
choose_penalties(struct feed *f, struct plain_settings *s)
{
	s->last_n = FEED_ONE(f, int64_t, 64, 0, 1, 3, 1000);
	s->repeat = fabsf(
	    FEED_FLOAT(f, FLT_MAX, 1, 1.1f, 2, 0.5f, 0, 1e-30f, 3e38f));
	s->frequency = FEED_FLOAT(f, FLT_MAX, 0, 0.3f, -0.3f, 3e38f, -3e38f);
	s->presence = FEED_FLOAT(f, FLT_MAX, 0, 0.7f, -0.7f, 20, 3e38f);
}

static void
choose_dry(struct feed *f, struct plain_dry *d)
{
	uint64_t random = feed_bits(f, 1);

	d->multiplier = FEED_FLOAT(f, FLT_MAX, 0, 0.8f, 5, -0.5f);
	d->base = FEED_FLOAT(
	    f, FLT_MAX, 1.75f, 2, 1, 1.000002f, 3e38f, 0.9f, -3);
	if (d->base < 1)
		d->base = 1.75f;
	d->allowed = FEED_ONE(f, size_t, 2, 0, 1, 5, INT32_MAX);
	d->last_n = FEED_ONE(f, size_t, 64, 0, 1, 7, 200);
	d->n_breakers = 0;
	for (size_t n = feed_below(f, BREAKERS_MAX + 1); n > 0; n--)
		plain_dry_break(d, &random, plain.vocab < 6 ? plain.vocab : 6);
}

static void
choose_cuts(struct feed *f, struct plain_settings *s)
{
	const int64_t vocab = (int64_t)plain.vocab;

	s->top_k = FEED_ONE(f, int64_t, 40, 0, -1, 1, 2, 5, 12, vocab - 1,
	    vocab, vocab + 1, INT64_MAX, INT64_MIN);
	s->top_p = FEED_FLOAT(
	    f, FLT_MAX, 0.95f, 1, 0.5f, 0.1f, 0.999f, 0, -1, 1 - 0x1p-24f);
	s->min_p = FEED_FLOAT(f, 1, 0.05f, 0, 0.5f, 1e-10f, 1, -1, 0x1p-149f);
	s->typical = FEED_FLOAT(f, FLT_MAX, 1, 0.2f, 0.6f, 0.99f, 0, -1);
	s->n_sigma = FEED_FLOAT(f, FLT_MAX, -1, 0, 0.5f, 1, 2.5f, 30);
	s->xtc_probability = FEED_FLOAT(f, FLT_MAX, 0, 0.5f, 1, -1);
	s->xtc_threshold = FEED_FLOAT(f, FLT_MAX, 0.1f, 0.02f, 0, 0.5f, -1);
	s->min_keep = FEED_ONE(f, int64_t, 0, 0, 0, 1, 3, INT32_MAX);
}

static void
choose_temperature(struct feed *f, struct plain_settings *s)
{
	s->temp = FEED_FLOAT(f, FLT_MAX, 0.8f, 1, 1.5f, 30, 0.001f, 1e-38f,
	    0x1p-149f, 3e38f, 0, -1);
	if (s->temp < 0)
		s->temp = 0;
	s->range = FEED_FLOAT(f, FLT_MAX, 0, 0.5f, 2, -1);
	s->exponent = FEED_FLOAT(f, FLT_MAX, 1, 0, 0.5f, 2.5f, -1);
}

/* Mirostat leaves one stage, and the temperature without a range. */
static void
choose_finish(struct feed *f, struct plain_settings *s)
{
	s->mirostat = feed_one_in(f, 6) ? 1 + (int64_t)feed_below(f, 2) : 0;
	s->rate = FEED_FLOAT(f, FLT_MAX, 0.1f, 0.9f, 0, 3, -0.5f);
	s->entropy = FEED_FLOAT(f, FLT_MAX, 5, 2, 0.5f, 0, 9, -1);
	s->target = FEED_FLOAT(f, 1, -1, 0, 0.3f, 0.6f, 1);
	s->decay = FEED_ONE(f, float, 0.9f, 0, 0.5f, 0.99f);
	if (s->mirostat == 0)
		return;
	s->stages[0] = &plain_stages[PLAIN_TEMPERATURE];
	s->n_stages = 1;
	s->range = 0;
}

static void
choose(struct feed *f, struct plain_settings *s)
{
	choose_rules(f, s);
	choose_stages(f, s);
	choose_biases(f, s);
	choose_penalties(f, s);
	choose_dry(f, &s->dry);
	choose_cuts(f, s);
	choose_temperature(f, s);
	choose_finish(f, s);
}

static const struct finish *
finish_of(const struct plain_settings *s)
{
	if (s->mirostat > 0)
		return s->mirostat == 1 ? &finish_mirostat_1
		                        : &finish_mirostat_2;
	return sampling_has(&fast.set, &stage_adaptive_p) ? &finish_adaptive_p
	                                                  : &finish_llama;
}

static void
tell_chain(struct plain_settings *s)
{
	char letters[PLAIN_STAGES_MAX + 1];
	size_t n;

	for (n = 0; n < s->n_stages; n++)
		letters[n] = s->stages[n]->letter;
	letters[n] = '\0';
	fast_stages(&fast, letters);
	fast_biases(&fast, s->biases, s->n_biases);
	fast.set.finish = finish_of(s);
	fast.set.breakers = s->dry.breakers;
	fast.set.n_breakers = s->dry.n_breakers;
}

/* What the command line makes of the same settings. */
static void
tell_fast(struct feed *f, struct plain_settings *s)
{
	fast.set = (struct sampling){.policy = fast.set.policy,
	    .generator = s->generator,
	    .seed = feed_bits(f, 1),
	    .greedy = s->greedy,
	    .temp = {s->temp, (double)s->temp},
	    .top_k = s->top_k,
	    .top_p = s->top_p,
	    .min_p = s->min_p,
	    .repeat_last_n = s->last_n,
	    .repeat_penalty = s->repeat,
	    .frequency_penalty = s->frequency,
	    .presence_penalty = s->presence,
	    .min_keep = s->min_keep,
	    .typical = s->typical,
	    .top_nsigma = s->n_sigma,
	    .xtc_probability = s->xtc_probability,
	    .xtc_threshold = s->xtc_threshold,
	    .dynatemp_range = s->range,
	    .dynatemp_exponent = s->exponent,
	    .dry_multiplier = s->dry.multiplier,
	    .dry_base = s->dry.base,
	    .dry_allowed_length = (int64_t)s->dry.allowed,
	    .dry_last_n = (int64_t)s->dry.last_n,
	    .dry_most = 32768,
	    .mirostat_rate = s->rate,
	    .mirostat_entropy = s->entropy,
	    .adaptive_target = s->target,
	    .adaptive_decay = s->decay,
	    .masked = feed_one_in(f, 4),
	    .traced = feed_one_in(f, 4)};
	tell_chain(s);
	fast.vocab = plain.vocab;
	fast.show = FEED_ONE(f, size_t, 0, 0, 1, 3, plain.vocab);
}

static void
join(uint32_t id)
{
	if (fast_join(&fast, id))
		plain.ids[plain.n_ids++] = id;
}

/* The same in the same order, unless they are ranked to be shown. */
static void
compare_kept(void)
{
	const struct candidate *c;
	struct listed l;

	EXPECT(sampler_kept(fast.sampler) == shown->n, "%zu kept, not %zu",
	    sampler_kept(fast.sampler), shown->n);
	for (size_t i = 0; i < shown->n && !fast.set.traced; i++) {
		c = &shown->list[i];
		l = sampler_list(fast.sampler, i);
		EXPECT(l.id == c->id && l.p == (double)c->p / shown->total,
		    "place %zu of %zu: token %u, p %a, not %u, %a", i, shown->n,
		    l.id, l.p, c->id, (double)c->p / shown->total);
	}
}

static struct decision
draw_from(struct plain *p, size_t nth)
{
	const struct candidate *c;

	last = plain_draw(p);
	c = &p->list[last.index];
	if (nth == 0) {
		first = last;
		drawn = p;
	}
	return (struct decision){.id = c->id,
	    .p = (double)c->p / p->total,
	    .random = last.random,
	    .unit = last.unit,
	    .at = {last.start, last.end}};
}

/* The row once more, inside the constraint; false if that fails. */
static bool
weigh_again(const struct row *row)
{
	bool good;

	if (weighed_again)
		return true;
	weighed_again = true;
	fast_confine(&fast);
	again.set = plain.set;
	again.vocab = plain.vocab;
	again.memory = plain.memory;
	memcpy(again.ids, plain.ids, sizeof(plain.ids));
	again.n_ids = plain.n_ids;
	again.inside = fast.inside;
	if (fast.dead_end)
		return true;
	good = plain_weigh(&again, row);
	plain.memory = again.memory;
	fast.dead_end = !good;
	return good || !again.refused;
}

/*
 * One draw by the letter, or two; false if the second one fails.  Mirostat
 * learns from the first all the same.
 */
static bool
draw_plainly(const struct row *row, uint32_t nth, struct decision *d)
{
	struct decision before = *d = draw_from(&plain, nth);

	if (fast_allows(&fast, d->id))
		return true;
	if (plain.set.mirostat > 0)
		plain_accept(&plain, &last);
	if (!weigh_again(row))
		return false;
	d->dead_end = fast.dead_end;
	if (fast.dead_end)
		return true;
	again.memory = plain.memory;
	again.draws = nth;
	*d = draw_from(&again, nth);
	plain.memory = again.memory;
	d->again = true;
	d->refused = (struct refused){
	    before.id, before.p, before.random, before.unit};
	if (nth == 0)
		shown = &again;
	return true;
}

/* False if a second draw fails, which ends the run. */
static bool
compare_draw(const struct row *row, uint32_t nth, struct decision *ours)
{
	struct decision d;
	bool should = draw_plainly(row, nth, &d);

	return fast_draw(&fast, should, &d, ours);
}

/* The first draw was taken, and an id joins. */
static void
accept(const struct decision *taken, uint32_t id)
{
	sampler_accept(fast.sampler, taken);
	drawn->memory = plain.memory;
	plain_accept(drawn, &first);
	plain.memory = drawn->memory;
	join(id);
}

/* One row and up to three draws, of which the first one is taken. */
static bool
try_row(struct feed *f)
{
	struct decision taken, other;
	struct row row;
	uint32_t more;
	bool good, should;

	fast_next_row(&fast, f, &row);
	weighed_again = false;
	shown = &plain;
	should = plain_weigh(&plain, &row);
	good = fast_weigh(&fast, feed_one_in(f, 4));
	EXPECT(good == should, "%s", good ? "weighed" : "refused");
	if (!good)
		return true;
	compare_kept();
	if (!compare_draw(&row, 0, &taken))
		return false;
	more = (uint32_t)feed_below(f, 3);
	for (uint32_t nth = 1; nth <= more; nth++)
		if (!compare_draw(&row, nth, &other))
			return false;
	compare_kept();
	accept(&taken, feed_one_in(f, 4) ? fast_some_id(&fast, f) : taken.id);
	return true;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct feed f = {data, data + size};

	plain.vocab = feed_vocab(&f, VOCAB_MAX);
	choose(&f, &plain.set);
	tell_fast(&f, &plain.set);
	plain_begin(&plain, plain.vocab, fast.set.seed);
	fast_open(&fast, &f);
	for (size_t n = feed_below(&f, 32); n > 0; n--)
		join(fast_some_id(&fast, &f));
	fast_run(&fast, &f, try_row);
	return 0;
}
