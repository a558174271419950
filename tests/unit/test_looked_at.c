/* SPDX-License-Identifier: MIT */
/*
 * What is told of a row that was weighed: which step removed what, what part
 * of all probability is kept, what steered it, and how little of it would do.
 */
#include "made.h"

#include "../../src/sampler/dmath.h"

/* Weights of 8, 4, 4, 2, 1 and 1 in twenty; the ids are not by rank. */
enum { VOCAB = 6, TWENTY = 20 };
static const double weights[VOCAB] = {1, 4, 8, 2, 4, 1};

#define LLAMA "--policy llama.cpp "
#define TRACED "-o jsonl "

static void
weigh(struct made *m, const uint32_t *mask)
{
	static float logits[VOCAB];
	static double wide[VOCAB];
	struct row row = {.number = ++m->rows,
	    .size = VOCAB,
	    .logits = logits,
	    .wide = m->options.sampling.policy->wide ? wide : NULL,
	    .mask = mask};
	struct error err;

	row.step = row.number;
	for (size_t id = 0; id < VOCAB; id++) {
		wide[id] = math_log(weights[id]) + 3;
		logits[id] = (float)wide[id];
	}
	m->options.sampling.masked = mask != NULL;
	if (!sampler_weigh(m->sampler, &row, m->window, &err))
		fail_msg("%s", err.text);
}

static struct decision
draw(struct made *m)
{
	struct decision d;
	struct error err;

	assert_true(sampler_draw(m->sampler, &d, &err));
	return d;
}

static void
assert_near(double got, double expected)
{
	if (!(fabs(got - expected) < 1e-6))
		fail_msg("%.9g, not %.9g", got, expected);
}

static double
sqrt_of(double x)
{
	return math_pow(x, 0.5);
}

/* "name time left" of each step, and the ids with what removed them. */
static void
tell(const struct made *m, char *steps, char *list)
{
	struct step step;
	struct listed l;

	*steps = *list = '\0';
	for (size_t i = 0; i < sampler_steps(m->sampler); i++) {
		step = sampler_step(m->sampler, i);
		steps += sprintf(
		    steps, "%s %zu %zu, ", step.name, step.time, step.left);
	}
	for (size_t i = 0; i < sampler_listed(m->sampler); i++) {
		l = sampler_list(m->sampler, i);
		list += sprintf(list, "%u", l.id);
		if (l.removed)
			list += sprintf(list, " by %zu", l.removal);
		list += sprintf(list, ", ");
		assert_true(l.removed == (i >= sampler_kept(m->sampler)));
		assert_true(!l.removed || l.p == 0);
	}
}

static void
assert_told(const char *settings, const char *steps, const char *list)
{
	char got_steps[256], got_list[256];
	struct made m;

	make(&m, VOCAB, VOCAB, settings);
	weigh(&m, NULL);
	tell(&m, got_steps, got_list);
	assert_string_equal(got_steps, steps);
	assert_string_equal(got_list, list);
	unmake(&m);
}

static void
each_step_tells_what_it_removed(void **state)
{
	(void)state;
	assert_told("--policy golem --top-k 5 --top-p 0.9 --min-p 0.5 --temp 1 "
	            "--repeat-penalty 1 " TRACED,
	    "penalties 1 6, top_k 1 5, top_p 1 4, min_p 1 3, "
	    "temperature 1 3, ",
	    "2, 1, 4, 3 by 3, 0 by 2, 5 by 1, ");
	assert_told(LLAMA "--samplers 'top_k;min_p;top_k;top_k' --top-k 4 "
	                  "--min-p 0.4 " TRACED,
	    "top_k 1 4, min_p 1 3, top_k 2 3, top_k 3 3, ",
	    "2, 1, 4, 3 by 1, 0 by 0, 5 by 0, ");
	/* What can't remove the best need not run before it is taken. */
	assert_told(LLAMA "--samplers 'min_p' --min-p 0.4 --greedy " TRACED,
	    "min_p 1 6, greedy 1 1, ",
	    "2, 1 by 1, 4 by 1, 3 by 1, 0 by 1, 5 by 1, ");
	assert_told(LLAMA "--samplers '' --mirostat 2 --mirostat-ent 1.2 "
	                  "--temp 1 " TRACED,
	    "temperature 1 6, mirostat 1 3, ",
	    "2, 1, 4, 3 by 1, 0 by 1, 5 by 1, ");
	assert_told("--policy strict --temp 1 --top-k 2 " TRACED, "top_k 1 2, ",
	    "2, 1, 4 by 0, 3 by 0, 0 by 0, 5 by 0, ");
	assert_told("--policy strict --greedy " TRACED, "greedy 1 1, ",
	    "2, 1 by 0, 4 by 0, 3 by 0, 0 by 0, 5 by 0, ");
}

