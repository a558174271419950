/* SPDX-License-Identifier: MIT */
/*
 * llama.cpp's chain, which selects, ranks prefixes and keeps candidates in
 * few places, against one that takes every rule by the letter: random
 * settings out of a command line, random rows and conversations.
 */
#include "llama_settings.h"

enum { ROWS_A_SETTING = 6, DRAWS_MAX = 3, PROMPT_MAX = 40 };

/* Rows and conversations. */

/* One row in twenty is bad. */
static struct row
next_row(struct trial *t, uint64_t number)
{
	struct row row = {.number = number,
	    .size = t->vocab,
	    .logits = t->logits,
	    .mask = t->options.sampling.masked ? t->mask : NULL};

	random_row(&t->random, t->logits, t->vocab);
	if (one_in(&t->random, 20))
		t->logits[random_below(&t->random, t->vocab)] =
		    one_in(&t->random, 2) ? NAN : INFINITY;
	for (size_t i = 0; i < LENGTH(t->mask); i++)
		t->mask[i] = (uint32_t)(random_bits(&t->random) |
		    random_bits(&t->random));
	return row;
}

/* What the parts of a run, and those of the plain one, are told. */
struct run {
	struct sampler *sampler;
	struct window *window;
};

static void
join(struct trial *t, const struct run *r, uint32_t id)
{
	struct error err;

	assert_true(t->plain.n_ids < PLAIN_IDS_MAX);
	t->plain.ids[t->plain.n_ids++] = id;
	assert_true(window_add(r->window, id, &err));
	sampler_join(r->sampler, id);
}

/* Few ids, repetitions, and some that the vocabulary lacks. */
static uint32_t
random_id(struct trial *t)
{
	size_t back = 1 + random_below(&t->random, 5);
	size_t few = t->vocab < 6 ? t->vocab + 1 : 6;

	if (back <= t->plain.n_ids && !one_in(&t->random, 3))
		return t->plain.ids[t->plain.n_ids - back];
	return (uint32_t)random_below(
	    &t->random, one_in(&t->random, 4) ? t->vocab + 3 : few);
}

/* What a failing trial was, to try it again by hand. */
static void
describe(const struct trial *t, const struct row *row)
{
	print_message("tokpick%s\nconversation:", t->command);
	for (size_t i = 0; i < t->plain.n_ids; i++)
		print_message(" %u", t->plain.ids[i]);
	print_message("\nrow %zu:", (size_t)row->number);
	for (size_t id = 0; id < t->vocab && id < 16; id++)
		print_message(" %a%s", (double)row->logits[id],
		    row_allows(row, id) ? "" : " (masked)");
	print_message(t->vocab > 16 ? " and more\n" : "\n");
}

#define EXPECT(condition, ...)                 \
	do {                                   \
		if (!(condition)) {            \
			describe(t, row);      \
			fail_msg(__VA_ARGS__); \
		}                              \
	} while (0)

static bool
same_float(float a, float b)
{
	return float_bits(a) == float_bits(b) || (isnan(a) && isnan(b));
}

/*
 * The same candidates in the same order, unless they were ranked to be
 * shown, with the same probabilities.
 */
static void
compare_kept(const struct trial *t, const struct run *r, const struct row *row)
{
	const struct plain *p = &t->plain;
	struct listed l;
	double expected;

	EXPECT(sampler_kept(r->sampler) == p->n, "%zu kept, not %zu",
	    sampler_kept(r->sampler), p->n);
	for (size_t i = 0; i < p->n && !t->traced; i++) {
		l = sampler_list(r->sampler, i);
		expected = (double)p->list[i].p / p->total;
		EXPECT(l.id == p->list[i].id && l.p == expected,
		    "place %zu of %zu: token %u, p %a, not %u, %a", i, p->n,
		    l.id, l.p, p->list[i].id, expected);
	}
}

