/* SPDX-License-Identifier: MIT */
/*
 * A million draws fall as the definitions of the stages say: each policy,
 * stage, draw and generator of which a closed form is known, alone and
 * together.
 *
 * What mirostat and adaptive_p do in a row depends on what was drawn in those
 * before, and has no closed form: it is the first row, which has one, that is
 * drawn from again and again here, without a draw being taken.
 */
#include "chi_square.h"
#include "drawing.h"
#include "grammars.h"
#include "laws.h"

enum { DRAWS = 1000000, SIDES = 16 };

/* What the steps leave of the ids in a set, of one word. */
static void
follow(const struct law *law, uint32_t set, bool tossed, double *p)
{
	const struct ideal_step *step = law->steps;
	struct ideal x = {.tossed = tossed};

	memcpy(x.count, seen, sizeof(seen));
	for (size_t id = 0; id < IDEAL_VOCAB; id++) {
		x.logit[id] = (double)logits[id];
		x.gone[id] = (set >> id & 1) == 0;
	}
	for (; step->run != NULL; step++)
		step->run(&x, step->setting);
	ideal_softmax(&x, p);
}

/* What the grammar refuses is drawn again, from what it allows alone. */
static void
renew(const struct law *law, uint32_t set, double *p)
{
	double again[IDEAL_VOCAB], refused = 0;

	follow(law, set & grammatical, false, again);
	for (size_t id = 0; id < IDEAL_VOCAB; id++)
		if ((grammatical >> id & 1) == 0) {
			refused += p[id];
			p[id] = 0;
		}
	for (size_t id = 0; id < IDEAL_VOCAB; id++)
		p[id] += refused * again[id];
}

/* With a coin, the cells of heads lie behind those of tails. */
static void
expect(const struct law *law, bool wide, struct cells *c)
{
	double *heads = c->p + IDEAL_VOCAB;
	uint32_t set = law->masked ? mask : 0xffff;

	if (wide && law->inside)
		set &= grammatical;
	*c = (struct cells){.size = IDEAL_VOCAB};
	follow(law, set, false, c->p);
	if (law->inside)
		renew(law, set, c->p);
	if (law->coin <= 0)
		return;
	c->size += IDEAL_VOCAB;
	follow(law, set, true, heads);
	for (size_t id = 0; id < IDEAL_VOCAB; id++) {
		c->p[id] *= 1 - law->coin;
		heads[id] *= law->coin;
	}
}

/* A sampler under a law, and what it needs. */
struct trial {
	struct options options;
	struct sampler *sampler;
	struct window *window;
	struct pieces *pieces;
	struct grammar *grammar;
	struct row row;
	double wide[IDEAL_VOCAB];
};

static void
open_inside(struct trial *t)
{
	struct error err;

	t->pieces = pieces_of(lines);
	t->grammar = grammar_of(grammar);
	t->options.sampling.inside = constraint_new(
	    t->grammar, t->pieces, NULL, 0, IDEAL_VOCAB, &err);
	assert_non_null(t->options.sampling.inside);
}

static void
open_trial(struct trial *t, const struct law *law, char *args)
{
	struct sampling *s = &t->options.sampling;
	const struct ids *prompt = &t->options.prompt;
	struct error err;

	parse_options(&t->options, args);
	s->masked = law->masked;
	if (law->inside)
		open_inside(t);
	t->window = window_new(IDEAL_VOCAB, s->repeat_last_n, &err);
	t->sampler = sampler_new(s, IDEAL_VOCAB, 0, &err);
	assert_true(t->window != NULL && t->sampler != NULL);
	for (size_t i = 0; i < prompt->size; i++) {
		assert_true(window_add(t->window, prompt->list[i], &err));
		sampler_join(t->sampler, prompt->list[i]);
	}
	for (size_t id = 0; id < IDEAL_VOCAB; id++)
		t->wide[id] = (double)logits[id];
	t->row = (struct row){.size = IDEAL_VOCAB,
	    .logits = logits,
	    .wide = s->policy->wide ? t->wide : NULL,
	    .mask = law->masked ? &mask : NULL};
}

