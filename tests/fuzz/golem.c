/* SPDX-License-Identifier: MIT */
/* Any bytes as settings and rows: golem's draws are those by the letter. */
#include "../unit/plain_golem.h"
#include "fast.h"

static struct fast fast;
static struct plain_golem plain, again; /* first draws, second ones */
static const struct plain_golem *shown; /* which the last row was from */
static bool weighed_again;

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

	s->generator = fast_generator(f, &generator_pcg);
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

	EXPECT(sampler_kept(fast.sampler) == shown->n, "%zu kept, not %zu",
	    sampler_kept(fast.sampler), shown->n);
	for (size_t i = 0; i < shown->n; i++) {
		token = &shown->list[i];
		l = sampler_list(fast.sampler, i);
		EXPECT(
		    l.id == token->id && l.p == (double)token->p && !l.removed,
		    "place %zu of %zu: token %u, p %a, not %u, %a", i, shown->n,
		    l.id, l.p, token->id, (double)token->p);
	}
}

static struct decision
draw_from(struct plain_golem *g)
{
	struct plain_golem_draw d = plain_golem_draw(g);

	return (struct decision){.id = g->list[d.index].id,
	    .p = (double)g->list[d.index].p,
	    .random = d.random,
	    .unit = d.unit,
	    .at = {d.start, d.end}};
}

/* The row once more, inside the constraint; false if that fails. */
static bool
weigh_again(const struct row *row)
{
	if (weighed_again)
		return true;
	fast_confine(&fast);
	again.set = plain.set;
	again.vocab = plain.vocab;
	memcpy(again.ids, plain.ids, sizeof(plain.ids));
	again.n_ids = plain.n_ids;
	again.inside = fast.inside;
	weighed_again = true;
	if (!fast.dead_end && !plain_golem_weigh(&again, row)) {
		if (again.refused)
			return false;
		fast.dead_end = true;
	}
	return true;
}

/* One draw by the letter, or two; false if the second one fails. */
static bool
draw_plainly(const struct row *row, uint32_t nth, struct decision *d)
{
	struct decision first = *d = draw_from(&plain);

	if (fast_allows(&fast, d->id))
		return true;
	if (!weigh_again(row))
		return false;
	d->dead_end = fast.dead_end;
	if (fast.dead_end)
		return true;
	again.rng = plain.rng;
	again.draws = nth;
	*d = draw_from(&again);
	plain.rng = again.rng;
	d->again = true;
	d->refused = (struct refused){
	    first.id, first.p, first.random, first.unit};
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

/* One row and up to three draws, of which the first one is taken. */
static bool
try_row(struct feed *f)
{
	struct decision first, other;
	struct row row;
	uint32_t more;
	bool good, should;

	fast_next_row(&fast, f, &row);
	weighed_again = false;
	shown = &plain;
	should = plain_golem_weigh(&plain, &row);
	good = fast_weigh(&fast, feed_one_in(f, 4));
	EXPECT(good == should, "%s", good ? "weighed" : "refused");
	if (!good)
		return true;
	if (feed_one_in(f, 2))
		compare_kept();
	if (!compare_draw(&row, 0, &first))
		return false;
	more = (uint32_t)feed_below(f, 3);
	for (uint32_t nth = 1; nth <= more; nth++)
		if (!compare_draw(&row, nth, &other))
			return false;
	compare_kept();
	sampler_accept(fast.sampler, &first);
	join(feed_one_in(f, 4) ? fast_some_id(&fast, f) : first.id);
	return true;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct feed f = {data, data + size};

	plain.vocab = feed_vocab(&f, FAST_VOCAB_MAX);
	choose(&f, &plain.set);
	tell_fast(&f, &plain.set);
	plain_golem_begin(&plain, plain.vocab);
	fast_open(&fast, &f);
	for (size_t n = feed_below(&f, 16); n > 0; n--)
		join(fast_some_id(&fast, &f));
	fast_run(&fast, &f, try_row);
	return 0;
}
