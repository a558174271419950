/* SPDX-License-Identifier: MIT */
/*
 * Draws inside a grammar against draws with a mask that says the same: what
 * the first draw may not be, the second is, with the next random number.
 */
#include "grammars.h"

#include "drawing.h"

#include "../../src/vocab/pieces.h"

/* Two letters a piece, and some of one; so few in a hundred are allowed. */
enum { VOCAB_MAX = 1500, WORDS_OF_MASK = VOCAB_MAX / 32 + 1 };
static const char *const grammars[] = {
    "root ::= [a-z]*",
    "root ::= ([a-c] [e-z])*",
    "root ::= ([ab] [xy] [c-j])*",
    "root ::= \"aa\"*",
};

struct confined {
	char text[256];
	struct options options;
	struct grammar *grammar;
	struct pieces *pieces;
	struct constraint *constraint;
	struct sampling plain; /* the same without the grammar, with a mask */
	struct sampler *inside, *masked;
	struct window *window;
	size_t vocab;
	float logits[VOCAB_MAX];
	uint32_t mask[WORDS_OF_MASK], allowed[WORDS_OF_MASK];
};

static struct pieces *
letters(size_t vocab)
{
	struct error err;
	struct pieces *pieces = pieces_new(&err);
	char piece[2];

	for (size_t id = 0; id < vocab; id++) {
		piece[0] = (char)('a' + id * 7 % 26);
		piece[1] = (char)('a' + id / 26 % 26);
		assert_true(pieces_add(
		    pieces, piece, id % 50 == 3 ? 1 : 2, false, &err));
	}
	return pieces;
}

static void
confined_open(
    struct confined *c, const char *settings, const char *grammar, size_t vocab)
{
	struct error err;

	c->vocab = vocab;
	snprintf(c->text, sizeof(c->text), "-q -V %zu %s", vocab, settings);
	parse_options(&c->options, c->text);
	c->grammar = grammar_of(grammar);
	c->pieces = letters(vocab);
	c->constraint = constraint_new(
	    c->grammar, c->pieces, NULL, 0, vocab, &err);
	assert_non_null(c->constraint);
	c->plain = c->options.sampling;
	c->plain.masked = true;
	c->options.sampling.inside = c->constraint;
	c->options.sampling.masked = true;
	c->inside = sampler_new(&c->options.sampling, vocab, 0, &err);
	c->masked = sampler_new(&c->plain, vocab, 0, &err);
	c->window = window_new(vocab, -1, &err);
	assert_true(c->inside != NULL && c->masked != NULL);
}

static void
confined_close(struct confined *c)
{
	c->options.sampling.inside = NULL;
	sampler_free(c->inside);
	sampler_free(c->masked);
	window_free(c->window);
	constraint_free(c->constraint);
	grammar_free(c->grammar);
	pieces_free(c->pieces);
	options_free(&c->options);
}

/* How many are in both, and how many of these does the row not ban? */
struct allowed {
	size_t all, drawable;
};

static struct allowed
count_allowed(struct confined *c, const uint32_t *mask)
{
	struct allowed n = {0, 0};

	for (size_t i = 0; i <= c->vocab / 32; i++)
		c->allowed[i] &= mask != NULL ? mask[i] : UINT32_MAX;
	for (size_t id = 0; id < c->vocab; id++) {
		if ((c->allowed[id / 32] >> id % 32 & 1) == 0)
			continue;
		n.all++;
		n.drawable += c->logits[id] > -INFINITY;
	}
	return n;
}

/* The second draw, by the sampler that has the mask alone. */
static void
check_again(struct confined *c, const struct row *row, const struct rng *before,
    const struct decision *d)
{
	const struct generator *g = c->plain.generator;
	struct rng *rng = sampler_rng(c->masked);
	struct row masked = *row;
	struct decision expected;
	struct error err;

	rng_copy(g, rng, before);
	if (d->again && d->refused.random)
		assert_true(d->refused.unit == g->unit(rng));
	masked.mask = c->allowed;
	if (!pick(c->masked, &masked, c->window, &expected, &err))
		fail_msg("%s", err.text);
	assert_int_equal(d->id, expected.id);
	assert_true(fabs(d->p - expected.p) < 1e-5);
	/* One that is left is taken; beside -inf it costs a number. */
	assert_true(expected.random || !d->random);
	assert_true(!d->random || d->unit == expected.unit);
}

