/* SPDX-License-Identifier: MIT */
/* llama.cpp's chain at random, and the one by the letter beside it. */
#ifndef TOKPICK_TEST_LLAMA_SETTINGS_H
#define TOKPICK_TEST_LLAMA_SETTINGS_H

#include "plain_llama.h"
#include "reference.h"

static struct plain llama, llama_again;
static const struct plain *llama_shown; /* one of them */
static uint64_t llama_seed;

/* The last draw; the first from the row at hand, and which it was from. */
static struct plain_draw llama_last, llama_first;
static struct plain *llama_drawn;

/* Settings, as words of a command line and as what they mean. */

static inline void
add_policy(struct words *w, struct plain_settings *s)
{
	static const char *const names[] = {
	    "llama.cpp", "llama.cpp-2026-07", "llama.cpp-2026-05"};
	size_t i = random_below(&w->random, LENGTH(names));

	add(w, "policy", names[i]);
	s->lone_draw = i == 0;
	s->sigma_sorts = i == 2;
}

/* Any stages in any order, by one of their names. */
static inline void
add_names(struct words *w, struct plain_settings *s)
{
	const struct plain_stage *stage;
	char list[PLAIN_STAGES_MAX * 16] = "'";
	size_t names;

	for (size_t i = 0; i < s->n_stages; i++) {
		stage = s->stages[i];
		for (names = 0; names < LENGTH(stage->names); names++)
			if (stage->names[names] == NULL)
				break;
		strcat(list, i > 0 ? ";" : "");
		strcat(list, stage->names[random_below(&w->random, names)]);
	}
	strcat(list, "'");
	add(w, "samplers", list);
}

static inline void
add_letters(struct words *w, const struct plain_settings *s)
{
	char list[PLAIN_STAGES_MAX + 3] = "'";

	for (size_t i = 0; i < s->n_stages; i++)
		list[1 + i] = s->stages[i]->letter;
	strcat(list, "'");
	add(w, "sampler-seq", list);
}

static inline void
usual_stages(struct plain_settings *s)
{
	for (s->n_stages = 0; s->n_stages + 1 < PLAIN_STAGES; s->n_stages++)
		s->stages[s->n_stages] = &plain_stages[s->n_stages];
}

static inline void
add_stages(struct words *w, struct plain_settings *s)
{
	usual_stages(s);
	if (one_in(&w->random, 4))
		return;
	if (one_in(&w->random, 2))
		s->n_stages = random_below(&w->random, PLAIN_STAGES_MAX + 1);
	for (size_t i = 0; i < s->n_stages; i++)
		s->stages[i] =
		    &plain_stages[random_below(&w->random, PLAIN_STAGES)];
	if (one_in(&w->random, 2))
		add_names(w, s);
	else
		add_letters(w, s);
}

/* Mirostat leaves the list alone, and the temperature without a range. */
static inline void
add_mirostat(struct words *w, struct plain_settings *s)
{
	s->mirostat = one_in(&w->random, 5)
	    ? 1 + (int64_t)random_below(&w->random, 2)
	    : 0;
	s->rate = NUMBER("mirostat-lr", 0, 1, "0.1", "0.9", "0", "3", "-0.5");
	s->entropy = NUMBER(
	    "mirostat-ent", 0, 9, "5", "2", "0.5", "0", "9", "-1");
	if (s->mirostat == 0)
		return;
	add_int(w, "mirostat", s->mirostat);
	s->stages[0] = &plain_stages[PLAIN_TEMPERATURE];
	s->n_stages = 1;
	s->range = 0;
}

static inline void
add_penalties(struct words *w, struct plain_settings *s)
{
	s->last_n = WHOLE("repeat-last-n", "64", "0", "1", "3", "-1", "3000");
	s->repeat = NUMBER("repeat-penalty", 0.1, 3, "1", "1", "1.1", "2",
	    "0.5", "0", "1e-30", "3e38");
	s->frequency = NUMBER("frequency-penalty", -1, 2, "0", "0", "0.3",
	    "-0.3", "10", "3e38", "-3e38");
	s->presence = NUMBER(
	    "presence-penalty", -1, 2, "0", "0", "0.7", "-0.7", "20");
}