/* In a long row it is when they are listed that logits are divided. */
static void
a_temperature_waits_in_a_long_row(void **state)
{
	enum { LONG = 5000 };
	static float logits[LONG];
	const struct row row = {.number = 1, .size = LONG, .logits = logits};
	const double all = sqrt_of(8) + 2 * sqrt_of(4) + sqrt_of(2);
	struct error err;
	struct made m;

	(void)state;
	for (size_t id = 0; id < LONG; id++)
		logits[id] = id < VOCAB ? (float)math_log(weights[id]) : -90;
	make(&m, LONG, 0,
	    "--policy golem --no-defaults --samplers 'temperature;min_p' "
	    "--temp 2 --min-p 0.4");
	assert_true(sampler_weigh(m.sampler, &row, m.window, &err));
	assert_int_equal(sampler_kept(m.sampler), 4);
	assert_int_equal(sampler_list(m.sampler, 0).id, 2);
	assert_near(sampler_list(m.sampler, 0).p, sqrt_of(8) / all);
	assert_int_equal(sampler_list(m.sampler, 3).id, 3);
	assert_near(sampler_list(m.sampler, 3).p, sqrt_of(2) / all);
	unmake(&m);
}

/*
 * So many small numbers are added that each is rounded off by near to half of
 * the last bit: the sum of floats falls short of what the numbers have in all,
 * and the nucleus goes on among those that were not ranked till then.
 */
static void
a_nucleus_goes_on_where_its_sum_falls_short(void **state)
{
	enum { LESS = 15336, MORE = 263660, LONG = LESS + MORE };
	static float logits[LONG];
	const struct row row = {.number = 1, .size = LONG, .logits = logits};
	const double less = (double)math_expf(-0.1f), all = MORE + LESS * less;
	struct error err;
	struct made m;
	size_t n = 0;
	float sum = 0;

	(void)state;
	for (size_t id = 0; id < LONG; id++)
		logits[id] = id < LESS ? -0.1f : 0;
	make(
	    &m, LONG, 0, "--policy golem --no-defaults --temp 1 --top-p 0.949");
	assert_true(sampler_weigh(m.sampler, &row, m.window, &err));
	for (; sum < 0.949f; n++)
		sum += (float)((n < MORE ? 1 : less) / all);
	assert_true(n > MORE);
	assert_int_equal(sampler_kept(m.sampler), n);
	assert_int_equal(sampler_list(m.sampler, MORE - 1).id, LONG - 1);
	assert_int_equal(sampler_list(m.sampler, MORE).id, 0);
	assert_int_equal(sampler_list(m.sampler, n - 1).id, n - 1 - MORE);
	unmake(&m);
}

/* Without a trace no more is listed than has to be. */
static void
little_is_listed_unasked(void **state)
{
	struct made m;

	(void)state;
	make(&m, VOCAB, 0, LLAMA "--samplers top_k --top-k 2");
	weigh(&m, NULL);
	assert_int_equal(sampler_kept(m.sampler), 2);
	assert_int_equal(sampler_listed(m.sampler), 2);
	assert_int_equal(sampler_list(m.sampler, 0).id, 2);
	assert_int_equal(sampler_list(m.sampler, 1).id, 1);
	assert_null(sampler_by_id(m.sampler));
	unmake(&m);
	make(&m, VOCAB, 4, LLAMA "--samplers top_k --top-k 2");
	weigh(&m, NULL);
	assert_int_equal(sampler_kept(m.sampler), 2);
	assert_int_equal(sampler_listed(m.sampler), 4);
	assert_int_equal(sampler_list(m.sampler, 3).id, 3);
	unmake(&m);
	make(&m, VOCAB, 0, "--policy golem --no-defaults --temp 1");
	weigh(&m, NULL);
	assert_int_equal(sampler_kept(m.sampler), VOCAB);
	assert_int_equal(sampler_listed(m.sampler), VOCAB);
	assert_near(sampler_list(m.sampler, 0).p, 8.0 / TWENTY);
	assert_near(sampler_list(m.sampler, 5).p, 1.0 / TWENTY);
	unmake(&m);
	make(&m, VOCAB, 0, "--policy strict --temp 1 --top-k 3");
	weigh(&m, NULL);
	assert_int_equal(sampler_listed(m.sampler), 3);
	assert_near(sampler_by_id(m.sampler)[2], 8.0 / 16);
	assert_near(sampler_by_id(m.sampler)[4], 4.0 / 16);
	assert_near(sampler_by_id(m.sampler)[3], 0);
	unmake(&m);
}

