/* SPDX-License-Identifier: MIT */
/* A row that is kept whole against the same row listed and sorted. */
#include "drawing.h"
#include "ranking.h"

#include "../../src/sampler/chain.h"

enum { VOCAB_MOST = 6000 };

/* A chain, and a row in it. */
struct bench {
	struct options options;
	struct chain chain;
	struct memory memory;
	float row[VOCAB_MOST];
	float max;
};

static void
bench_open(struct bench *b, char *command, size_t vocab)
{
	struct error err;

	parse_options(&b->options, command);
	assert_true(chain_open(
	    &b->chain, &b->options.sampling, vocab, 0, &b->memory, &err));
}

static void
bench_close(struct bench *b)
{
	chain_close(&b->chain);
	options_free(&b->options);
}

static void
fill_row(struct bench *b, uint64_t *random)
{
	size_t n = b->chain.vocab;

	random_row(random, b->row, n);
	b->row[random_below(random, n)] = 1;
	b->max = b->row[0];
	for (size_t i = 1; i < n; i++)
		b->max = b->row[i] > b->max ? b->row[i] : b->max;
}

static void
take(struct bench *b, float temp)
{
	entire_take(&b->chain, b->row, b->max);
	b->chain.entire.temp = temp;
	chain_softmax(&b->chain);
}

/* The beginning of all that are ranked, and enough of it. */
static void
check_prefix(struct bench *b, float temp, double mass, size_t least)
{
	struct chain *c = &b->chain;
	size_t n, vocab = c->vocab;
	struct candidate *prefix;
	double have = 0;

	take(b, temp);
	n = entire_rank(c, mass, least);
	assert_true(n <= vocab && c->kept.size == vocab);
	prefix = malloc(n * sizeof(*prefix) + 1);
	assert_non_null(prefix);
	memcpy(prefix, c->kept.list, n * sizeof(*prefix));
	take(b, temp);
	chain_sort(c);
	assert_true(c->entire.row == NULL && c->listed == vocab);
	assert_same_list(prefix, c->kept.list, n);
	for (size_t i = 0; i < n; i++)
		have += (double)prefix[i].p;
	assert_true(n == 0 || n >= least);
	assert_true(n == 0 || n == vocab || have >= mass);
	free(prefix);
}

static void
check_policy(const char *policy, uint64_t random)
{
	static const double masses[] = {0, 0.1, 0.5, 0.95, 0.999, 1};
	static const float temps[] = {1, 0.7f, 3};
	static struct bench b;
	char command[64];
	size_t vocab;

	for (size_t i = scaled(300); i > 0; i--) {
		vocab = 1 +
		    random_below(
		        &random, one_in(&random, 3) ? VOCAB_MOST : 300);
		snprintf(command, sizeof(command),
		    "--no-defaults --policy %s -V %zu", policy, vocab);
		bench_open(&b, command, vocab);
		fill_row(&b, &random);
		check_prefix(&b, temps[random_below(&random, LENGTH(temps))],
		    masses[random_below(&random, LENGTH(masses))],
		    1 + random_below(&random, vocab));
		bench_close(&b);
	}
}

static void
ranks_a_prefix_for_golem(void **state)
{
	(void)state;
	check_policy("golem", 1);
}

static void
ranks_a_prefix_for_llama(void **state)
{
	(void)state;
	check_policy("llama.cpp", 2);
}

/* What it has is enough for less, and for the same again. */
static void
lists_no_more_than_it_must(void **state)
{
	static struct bench b;
	char command[] = "--no-defaults -V 6000";
	const struct chain *c = &b.chain;
	size_t few, many;

	(void)state;
	bench_open(&b, command, VOCAB_MOST);
	for (size_t i = 0; i < VOCAB_MOST; i++)
		b.row[i] = (float)(i % 2000) * 1e-3f;
	b.max = b.row[1999];
	take(&b, 1);
	few = entire_rank(&b.chain, 0.01, 1);
	many = entire_rank(&b.chain, 0.6, 1);
	assert_true(few < many && many < VOCAB_MOST);
	assert_int_equal(entire_rank(&b.chain, 0.6, 1), many);
	assert_int_equal(entire_rank(&b.chain, 0.01, 1), many);
	assert_int_equal(c->listed, many);
	assert_int_equal(entire_rank(&b.chain, 2, 1), VOCAB_MOST);
	bench_close(&b);
}

/* Looking ranks, and changes no draw. */
static void
check_look(uint64_t *random, struct sampler *sampler, const struct row *row,
    const struct window *window)
{
	const struct rng before = *sampler_rng(sampler);
	struct decision first, again;
	struct listed l, last = {.p = 2};
	struct error err;
	double p = 0;

	assert_true(sampler_weigh(sampler, row, window, &err));
	assert_true(sampler_draw(sampler, &first, &err));
	if (one_in(random, 2)) {
		*sampler_rng(sampler) = before;
		assert_true(sampler_weigh(sampler, row, window, &err));
	}
	assert_int_equal(sampler_kept(sampler), row->size);
	assert_int_equal(sampler_listed(sampler), row->size);
	for (size_t rank = 0; rank < row->size; rank++) {
		l = sampler_list(sampler, rank);
		assert_true(!l.removed && l.p <= last.p);
		assert_true(rank == 0 ||
		    row->logits[l.id] < row->logits[last.id] ||
		    (row->logits[l.id] == row->logits[last.id] &&
		        l.id > last.id));
		if (l.id == first.id)
			p = l.p;
		last = l;
	}
	assert_true(p == first.p);
	*sampler_rng(sampler) = before;
	assert_true(sampler_draw(sampler, &again, &err));
	assert_int_equal(first.id, again.id);
	assert_true(
	    first.at.start == again.at.start && first.at.end == again.at.end);
}