static void
close_trial(struct trial *t)
{
	sampler_free(t->sampler);
	window_free(t->window);
	constraint_free(t->options.sampling.inside);
	grammar_free(t->grammar);
	pieces_free(t->pieces);
	options_free(&t->options);
}

/*
 * mt19937 is seeded alike for coins and for draws, so that the word which is
 * the coin of one row is half of the draw of a row before it.  No such row is
 * counted with its other: those are, in which coins have come as far as draws
 * had at the first of them.
 */
static void
draw_many(struct trial *t, const struct law *law, struct cells *c)
{
	size_t each = law->draws > 0 ? law->draws : 16;
	size_t skipped = law->coin > 0 ? DRAWS : 0, cell;
	struct decision d;
	struct error err;

	for (size_t i = 0; i < skipped + DRAWS; i++) {
		if (i % each == 0) {
			t->row.number = t->row.step = i / each + 1;
			assert_true(sampler_weigh(
			    t->sampler, &t->row, t->window, &err));
		}
		assert_true(sampler_draw(t->sampler, &d, &err));
		assert_true(d.random);
		cell = d.id;
		if (law->coin > 0 &&
		    (double)sampler_steering(t->sampler).coin <= law->coin)
			cell += IDEAL_VOCAB;
		c->count[cell] += i >= skipped;
	}
}

static void
draws_fall_by_the_law(void **state)
{
	const struct law *law = *state;
	static struct trial t;
	static struct cells c;
	char *args = strdup(law->args);

	t = (struct trial){0};
	open_trial(&t, law, args);
	expect(law, t.options.sampling.policy->wide, &c);
	draw_many(&t, law, &c);
	close_trial(&t);
	free(args);
	check_fair(&c);
}

/* Two numbers of a generator that should know nothing of each other. */
struct couple {
	const char *name;
	const struct generator *generator;
	uint32_t first, second; /* for what, … */
	uint32_t sequence;      /* … and in which sequence the second is */
	uint64_t rows;          /* from one to the other */
};

static const struct couple couples[] = {
    {"numbers of PCG in turn", &generator_pcg, 0, 0, 0, 0},
    {"numbers of SplitMix64 in turn", &generator_splitmix64, 0, 0, 0, 0},
    {"numbers of mt19937 in turn", &generator_mt19937, 0, 0, 0, 0},
    {"numbers of two rows", &generator_philox, PURPOSE_DRAW(0), PURPOSE_DRAW(0),
        0, 1},
    {"two draws from a row", &generator_philox, PURPOSE_DRAW(0),
        PURPOSE_DRAW(1), 0, 0},
    {"a draw and that inside a grammar", &generator_philox, PURPOSE_DRAW(0),
        PURPOSE_AGAIN(0), 0, 0},
    {"second draws inside a grammar", &generator_philox, PURPOSE_AGAIN(0),
        PURPOSE_AGAIN(1), 0, 0},
    {"a coin and a draw", &generator_philox, PURPOSE_COIN, PURPOSE_DRAW(0), 0,
        0},
    {"two sequences", &generator_philox, PURPOSE_DRAW(0), PURPOSE_DRAW(0), 1,
        0},
};

static size_t
side(const struct generator *g, struct rng *rng)
{
	return (size_t)(g->unit(rng) * SIDES);
}

static void
couples_are_strangers(void **state)
{
	const struct couple *couple = *state;
	const struct generator *g = couple->generator;
	static struct cells c;
	static struct rng rng;
	size_t cell;

	c = (struct cells){.size = SIDES * SIDES};
	g->seed(&rng, 7);
	for (size_t i = 0; i < DRAWS; i++) {
		if (g->placed) {
			rng.low = 2 * i;
			rng.sequence = 0;
			rng.purpose = couple->first;
		}
		cell = side(g, &rng) * SIDES;
		if (g->placed) {
			rng.low += couple->rows;
			rng.sequence = couple->sequence;
			rng.purpose = couple->second;
		}
		c.count[cell + side(g, &rng)]++;
	}
	for (size_t i = 0; i < c.size; i++)
		c.p[i] = 1.0 / SIDES / SIDES;
	check_fair(&c);
}