static void
assert_mass(
    const char *settings, const uint32_t *mask, double kept, double gone)
{
	struct mass mass;
	struct made m;

	make(&m, VOCAB, VOCAB, settings);
	weigh(&m, mask);
	mass = sampler_mass(m.sampler);
	assert_near(mass.retained, kept / (kept + gone));
	assert_near(mass.removed, gone / (kept + gone));
	unmake(&m);
}

/* Of the softmax in which all take part that may. */
static void
mass_is_of_what_no_stage_removed(void **state)
{
	static const uint32_t but_the_best = 0x3b;

	(void)state;
	assert_mass("--policy golem --no-defaults --temp 1 --top-k 3 " TRACED,
	    NULL, 16, 4);
	assert_mass(
	    "--policy golem --no-defaults --temp 1 " TRACED, NULL, 20, 0);
	assert_mass(LLAMA "--samplers 'top_k' --top-k 1 " TRACED, NULL, 8, 12);
	assert_mass(
	    LLAMA "--samplers 'top_k' --top-k 5 --greedy " TRACED, NULL, 8, 12);
	assert_mass(LLAMA "--samplers 'temperature;top_k' --temp 0.5 "
	                  "--top-k 3 " TRACED,
	    NULL, 64 + 16 + 16, 4 + 1 + 1);
	assert_mass("--policy golem --no-defaults --temp 1 --top-k 3 "
	            "--logit-bias 2-100 --logit-bias 3-inf " TRACED,
	    NULL, 4 + 4 + 1, 1);
	assert_mass("--policy golem --no-defaults --temp 1 --top-k 3 "
	            "--logit-bias 2-100 --logit-bias 3-inf " TRACED,
	    &but_the_best, 4 + 4 + 1, 1);
	assert_mass("--policy strict --temp 1 --top-k 2 " TRACED, NULL, 12, 8);
	assert_mass(
	    "--policy strict --temp 0.5 --top-k 2 " TRACED, NULL, 80, 22);
	assert_mass("--policy strict --greedy " TRACED, NULL, 8, 12);
	assert_mass(
	    "--policy strict --temp 1 --top-k 2 " TRACED, &but_the_best, 8, 4);
	/* top_n_sigma leaves in the list what can't be drawn. */
	assert_mass(LLAMA "--samplers top_n_sigma --top-nsigma 0.3 " TRACED,
	    NULL, 8, 12);
}

/* Of logits with this row's penalties, not the last one's: ln 2 is half. */
static void
mass_is_of_what_penalties_leave(void **state)
{
	struct made m;

	(void)state;
	make(&m, VOCAB, VOCAB,
	    "--policy golem --no-defaults --temp 1 --top-k 3 "
	    "--presence-penalty 0.69314718 --repeat-last-n 1 " TRACED);
	weigh(&m, NULL);
	assert_near(sampler_mass(m.sampler).retained, 16.0 / 20);
	join(&m, 2);
	weigh(&m, NULL);
	assert_near(sampler_mass(m.sampler).retained, 12.0 / 16);
	window_free(m.window);
	m.window = window_new(VOCAB, 1, &(struct error){0});
	assert_non_null(m.window);
	join(&m, 0);
	weigh(&m, NULL);
	assert_near(sampler_mass(m.sampler).retained, 16.0 / 19.5);
	unmake(&m);
}