/* A value that the settings don't have is NaN. */
static void
compare_steering(
    const struct trial *t, const struct run *r, const struct row *row)
{
	struct steering s = sampler_steering(r->sampler);
	const struct plain *p = &t->plain;
	const struct plain_memory *m = &p->memory;
	bool adapts = !p->set.greedy && p->set.mirostat == 0 && p->adapts &&
	    p->set.target >= 0;
	bool steers = !p->set.greedy && p->set.mirostat > 0;

	EXPECT(same_float(s.mu, steers ? m->mu : NAN), "mu %a, not %a",
	    (double)s.mu, (double)m->mu);
	EXPECT(same_float(s.weighted, adapts ? m->sum : NAN) &&
	        same_float(s.weight, adapts ? m->weight : NAN),
	    "sums %a, %a, not %a, %a", (double)s.weighted, (double)s.weight,
	    (double)m->sum, (double)m->weight);
	EXPECT(p->set.greedy || same_float(s.coin, p->toss), "coin %a, not %a",
	    (double)s.coin, (double)p->toss);
	/* Where the range was not used the temperature alone may be told. */
	EXPECT(p->set.greedy || same_float(s.dynamic_temp, p->heat) ||
	        (isnan(p->heat) &&
	            (isnan(s.dynamic_temp) || s.dynamic_temp == p->set.temp)),
	    "temperature %a, not %a", (double)s.dynamic_temp, (double)p->heat);
}

static void
compare_draw(const struct trial *t, const struct decision *ours,
    const struct plain_draw *plain, const struct row *row)
{
	const struct candidate *c = &t->plain.list[plain->index];
	double p = (double)c->p / t->plain.total;

	EXPECT(
	    ours->id == c->id && ours->random == plain->random && ours->p == p,
	    "token %u, p %a, %s random number, not %u, %a, %s", ours->id,
	    ours->p, ours->random ? "a" : "no", c->id, p,
	    plain->random ? "a" : "no");
	EXPECT(!ours->random || ours->unit == plain->unit, "unit %a, not %a",
	    ours->unit, plain->unit);
	EXPECT(ours->at.start == plain->start && ours->at.end == plain->end,
	    "interval %a, %a, not %a, %a", ours->at.start, ours->at.end,
	    plain->start, plain->end);
}

/* Several draws, of which the first is taken; another id may join. */
static void
compare_draws(struct trial *t, const struct run *r, const struct row *row)
{
	struct decision ours, first = {0};
	struct plain_draw plain, plain_first = {0};
	struct error err;
	size_t n = 1 + random_below(&t->random, DRAWS_MAX);

	for (size_t i = 0; i < n; i++) {
		assert_true(sampler_draw(r->sampler, &ours, &err));
		plain = plain_draw(&t->plain);
		compare_draw(t, &ours, &plain, row);
		if (i == 0) {
			first = ours;
			plain_first = plain;
		}
	}
	sampler_accept(r->sampler, &first);
	plain_accept(&t->plain, &plain_first);
	join(t, r, one_in(&t->random, 2) ? random_id(t) : first.id);
}

static void
compare(struct trial *t, const struct run *r, const struct row *row)
{
	struct error err = {0};
	bool good, should;

	sampler_mark(r->sampler);
	good = sampler_weigh(r->sampler, row, r->window, &err);
	should = plain_weigh(&t->plain, row);
	EXPECT(good == should, "%s, not %s", good ? "weighed" : err.text,
	    should ? "weighed" : "refused");
	if (!good) {
		sampler_back(r->sampler);
		return;
	}
	compare_kept(t, r, row);
	compare_steering(t, r, row);
	compare_draws(t, r, row);
}

static void
open_run(struct trial *t, struct run *r)
{
	const struct sampling *s = &t->options.sampling;
	struct error err;

	plain_begin(&t->plain, t->vocab, s->seed);
	r->window = window_new(t->vocab, s->repeat_last_n, &err);
	r->sampler = sampler_new(s, t->vocab, 0, &err);
	assert_true(r->window != NULL && r->sampler != NULL);
}