/* An -1 that is given is as far as the context, or 32768. */
static inline void
add_dry(struct words *w, struct plain_settings *s)
{
	struct plain_dry *d = &s->dry;
	char ids[64];
	int64_t last_n, context = WHOLE("ctx-size", "0", "0", "5", "30");

	d->multiplier = NUMBER("dry-multiplier", 0, 3, "0", "0.8", "5", "-0.5");
	d->base = NUMBER("dry-base", 1, 3, "1.75", "2", "1", "1.000002", "3e38",
	    "0.9", "-3");
	if (d->base < 1)
		d->base = 1.75f;
	d->allowed = (size_t)WHOLE("dry-allowed-length", "2", "0", "1", "5");
	last_n = WHOLE("dry-penalty-last-n", "64", "0", "1", "7", "-1");
	if (last_n < 0)
		last_n = context > 0 ? context : 32768;
	d->last_n = (size_t)last_n;
	d->n_breakers = 0;
	for (size_t n = random_below(&w->random, BREAKERS_MAX + 1); n > 0; n--)
		plain_dry_break(d, &w->random, w->vocab < 6 ? w->vocab : 6);
	for (size_t b = 0; b < d->n_breakers; b++) {
		ids[0] = '\0';
		for (size_t i = 0; i < d->breakers[b].size; i++)
			snprintf(ids + strlen(ids), sizeof(ids) - strlen(ids),
			    "%u,", d->breakers[b].ids[i]);
		add(w, "dry-breaker", ids);
	}
}

static inline void
add_cuts(struct words *w, struct plain_settings *s)
{
	s->top_k = add_top_k(w, 40);
	s->top_p = left_off(w) ? 1
	                       : NUMBER("top-p", 0, 1, "0.95", "0.5", "0.1",
	                             "0.999", "0", "1", "2", "-1");
	s->min_p = left_off(w)
	    ? 0
	    : NUMBER("min-p", 0, 1, "0.05", "0", "0.5", "1e-10", "1", "-1");
	s->typical = NUMBER(
	    "typical", 0, 1, "1", "0.2", "0.6", "0.99", "0", "2", "-1");
	s->n_sigma = NUMBER(
	    "top-nsigma", 0, 4, "-1", "0", "0.5", "1", "2.5", "30");
	s->xtc_probability = NUMBER(
	    "xtc-probability", 0, 1, "0", "0.5", "1", "-1");
	s->xtc_threshold = NUMBER(
	    "xtc-threshold", 0, 0.5, "0.1", "0.02", "0", "0.5", "0.6", "-1");
	s->min_keep = WHOLE("min-keep", "0", "0", "1", "3", "1000");
}

/* A temperature below 0 is as 0.  Greedy draws are not about it. */
static inline void
add_temperature(struct words *w, struct plain_settings *s)
{
	if (w->greedy) {
		add(w, "temp", "1");
		s->temp = 1;
		return;
	}
	s->temp = left_off(w)
	    ? 1
	    : NUMBER("temp", 0.05, 5, "0.8", "0.8", "1.5", "1", "30", "0.001",
	          "1e-38", "1e-45", "3e38", "0", "-1");
	if (s->temp < 0)
		s->temp = 0;
	s->range = NUMBER("dynatemp-range", 0, 2, "0", "0", "0.5", "2", "-1");
	s->exponent = NUMBER("dynatemp-exp", 0, 3, "1", "0", "0.5", "2.5");
}

/* adaptive_p is rare among random stages: it is often off, too. */
static inline void
add_adaptive(struct words *w, struct plain_settings *s)
{
	s->target = NUMBER(
	    "adaptive-target", 0, 1, "-1", "0", "0.3", "0.6", "1");
	s->decay = NUMBER(
	    "adaptive-decay", 0, 1, "0.9", "0", "0.5", "0.99", "1");
	if (s->decay > 0.99f)
		s->decay = 0.99f;
}

static void
llama_choose(struct words *w)
{
	struct plain_settings *s = &llama.set;

	*s = (struct plain_settings){.greedy = w->greedy,
	    .generator = w->by_row ? &generator_philox : &generator_mt19937};
	add_policy(w, s);
	add_stages(w, s);
	add_penalties(w, s);
	add_dry(w, s);
	add_cuts(w, s);
	add_temperature(w, s);
	add_adaptive(w, s);
	add_mirostat(w, s);
	s->n_biases = add_biases(w, s->biases, PLAIN_BIASES_MAX);
	llama_seed = random_below(&w->random, UINT32_MAX);
	add_int(w, "seed", (int64_t)llama_seed);
}

/* The plain chain. */