/* What is told of is what the draw in the end was from. */
static void
check_told(const struct confined *c, const struct decision *d)
{
	bool is_there = false;
	struct listed l;
	uint32_t word;

	for (size_t i = 0; i < sampler_kept(c->inside); i++) {
		l = sampler_list(c->inside, i);
		word = c->allowed[l.id / 32];
		assert_true(!d->again || (word >> l.id % 32 & 1) != 0);
		is_there = is_there || (l.id == d->id && l.p == d->p);
	}
	assert_true(is_there);
}

static void
join(struct confined *c, const struct decision *d)
{
	struct error err;

	sampler_accept(c->inside, d);
	sampler_join(c->inside, d->id);
	sampler_join(c->masked, d->id);
	assert_true(window_add(c->window, d->id, &err));
	assert_true(constraint_accept(c->constraint, d->id, &err));
}

/* One row, which the grammar and perhaps a mask are asked about. */
static bool
check_row(struct confined *c, uint64_t *random, uint64_t number)
{
	struct row row = {.number = number,
	    .size = c->vocab,
	    .logits = c->logits,
	    .mask = one_in(random, 2) ? c->mask : NULL};
	struct rng before = {0};
	struct allowed n;
	struct decision d;
	struct error err;

	for (size_t id = 0; id < c->vocab; id++)
		c->logits[id] = one_in(random, 9) ? -INFINITY
		                                  : random_normal(random, 2);
	c->logits[random_below(random, c->vocab)] = 1;
	for (size_t i = 0; i <= c->vocab / 32; i++)
		c->mask[i] = (uint32_t)(random_bits(random) |
		    random_bits(random));
	rng_copy(c->plain.generator, &before, sampler_rng(c->inside));
	assert_true(constraint_ask_all(c->constraint, c->allowed, &err));
	n = count_allowed(c, row.mask);
	if (!pick(c->inside, &row, c->window, &d, &err)) {
		/* The mask left nothing to draw at first. */
		assert_true(row.mask != NULL && n.drawable == 0);
		return true;
	}
	if (d.dead_end) {
		assert_true(n.drawable == 0);
		assert_true(n.all == 0 || !c->plain.policy->lifts_bans);
		return false;
	}
	assert_true((c->allowed[d.id / 32] >> d.id % 32 & 1) != 0);
	if (n.drawable == 0) /* golem goes by the grammar, before the row */
		assert_true(d.again && c->plain.policy->lifts_bans);
	else if (d.again)
		check_again(c, &row, &before, &d);
	check_told(c, &d);
	join(c, &d);
	return true;
}

static void
check(const char *settings, uint64_t random)
{
	static struct confined c;
	size_t vocab, i;

	for (size_t round = scaled(40); round > 0; round--) {
		vocab = one_in(&random, 3) ? VOCAB_MAX
		                           : 20 + random_below(&random, 700);
		c = (struct confined){0};
		confined_open(&c, settings,
		    grammars[random_below(&random, LENGTH(grammars))], vocab);
		for (i = 1; i <= 8 && check_row(&c, &random, i); i++)
			;
		confined_close(&c);
	}
}

#define LLAMA "--policy llama.cpp --no-defaults "

static void
the_second_draw_is_that_of_a_mask(void **state)
{
	(void)state;
	check(LLAMA "--samplers 'top_k;temperature' --top-k 3 --temp 2", 1);
	check(LLAMA "--samplers 'top_k;top_p;min_p;temperature' --top-k 40 "
	            "--top-p 0.8 --min-p 0.1",
	    2);
	check(LLAMA "--samplers 'top_p;temperature' --top-p 0.9 --temp 1.5", 3);
	check(LLAMA "--samplers 'penalties;top_k' --top-k 5 --repeat-penalty 3 "
	            "--repeat-last-n 64",
	    4);
	check(LLAMA "--samplers 'dry;top_k' --top-k 5 --dry-multiplier 3 "
	            "--dry-allowed-length 1",
	    5);
	check(LLAMA "--samplers top_k --top-k 8 --logit-bias 7+9 "
	            "--logit-bias 20-inf --logit-bias 11+5",
	    6);
	check(LLAMA "--samplers top_k --top-k 7 --greedy", 7);
	check(LLAMA "--samplers top_k --top-k 1", 8);
	check("--policy golem --no-defaults --temp 1 --top-k 4", 9);
	check("--policy golem --no-defaults --temp 1 --top-p 0.7 "
	      "--repeat-penalty 1.3 --repeat-last-n -1",
	    10);
	check("--policy golem --no-defaults --greedy", 11);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_second_draw_is_that_of_a_mask),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