/* Of a row that is kept whole, or of one so small that it is listed. */
static void
check_shown(size_t vocab)
{
	static struct bench b;
	char command[64];
	struct row row = {.number = 1, .size = vocab, .logits = b.row};
	struct sampler *sampler;
	struct window *window;
	struct error err;
	uint64_t random = 3;

	snprintf(
	    command, sizeof(command), "--no-defaults --temp 1.7 -V %zu", vocab);
	bench_open(&b, command, row.size);
	sampler = sampler_new(&b.options.sampling, row.size, 0, &err);
	window = window_new(row.size, 0, &err);
	assert_true(sampler != NULL && window != NULL);
	for (size_t i = scaled(100); i > 0; i--) {
		fill_row(&b, &random);
		check_look(&random, sampler, &row, window);
	}
	sampler_free(sampler);
	window_free(window);
	bench_close(&b);
}

static void
shows_all_by_rank(void **state)
{
	(void)state;
	check_shown(3000);
	check_shown(VOCAB_MOST);
}

/* A temperature waits for the weighing, unless it has to look at a list. */
static void
divides_what_it_must_list(void **state)
{
	static const struct {
		float temp, range;
		bool waits;
	} cases[] = {{0.7f, 0, true}, {1e-44f, 0, false}, {0.7f, 0.5f, false},
	    {0, 0, false}, {-1, 0, false}};
	static struct bench b;
	static struct candidate list[VOCAB_MOST];
	char command[] = "--no-defaults -V 6000";
	struct chain *c = &b.chain;
	uint64_t random = 4;
	struct error err;

	(void)state;
	bench_open(&b, command, VOCAB_MOST);
	for (size_t i = 0; i < VOCAB_MOST; i++)
		b.row[i] = random_normal(&random, 3);
	b.row[7] = b.max = 50;
	for (size_t i = 0; i < LENGTH(cases); i++) {
		b.options.sampling.temp.narrow = cases[i].temp;
		b.options.sampling.dynatemp_range = cases[i].range;
		entire_take(c, b.row, b.max);
		assert_true(stage_temperature.run(c, &err));
		assert_int_equal(c->entire.row != NULL, cases[i].waits);
		chain_sort(c);
		memcpy(list, c->kept.list, sizeof(list));
		entire_take(c, b.row, b.max);
		entire_list(c);
		assert_true(stage_temperature.run(c, &err));
		chain_sort(c);
		assert_same_list(list, c->kept.list, VOCAB_MOST);
		assert_int_equal(list[0].id, 7);
	}
	/* The last one was cold: only the best is left. */
	assert_true(list[0].logit == 50 && list[1].logit == -INFINITY);
	bench_close(&b);
}

/*
 * 150000 times the same probability, which is 100.49 units in the last place
 * of a sum above a half: adding them up loses so much that a prefix which has
 * top_p and some more does not reach it.
 */
static void
a_nucleus_that_rounding_cuts_short_goes_on(void **state)
{
	enum { LIKELY = 150000, UNLIKELY = 46083, BOTH = LIKELY + UNLIKELY };
	static float row[BOTH];
	char command[] = "--no-defaults --top-p 0.8969 -V 196083";
	struct options options;
	struct memory memory;
	struct chain c;
	struct error err;
	float sum = 0, before = 0;
	double exact = 0;

	(void)state;
	parse_options(&options, command);
	assert_true(chain_open(&c, &options.sampling, BOTH, 0, &memory, &err));
	for (size_t i = LIKELY; i < BOTH; i++)
		row[i] = -1;
	entire_take(&c, row, 0);
	assert_true(stage_top_p.run(&c, &err));
	for (size_t i = 0; i < c.kept.size; i++) {
		before = sum;
		sum += c.kept.list[i].p;
		exact += i < LIKELY ? (double)c.kept.list[i].p : 0;
	}
	assert_true(exact > 0.8969 + 1e-3);
	assert_true(c.kept.size > LIKELY);
	assert_true(before < 0.8969f && sum >= 0.8969f);
	chain_close(&c);
	options_free(&options);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(ranks_a_prefix_for_golem),
	    cmocka_unit_test(ranks_a_prefix_for_llama),
	    cmocka_unit_test(lists_no_more_than_it_must),
	    cmocka_unit_test(shows_all_by_rank),
	    cmocka_unit_test(divides_what_it_must_list),
	    cmocka_unit_test(a_nucleus_that_rounding_cuts_short_goes_on),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