static void
nothing_steers_where_nothing_does(void **state)
{
	static const char *const settings[] = {"--policy golem",
	    "--policy strict", LLAMA, LLAMA "--greedy --dynatemp-range 0.5",
	    LLAMA "--greedy --mirostat 2"};
	struct steering t;
	struct made m;

	(void)state;
	for (size_t i = 0; i < LENGTH(settings); i++) {
		make(&m, VOCAB, 0, settings[i]);
		weigh(&m, NULL);
		t = sampler_steering(m.sampler);
		assert_true(isnan(t.dynamic_temp) && isnan(t.coin) &&
		    isnan(t.mu) && isnan(t.weighted) && isnan(t.weight));
		unmake(&m);
	}
}

/* The entropy of an even choice of six is the most there can be. */
static void
what_steers_is_told(void **state)
{
	struct made m;
	double h = 0;

	(void)state;
	make(&m, VOCAB, 0,
	    LLAMA "--samplers temperature --temp 1 --dynatemp-range 0.5");
	weigh(&m, NULL);
	for (size_t id = 0; id < VOCAB; id++)
		h -= weights[id] / TWENTY * math_log(weights[id] / TWENTY);
	assert_near((double)sampler_steering(m.sampler).dynamic_temp,
	    0.5 + h / math_log(VOCAB));
	unmake(&m);

	make(&m, VOCAB, 0,
	    LLAMA "--samplers 'top_k;temperature' --top-k 1 --temp 0.7 "
	          "--dynatemp-range 0.5");
	weigh(&m, NULL);
	assert_true(isnan(sampler_steering(m.sampler).dynamic_temp));
	unmake(&m);

	make(&m, VOCAB, 0, LLAMA "--samplers '' --mirostat 2 --mirostat-ent 2");
	weigh(&m, NULL);
	assert_near((double)sampler_steering(m.sampler).mu, 4);
	unmake(&m);

	make(&m, VOCAB, 0,
	    LLAMA "--samplers adaptive_p --adaptive-target 0.3 "
	          "--adaptive-decay 0.5");
	weigh(&m, NULL);
	assert_near((double)sampler_steering(m.sampler).weighted, 0.6);
	assert_near((double)sampler_steering(m.sampler).weight, 2);
	unmake(&m);
	make(&m, VOCAB, 0,
	    LLAMA "--samplers adaptive_p --adaptive-target 0 "
	          "--adaptive-decay 0.5");
	weigh(&m, NULL);
	assert_near((double)sampler_steering(m.sampler).weighted, 0);
	unmake(&m);
}

/* A toss decides; where there is nothing to decide there is none. */
static void
the_coin_is_told(void **state)
{
	int dropped = 0, last = -1;
	float coin;
	struct made m;

	(void)state;
	make(&m, VOCAB, 0,
	    LLAMA "--samplers xtc --xtc-probability 0.5 --xtc-threshold 0.1 "
	          "--seed 1");
	for (int i = 0; i < 200; i++) {
		weigh(&m, NULL);
		coin = sampler_steering(m.sampler).coin;
		assert_true(coin >= 0 && coin < 1);
		assert_int_equal(
		    sampler_kept(m.sampler), coin > 0.5f ? VOCAB : 3);
		last = (int)sampler_list(m.sampler, 0).id;
		assert_int_equal(last, coin > 0.5f ? 0 : 3);
		dropped += coin <= 0.5f;
	}
	assert_true(dropped > 50 && dropped < 150);
	unmake(&m);
	make(&m, VOCAB, 0,
	    LLAMA "--samplers 'top_k;xtc' --top-k 1 --xtc-probability 1 "
	          "--xtc-threshold 0.1");
	weigh(&m, NULL);
	assert_true(isnan(sampler_steering(m.sampler).coin));
	unmake(&m);
}

static void
assert_wants(const char *settings, size_t vocab, size_t show, size_t expected)
{
	struct made m;

	make(&m, vocab, show, settings);
	assert_int_equal(sampler_wants(m.sampler), expected);
	unmake(&m);
}