static void
llama_begin(size_t vocab)
{
	plain_begin(&llama, vocab, llama_seed);
}

static void
llama_join(uint32_t id)
{
	assert_true(llama.n_ids < PLAIN_IDS_MAX);
	llama.ids[llama.n_ids++] = id;
}

static bool
llama_weigh(const struct row *row)
{
	llama_shown = &llama;
	llama_drawn = NULL;
	return plain_weigh(&llama, row);
}

static enum outcome
llama_weigh_again(const struct row *row, const uint32_t *inside)
{
	bool good;

	llama_again.set = llama.set;
	llama_again.vocab = llama.vocab;
	llama_again.memory = llama.memory;
	memcpy(llama_again.ids, llama.ids, sizeof(llama.ids));
	llama_again.n_ids = llama.n_ids;
	llama_again.inside = inside;
	good = plain_weigh(&llama_again, row);
	llama.memory = llama_again.memory;
	if (good)
		return WEIGHED;
	return llama_again.refused ? FAILED : DEAD_END;
}

static size_t
llama_kept(void)
{
	return llama_shown->n;
}

static struct place
llama_at(size_t i)
{
	const struct candidate *c = &llama_shown->list[i];

	return (struct place){c->id, (double)c->p / llama_shown->total};
}

static struct decision
llama_draw_from(struct plain *p, bool first)
{
	struct plain_draw d = llama_last = plain_draw(p);
	const struct candidate *c = &p->list[d.index];

	if (first) {
		llama_first = d;
		llama_drawn = p;
	}
	return (struct decision){.id = c->id,
	    .p = (double)c->p / p->total,
	    .random = d.random,
	    .unit = d.unit,
	    .at = {d.start, d.end}};
}

static struct decision
llama_draw(void)
{
	return llama_draw_from(&llama, llama_drawn == NULL);
}

static struct decision
llama_draw_again(size_t nth)
{
	struct decision d;

	llama_again.memory = llama.memory;
	llama_again.draws = (uint32_t)nth;
	d = llama_draw_from(&llama_again, nth == 0);
	llama.memory = llama_again.memory;
	if (nth == 0)
		llama_shown = &llama_again;
	return d;
}

/* mirostat learns from it all the same. */
static void
llama_refused(void)
{
	if (llama.set.mirostat > 0)
		plain_accept(&llama, &llama_last);
}

static void
llama_accept(void)
{
	llama_drawn->memory = llama.memory;
	plain_accept(llama_drawn, &llama_first);
	llama.memory = llama_drawn->memory;
}

static bool
same_float(float a, float b)
{
	return float_bits(a) == float_bits(b) || (isnan(a) && isnan(b));
}

/* A value that the settings don't have is NaN. */
static void
llama_compare(const struct sampler *sampler)
{
	struct steering s = sampler_steering(sampler);
	const struct plain_settings *set = &llama.set;
	const struct plain_memory *m = &llama.memory;
	bool adapts = set->mirostat == 0 && llama.adapts && set->target >= 0;

	if (set->greedy)
		return;
	EXPECT(same_float(s.mu, set->mirostat > 0 ? m->mu : NAN),
	    "mu %a, not %a", (double)s.mu, (double)m->mu);
	EXPECT(same_float(s.weighted, adapts ? m->sum : NAN) &&
	        same_float(s.weight, adapts ? m->weight : NAN),
	    "sums %a, %a, not %a, %a", (double)s.weighted, (double)s.weight,
	    (double)m->sum, (double)m->weight);
	EXPECT(same_float(s.coin, llama.toss), "coin %a, not %a",
	    (double)s.coin, (double)llama.toss);
	/* Where the range was not used the temperature alone may be told. */
	EXPECT(same_float(s.dynamic_temp, llama.heat) ||
	        (isnan(llama.heat) &&
	            (isnan(s.dynamic_temp) || s.dynamic_temp == set->temp)),
	    "temperature %a, not %a", (double)s.dynamic_temp,
	    (double)llama.heat);
}

static const struct reference reference_llama = {.choose = llama_choose,
    .begin = llama_begin,
    .join = llama_join,
    .weigh = llama_weigh,
    .kept = llama_kept,
    .at = llama_at,
    .draw = llama_draw,
    .refused = llama_refused,
    .weigh_again = llama_weigh_again,
    .draw_again = llama_draw_again,
    .accept = llama_accept,
    .compare = llama_compare};

#endif
