/* SPDX-License-Identifier: MIT */
/* The interval of a draw: what is in it, and nothing else, draws that id. */
#include "drawing.h"

enum { VOCAB_MAX = 200 };

/* One sampler and its row. */
struct drawing {
	struct options options;
	struct sampler *sampler;
	float logits[VOCAB_MAX];
	size_t vocab;
};

static void
weigh(struct drawing *d, struct window *window)
{
	struct row row = {.number = 1, .size = d->vocab, .logits = d->logits};
	struct error err;

	if (!sampler_weigh(d->sampler, &row, window, &err))
		fail_msg("%s", err.text);
}

/* The random number as the draw compares it. */
static bool
is_in(double unit, const struct interval *at)
{
	float r = (float)unit;

	return (double)r >= at->start &&
	    ((double)r < at->end || (r >= 1 && at->end >= 1));
}

/* Draws of one row: same id, same interval; the intervals tile [0, 1). */
static void
check_row(struct drawing *d)
{
	struct interval of[VOCAB_MAX] = {{0, 0}};
	struct decision drawn;
	struct error err;
	double end = 0;

	for (size_t i = 0; i < 300; i++) {
		assert_true(sampler_draw(d->sampler, &drawn, &err));
		assert_true(drawn.at.start >= 0 && drawn.at.end <= 1);
		assert_true(!drawn.random || is_in(drawn.unit, &drawn.at));
		if (of[drawn.id].end > 0) {
			assert_true(of[drawn.id].start == drawn.at.start);
			assert_true(of[drawn.id].end == drawn.at.end);
		}
		of[drawn.id] = drawn.at;
	}
	/* In rank order each begins where one before it ended, or later. */
	for (size_t i = 0; i < sampler_kept(d->sampler); i++) {
		uint32_t id = sampler_list(d->sampler, i).id;

		if (of[id].end == 0)
			continue;
		assert_true(of[id].start >= end);
		end = of[id].end;
	}
	assert_true(end <= 1);
}

static void
check_options(const char *text, uint64_t seed)
{
	char words[128];
	struct drawing d = {.vocab = 0};
	struct window *window;
	struct error err;

	for (size_t rounds = scaled(300); rounds > 0; rounds--) {
		d.vocab = 1 + random_below(&seed, VOCAB_MAX);
		snprintf(words, sizeof(words), "-V %zu %s", d.vocab, text);
		parse_options(&d.options, words);
		d.options.sampling.seed = random_bits(&seed);
		d.sampler = sampler_new(&d.options.sampling, d.vocab, 0, &err);
		window = window_new(d.vocab, 0, &err);
		assert_non_null(d.sampler);
		assert_non_null(window);
		do
			random_row(&seed, d.logits, d.vocab);
		while (d.logits[0] == -INFINITY);
		weigh(&d, window);
		check_row(&d);
		sampler_free(d.sampler);
		window_free(window);
		options_free(&d.options);
	}
}

static void
every_draw_is_in_its_interval(void **state)
{
	(void)state;
	check_options("", 1);
	check_options("--no-defaults", 2);
	check_options("--no-defaults --temp 30", 3);
	check_options("--top-k 3 --top-p 1 --min-p 0 --temp 2", 4);
}

/* The intervals of a row of equal logits, each of which is drawn. */
static void
check_ends(char *words, double last_start)
{
	struct drawing d = {.vocab = 0};
	struct interval of[VOCAB_MAX] = {{0, 0}};
	struct decision drawn;
	struct window *window;
	struct error err;

	parse_options(&d.options, words);
	d.vocab = (size_t)d.options.vocab;
	d.sampler = sampler_new(&d.options.sampling, d.vocab, 0, &err);
	window = window_new(d.vocab, 0, &err);
	weigh(&d, window);
	for (size_t i = 0; i < 1000; i++) {
		assert_true(sampler_draw(d.sampler, &drawn, &err));
		of[drawn.id] = drawn.at;
	}
	assert_true(of[0].start == 0);
	for (size_t i = 1; i < d.vocab; i++)
		assert_true(of[i].start == of[i - 1].end);
	assert_true(of[d.vocab - 1].start == last_start);
	assert_true(of[d.vocab - 1].end == 1);
	sampler_free(d.sampler);
	window_free(window);
	options_free(&d.options);
}

/*
 * Sums of floats miss 1: twelve twelfths are less, ten tenths are more.
 * What the sum leaves is the last one's, and nothing is above 1.
 */
static void
the_ends_are_0_and_1(void **state)
{
	char twelve[] = "-V 12 --no-defaults", ten[] = "-V 10 --no-defaults";
	float eleven_twelfths = 0, nine_tenths = 0;

	(void)state;
	for (int i = 0; i < 11; i++)
		eleven_twelfths += 1.0f / 12;
	for (int i = 0; i < 9; i++)
		nine_tenths += 1.0f / 10;
	assert_true(eleven_twelfths + 1.0f / 12 < 1);
	assert_true(nine_tenths + 1.0f / 10 > 1);
	check_ends(twelve, (double)eleven_twelfths);
	check_ends(ten, (double)nine_tenths);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(every_draw_is_in_its_interval),
	    cmocka_unit_test(the_ends_are_0_and_1),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