/* Eight bits of a unit, far from the first. */
static void
bits_far_down_are_even(void **state)
{
	const struct generator *g = *state;
	static struct cells c;
	static struct rng rng;

	c = (struct cells){.size = 256};
	g->seed(&rng, 8);
	for (uint64_t i = 0; i < DRAWS; i++) {
		if (g->placed)
			rng.low = i;
		c.count[(uint64_t)(g->unit(&rng) * 0x1p48) % 256]++;
	}
	for (size_t i = 0; i < c.size; i++)
		c.p[i] = 1.0 / 256;
	check_fair(&c);
}

/* Three in four, and one in a hundred of these too many. */
static void
one_in_a_hundred_shows(void **state)
{
	static struct cells c = {.size = 2, .p = {0.75, 0.25}};
	static struct rng rng;

	(void)state;
	generator_pcg.seed(&rng, 9);
	for (size_t i = 0; i < DRAWS; i++)
		c.count[generator_pcg.unit(&rng) >= 0.75]++;
	assert_true(is_fair(&c));
	c.p[0] = 0.7575;
	c.p[1] = 0.2425;
	assert_false(is_fair(&c));
	c.p[0] = 0.7425;
	c.p[1] = 0.2575;
	assert_false(is_fair(&c));
}

/*
 * Quantiles that every table has, the last two from sums by hand: of two
 * degrees the chance is exp(-x / 2), and of four (1 + x / 2) times that.
 */
static void
the_chance_is_that_of_the_tables(void **state)
{
	static const struct {
		double x;
		size_t freedom;
		double chance;
	} known[] = {{6.634897, 1, 0.01}, {9.210340, 2, 0.01},
	    {23.209251, 10, 0.01}, {29.588298, 10, 0.001},
	    {50.892181, 30, 0.01}, {135.806723, 100, 0.01},
	    {149.449253, 100, 0.001}, {330.519744, 255, 0.001},
	    {23.928127, 1, 1e-6}, {41.446532, 2, 1e-9},
	    {47.715999, 4, 1.081605e-9}};
	double chance;

	(void)state;
	for (size_t i = 0; i < LENGTH(known); i++) {
		chance = chance_to_pass(known[i].x, known[i].freedom);
		if (fabs(chance / known[i].chance - 1) > 1e-5)
			fail_msg("%f of %zu: %e", known[i].x, known[i].freedom,
			    chance);
	}
	assert_true(chance_to_pass(10, 10) >= 1);
}

/* One test for each row of a table, with its name. */
#define ADD(function, row)               \
	tests[n].name = (row)->name;     \
	tests[n].test_func = (function); \
	tests[n++].initial_state = (void *)(uintptr_t)(row)

int
main(void)
{
	static const struct generator *const generators[] = {&generator_pcg,
	    &generator_splitmix64, &generator_mt19937, &generator_philox};
	static struct CMUnitTest
	    tests[LENGTH(laws) + LENGTH(couples) + LENGTH(generators) + 2] = {
	        cmocka_unit_test(the_chance_is_that_of_the_tables),
	        cmocka_unit_test(one_in_a_hundred_shows),
	    };
	size_t n = 2;

	for (size_t i = 0; i < LENGTH(generators); i++) {
		ADD(bits_far_down_are_even, generators[i]);
	}
	for (size_t i = 0; i < LENGTH(couples); i++) {
		ADD(couples_are_strangers, &couples[i]);
	}
	for (size_t i = 0; i < LENGTH(laws); i++) {
		ADD(draws_fall_by_the_law, &laws[i]);
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
