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

static void
shows_all_by_rank(void **state)
{
	static struct bench b;
	char command[] = "--no-defaults --temp 1.7 -V 3000";
	struct row row = {.number = 1, .size = 3000, .logits = b.row};
	struct sampler *sampler;
	struct window *window;
	struct error err;
	uint64_t random = 3;

	(void)state;
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

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(ranks_a_prefix_for_golem),
	    cmocka_unit_test(ranks_a_prefix_for_llama),
	    cmocka_unit_test(lists_no_more_than_it_must),
	    cmocka_unit_test(shows_all_by_rank),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
