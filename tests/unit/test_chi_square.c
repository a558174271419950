/* SPDX-License-Identifier: MIT */
/* A million draws of one row fall as its probabilities say. */
#include "drawing.h"

#include "../../src/sampler/dmath.h"

enum { DRAWS = 1000000, VOCAB = 200 };

/*
 * What a chi-square statistic passes with probability 1e-6, by degrees of
 * freedom from 1 on: the upper quantiles of the chi-square distribution.
 * The seeds are fixed, so a draw that is right today passes for ever.
 */
static const double critical[] = {23.928, 27.631, 30.665, 33.377, 35.888,
    38.258, 40.522, 42.701, 44.811, 46.863, 48.866, 50.825, 52.747, 54.635,
    56.493, 58.324, 60.131, 61.914, 63.677, 65.421, 67.147, 68.856, 70.550,
    72.229, 73.895, 75.547, 77.188, 78.817, 80.436, 82.044, 83.643, 85.232,
    86.812, 88.383, 89.947, 91.502, 93.051, 94.592, 96.126, 97.653};

/* A row, and how often each of its ids is expected and was drawn. */
struct trial {
	float logits[VOCAB];
	size_t vocab;
	double p[VOCAB];
	size_t count[VOCAB];
};

/* The plain softmax, in double. */
static void
softmax(struct trial *t)
{
	double sum = 0;

	for (size_t id = 0; id < t->vocab; id++)
		sum += t->p[id] = math_exp((double)t->logits[id]);
	for (size_t id = 0; id < t->vocab; id++)
		t->p[id] /= sum;
}

/* The probability that the id and those likelier have together. */
static double
reach(const struct trial *t, size_t id)
{
	double sum = 0;

	for (size_t other = 0; other < t->vocab; other++)
		if (t->p[other] >= t->p[id])
			sum += t->p[other];
	return sum;
}

static size_t
rank_of(const struct trial *t, size_t id)
{
	size_t rank = 0;

	for (size_t other = 0; other < t->vocab; other++)
		rank += t->p[other] > t->p[id];
	return rank;
}

/*
 * Golem's defaults, by their meaning: of the 64 best the fewest that reach
 * 0.95 of what those 64 have, and of them the ones that are at least 0.05
 * times as likely as the best.  No two logits of the row are equal.
 */
static void
truncate_by_defaults(struct trial *t)
{
	bool keep[VOCAB];
	double kept = 0, best = 0, of_64 = 0;

	for (size_t id = 0; id < t->vocab; id++) {
		best = t->p[id] > best ? t->p[id] : best;
		of_64 += rank_of(t, id) < 64 ? t->p[id] : 0;
	}
	for (size_t id = 0; id < t->vocab; id++) {
		keep[id] = rank_of(t, id) < 64 &&
		    (reach(t, id) - t->p[id]) / of_64 < 0.95 &&
		    t->p[id] >= 0.05 * best;
		kept += keep[id] ? t->p[id] : 0;
	}
	for (size_t id = 0; id < t->vocab; id++)
		t->p[id] = keep[id] ? t->p[id] / kept : 0;
}

static void
draw_many(struct trial *t, const char *args, size_t draws)
{
	const struct row row = {
	    .number = 1, .size = t->vocab, .logits = t->logits};
	char *text = strdup(args);
	struct window *none;
	struct sampler *s;
	struct options o;
	struct decision d;
	struct error err;

	parse_options(&o, text);
	none = window_new(t->vocab, 0, &err);
	s = sampler_new(&o.sampling, t->vocab, 0, &err);
	assert_true(none != NULL && s != NULL);
	for (size_t i = 0; i < draws; i++) {
		/* Anew, now and then: the distribution must stay the same. */
		if (i % 16 == 0)
			assert_true(sampler_weigh(s, &row, none, &err));
		assert_true(sampler_draw(s, &d, &err));
		assert_true(d.random);
		t->count[d.id]++;
	}
	sampler_free(s);
	window_free(none);
	options_free(&o);
	free(text);
}

/* The statistic; ids that can't be drawn must not have been. */
static double
chi_square(const struct trial *t, size_t draws, size_t *freedom)
{
	double sum = 0, expected, off;

	*freedom = 0;
	for (size_t id = 0; id < t->vocab; id++) {
		expected = t->p[id] * (double)draws;
		if (expected <= 0) {
			assert_int_equal(t->count[id], 0);
			continue;
		}
		off = (double)t->count[id] - expected;
		sum += off * off / expected;
		(*freedom)++;
	}
	(*freedom)--;
	return sum;
}

static void
check(struct trial *t, const char *args)
{
	size_t draws = scaled(DRAWS), freedom;
	double sum;

	draw_many(t, args, draws);
	sum = chi_square(t, draws, &freedom);
	assert_true(freedom >= 9 && freedom <= LENGTH(critical));
	print_message(
	    "chi-square %.1f, critical %.1f\n", sum, critical[freedom - 1]);
	assert_true(sum < critical[freedom - 1]);
	/* And it can tell: it sees a probability that is off by half. */
	for (size_t id = 0; id < t->vocab; id++)
		if (t->p[id] > 0.1) {
			t->p[id] *= 1.5;
			break;
		}
	assert_true(chi_square(t, draws, &freedom) > critical[freedom - 1]);
}

static void
draws_from_the_plain_softmax_are_fair(void **state)
{
	static struct trial t = {.vocab = 32};
	uint64_t random = 1;

	(void)state;
	for (size_t id = 0; id < t.vocab; id++)
		t.logits[id] = random_normal(&random, 1);
	t.logits[7] = 2.5f;
	softmax(&t);
	check(&t, "-V 32 --no-defaults --seed 1");
}

static void
draws_under_golems_defaults_are_fair(void **state)
{
	static struct trial t = {.vocab = VOCAB};
	uint64_t random = 2;

	(void)state;
	for (size_t id = 0; id < t.vocab; id++)
		t.logits[id] = random_normal(&random, 2);
	softmax(&t);
	truncate_by_defaults(&t);
	check(&t, "-V 200 --seed 2");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(draws_from_the_plain_softmax_are_fair),
	    cmocka_unit_test(draws_under_golems_defaults_are_fair),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