/* The k that a first top-k keeps, and as many as others may push out. */
static void
no_more_is_wanted_than_can_be_needed(void **state)
{
	(void)state;
	assert_wants(
	    "--policy golem --no-defaults --temp 1 --top-k 40", 1000, 0, 40);
	assert_wants(
	    "--policy golem --no-defaults --temp 1 --top-k 40", 1000, 50, 50);
	assert_wants(
	    "--policy golem --no-defaults --temp 1 --top-k 40", 40, 0, 0);
	assert_wants("--policy golem --no-defaults --temp 1", 1000, 0, 0);
	assert_wants("--policy golem --no-defaults --top-k 40 --repeat-penalty "
	             "1.1 --repeat-last-n 64",
	    1000, 0, 104);
	assert_wants("--policy golem --no-defaults --top-k 40 --repeat-penalty "
	             "1.1 --repeat-last-n -1",
	    1000, 0, 1000);
	assert_wants("--policy golem --no-defaults --top-k 40 --logit-bias 1+1 "
	             "--logit-bias 7-1",
	    1000, 0, 42);
	assert_wants("--policy golem --no-defaults --top-k 990 --logit-bias "
	             "1+1 --repeat-penalty 1.1 --repeat-last-n 64",
	    1000, 0, 1000);
	assert_wants(
	    "--policy golem --no-defaults --top-k 40 " TRACED, 1000, 0, 0);
	assert_wants("--policy golem --greedy --no-defaults", 1000, 0, 1);
	assert_wants("--policy strict --top-k 40 --temp 1", 1000, 0, 0);
	assert_wants(
	    LLAMA "--samplers 'top_k' --top-k 40 --min-keep 50", 1000, 0, 40);
	assert_wants("--policy golem --no-defaults --temp 1 --top-k 40 "
	             "--min-keep 50",
	    1000, 0, 50);
	assert_wants(LLAMA "--samplers 'min_p;top_k' --top-k 40", 1000, 0, 0);
	assert_wants(LLAMA "--samplers 'dry;top_k' --top-k 40 "
	                   "--dry-multiplier 1 --dry-penalty-last-n 10",
	    1000, 0, 50);
	assert_wants(LLAMA "--samplers 'dry;top_k' --top-k 40 "
	                   "--dry-multiplier 0 --dry-penalty-last-n 10",
	    1000, 0, 40);
	/* Greedy needs the best alone, unless a stage may remove it. */
	assert_wants(LLAMA "--samplers 'top_p' --greedy", 1000, 0, 1);
	assert_wants(
	    LLAMA "--samplers 'typ_p' --typical 0.5 --greedy", 1000, 0, 0);
	assert_wants(LLAMA "--samplers 'xtc' --xtc-probability 1 "
	                   "--xtc-threshold 0.1 --greedy",
	    1000, 0, 0);
	assert_wants(LLAMA "--samplers 'top_p;penalties' --repeat-penalty 2 "
	                   "--repeat-last-n 64 --greedy",
	    1000, 0, 0);
}

/* Drawing once more takes the next number, and not from what is drawn. */
static void
draws_of_one_row_are_each_their_own(void **state)
{
	struct decision first, second;
	struct made m;

	(void)state;
	make(
	    &m, VOCAB, 0, "--policy golem --no-defaults --temp 1 --stream row");
	for (int i = 0; i < 50; i++) {
		weigh(&m, NULL);
		first = draw(&m);
		second = draw(&m);
		assert_true(first.random && second.random);
		assert_true(first.unit != second.unit);
		assert_true(
		    first.at.start <= first.unit && first.unit < first.at.end);
	}
	unmake(&m);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(each_step_tells_what_it_removed),
	    cmocka_unit_test(a_temperature_waits_in_a_long_row),
	    cmocka_unit_test(a_nucleus_goes_on_where_its_sum_falls_short),
	    cmocka_unit_test(little_is_listed_unasked),
	    cmocka_unit_test(mass_is_of_what_no_stage_removed),
	    cmocka_unit_test(mass_is_of_what_penalties_leave),
	    cmocka_unit_test(nothing_steers_where_nothing_does),
	    cmocka_unit_test(what_steers_is_told),
	    cmocka_unit_test(the_coin_is_told),
	    cmocka_unit_test(no_more_is_wanted_than_can_be_needed),
	    cmocka_unit_test(draws_of_one_row_are_each_their_own),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