static void
close_run(struct trial *t, struct run *r)
{
	sampler_free(r->sampler);
	window_free(r->window);
	options_free(&t->options);
}

static void
run_trial(struct trial *t)
{
	struct row row;
	struct run r;

	random_settings(t);
	open_run(t, &r);
	for (size_t n = random_below(&t->random, PROMPT_MAX + 1); n > 0; n--)
		join(t, &r, random_id(t));
	for (uint64_t number = 1; number <= ROWS_A_SETTING; number++) {
		row = next_row(t, number);
		compare(t, &r, &row);
	}
	close_run(t, &r);
}

static void
check_trials(struct trial *t, size_t smallest, size_t largest, size_t trials)
{
	t->random = largest;
	for (size_t i = 0; i < scaled(trials); i++) {
		t->vocab = smallest +
		    random_below(&t->random, largest - smallest + 1);
		run_trial(t);
	}
}

static void
tiny_vocabularies_draw_as_llama_does(void **state)
{
	static struct trial t;

	(void)state;
	check_trials(&t, 1, 6, 4000);
}

static void
small_vocabularies_draw_as_llama_does(void **state)
{
	static struct trial t;

	(void)state;
	check_trials(&t, 7, 150, 3000);
}

/* On both sides of where only prefixes are ranked. */
static void
larger_vocabularies_draw_as_llama_does(void **state)
{
	static struct trial t;

	(void)state;
	check_trials(&t, RANK_IN_PLACE - 30, PLAIN_VOCAB_MAX, 400);
}

/* As many deviations from the best as one of the logits is, nearly. */
static void
edge_settings(struct trial *t, const struct row *row)
{
	struct plain *p = &t->plain;
	float best, edge;
	char text[32];

	p->set = (struct plain_settings){.generator = &generator_mt19937,
	    .lone_draw = true,
	    .stages = {&plain_stages[PLAIN_TOP_N_SIGMA]},
	    .n_stages = 1};
	plain_begin(p, t->vocab, 0);
	plain_take(p, row);
	best = p->list[plain_best(p)].logit;
	edge = p->list[random_below(&t->random, t->vocab)].logit;
	p->set.n_sigma = (best - edge) / plain_deviation(p);
	snprintf(text, sizeof(text), "%.9g", (double)p->set.n_sigma);
	t->length = 0;
	add(t, "policy", "llama.cpp");
	add_int(t, "vocab", (int64_t)t->vocab);
	add(t, "samplers", "top_n_sigma");
	add(t, "top-nsigma", text);
	strcpy(t->words, t->command);
	parse_options(&t->options, t->words);
}

/* There the last bit of the deviation shows. */
static void
the_deviation_is_rounded_as_llama_rounds_it(void **state)
{
	static struct trial t = {.random = 1};
	struct row row = {.number = 1, .logits = t.logits};
	struct run r;

	(void)state;
	for (size_t i = scaled(2000); i > 0; i--) {
		row.size = t.vocab = 2 + random_below(&t.random, 100);
		for (size_t id = 0; id < t.vocab; id++)
			t.logits[id] = random_normal(&t.random, 3);
		edge_settings(&t, &row);
		open_run(&t, &r);
		compare(&t, &r, &row);
		close_run(&t, &r);
	}
}

static void
traces_change_nothing(void **state)
{
	static struct trial t = {.traced = true};

	(void)state;
	check_trials(&t, 1, 30, 1500);
}

static void
greedy_draws_the_best_that_the_stages_leave(void **state)
{
	static struct trial t = {.greedy = true};

	(void)state;
	check_trials(&t, 1, 30, 1500);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(tiny_vocabularies_draw_as_llama_does),
	    cmocka_unit_test(small_vocabularies_draw_as_llama_does),
	    cmocka_unit_test(larger_vocabularies_draw_as_llama_does),
	    cmocka_unit_test(the_deviation_is_rounded_as_llama_rounds_it),
	    cmocka_unit_test(traces_change_nothing),
	    cmocka_unit_test(greedy_draws_the_best_that_the_stages_leave),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
