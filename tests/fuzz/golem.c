/* SPDX-License-Identifier: MIT */
/* Any bytes as settings and rows: golem's draws are those by the letter. */
#include "../unit/plain_golem.h"
#include "fast.h"

static struct fast fast;
static struct plain_golem plain;

/* Any stages in any order, the usual ones out of nothing. */
static void
choose_stages(struct feed *f, char *stages)
{
	static const char letters[] = "ekpmt";
	size_t n;

	strcpy(stages, letters);
	if (feed_below(f, 4) < 2)
		return;
	n = feed_below(f, PLAIN_GOLEM_STAGES_MAX + 1);
	for (size_t i = 0; i < n; i++)
		stages[i] = letters[feed_below(f, sizeof(letters) - 1)];
	stages[n] = '\0';
}

static void
choose_biases(struct feed *f, struct plain_golem_settings *s)
{
	s->n_biases = feed_one_in(f, 3)
	    ? feed_below(f, PLAIN_GOLEM_BIASES_MAX + 1)
	    : 0;
	for (size_t i = 0; i < s->n_biases; i++) {
		s->biases[i].id = (uint32_t)feed_below(f, plain.vocab);
		s->biases[i].add = FEED_FLOAT(f, FLT_MAX, -INFINITY, 2, -3, 50,
		    0, 0x1p-149f, 0x1.fffffep127f, -0x1.fffffep127f);
	}
}

static void
choose(struct feed *f, struct plain_golem_settings *s)
{
	const int64_t vocab = (int64_t)plain.vocab;

	s->generator = feed_one_in(f, 4) ? &generator_philox : &generator_pcg;
	s->seed = feed_bits(f, 1);
	s->greedy = feed_one_in(f, 16);
	choose_stages(f, s->stages);
	choose_biases(f, s);
	s->last_n = FEED_ONE(f, int64_t, 64, 64, 0, 1, 3, -1, 1000);
	s->repeat = FEED_FLOAT(f, FLT_MAX, 1, 1.1f, 2, 0.5f, 0, 1e-30f, 3e38f);
	s->repeat = fabsf(s->repeat);
	s->frequency = FEED_FLOAT(f, FLT_MAX, 0, 0.3f, -0.3f, 3e38f, -3e38f);
	s->presence = FEED_FLOAT(f, FLT_MAX, 0, 0.7f, -0.7f, 20, 3e38f);
	s->top_k = FEED_ONE(f, int64_t, 64, 0, -1, 1, 2, 5, 12, vocab - 1,
	    vocab, vocab + 1, INT64_MAX, INT64_MIN);
	s->top_p = FEED_FLOAT(
	    f, FLT_MAX, 0.95f, 1, 0.5f, 0.1f, 0.999f, 0, -1, 1 - 0x1p-24f);
	s->min_p = FEED_FLOAT(f, 1, 0.05f, 0, 0.5f, 1e-10f, 1, -1, 0x1p-149f);
	s->min_keep = FEED_ONE(f, int64_t, 0, 0, 0, 1, 3, INT32_MAX);
	s->temp = FEED_FLOAT(f, FLT_MAX, 1, 0.7f, 1.5f, 30, 0.001f, 1e-38f,
	    0x1p-149f, 3e38f, 0, -1);
}

/* What the command line makes of the same settings. */
static void
tell_fast(struct feed *f, const struct plain_golem_settings *s)
{
	struct sampling *to = &fast.set;

	*to = (struct sampling){.policy = policies[0],
	    .generator = s->generator,
	    .seed = s->seed,
	    .finish = policies[0]->finish,
	    .greedy = s->greedy,
	    .temp = {s->temp, (double)s->temp},
	    .top_k = s->top_k,
	    .top_p = s->top_p,
	    .min_p = s->min_p,
	    .repeat_last_n = s->last_n,
	    .repeat_penalty = s->repeat == 0 ? 1 : s->repeat,
	    .frequency_penalty = s->frequency,
	    .presence_penalty = s->presence,
	    .min_keep = s->min_keep,
	    .masked = feed_one_in(f, 4),
	    .traced = feed_one_in(f, 4)};
	fast_stages(&fast, s->stages);
	fast_biases(&fast, s->biases, s->n_biases);
	if (s->temp <= 0 && sampling_has(to, &stage_temperature))
		to->greedy = true;
	fast.vocab = plain.vocab;
	fast.show = FEED_ONE(f, size_t, 0, 0, 1, 3, plain.vocab);
}

static void
join(uint32_t id)
{
	if (fast_join(&fast, id))
		plain.ids[plain.n_ids++] = id;
}

/* The same are kept, ranked the same, as likely to the bit. */
static void
compare_kept(void)
{
	const struct plain_golem_token *token;
	struct listed l;

	EXPECT(sampler_kept(fast.sampler) == plain.n, "%zu kept, not %zu",
	    sampler_kept(fast.sampler), plain.n);
	for (size_t i = 0; i < plain.n; i++) {
		token = &plain.list[i];
		l = sampler_list(fast.sampler, i);
		EXPECT(
		    l.id == token->id && l.p == (double)token->p && !l.removed,
		    "place %zu of %zu: token %u, p %a, not %u, %a", i, plain.n,
		    l.id, l.p, token->id, (double)token->p);
	}
}

static void
compare_draw(struct decision *ours)
{
	struct plain_golem_draw d = plain_golem_draw(&plain);
	const struct plain_golem_token *token = &plain.list[d.index];
	struct error err;

	if (!sampler_draw(fast.sampler, ours, &err))
		abort();
	EXPECT(ours->id == token->id && ours->p == (double)token->p,
	    "token %u, p %a, not %u, %a", ours->id, ours->p, token->id,
	    (double)token->p);
	EXPECT(ours->random == d.random && ours->unit == d.unit,
	    "unit %a, not %a", ours->unit, d.unit);
	EXPECT(ours->at.start == d.start && ours->at.end == d.end,
	    "interval %a, %a, not %a, %a", ours->at.start, ours->at.end,
	    d.start, d.end);
}

/* One row and up to three draws, of which the first one is taken. */
static void
try_row(struct feed *f)
{
	struct decision first, other;
	struct row row;
	bool good, should;

	fast_next_row(&fast, f, &row);
	should = plain_golem_weigh(&plain, &row);
	good = fast_weigh(&fast, feed_one_in(f, 4));
	EXPECT(good == should, "%s", good ? "weighed" : "refused");
	if (!good)
		return;
	if (feed_one_in(f, 2))
		compare_kept();
	compare_draw(&first);
	for (size_t more = feed_below(f, 3); more > 0; more--)
		compare_draw(&other);
	compare_kept();
	sampler_accept(fast.sampler, &first);
	join(feed_one_in(f, 4) ? fast_some_id(&fast, f) : first.id);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct feed f = {data, data + size};

	plain.vocab = feed_vocab(&f, PLAIN_GOLEM_VOCAB_MAX);
	choose(&f, &plain.set);
	tell_fast(&f, &plain.set);
	plain_golem_begin(&plain, plain.vocab);
	fast_open(&fast);
	for (size_t n = feed_below(&f, 16); n > 0; n--)
		join(fast_some_id(&fast, &f));
	for (size_t rows = 0; rows < 4 && (rows == 0 || f.at < f.end); rows++) {
		try_row(&f);
		if (feed_one_in(&f, 8))
			fast_go_on(&fast);
	}
	fast_close(&fast);
	return 0;
}
