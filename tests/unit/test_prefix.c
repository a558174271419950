/* SPDX-License-Identifier: MIT */
/* A long list of candidates, of which no more is ranked than is looked at. */
#include "drawing.h"
#include "ranking.h"

#include "../../src/sampler/chain.h"
#include "../../src/sampler/masses.h"

enum { VOCAB_MOST = 4000, LONG = 1024 };

/* A chain whose candidates are all of a row, in the order of their ids. */
struct bench {
	struct options options;
	struct chain chain;
	struct memory memory;
	float row[VOCAB_MOST];
	struct candidate before[VOCAB_MOST], ranked[VOCAB_MOST];
};

static void
bench_open(struct bench *b, size_t vocab, uint64_t *random)
{
	char command[64];
	struct error err;

	snprintf(command, sizeof(command), "--no-defaults -V %zu", vocab);
	parse_options(&b->options, command);
	assert_true(chain_open(
	    &b->chain, &b->options.sampling, vocab, 0, &b->memory, &err));
	random_row(random, b->row, vocab);
	b->row[random_below(random, vocab)] = 1;
	entire_take(&b->chain, b->row, 1);
	for (size_t id = 0; id < vocab; id++)
		if (b->row[id] > b->chain.entire.max)
			b->chain.entire.max = b->row[id];
	entire_list(&b->chain);
	chain_softmax(&b->chain);
	memcpy(b->before, b->chain.kept.list, vocab * sizeof(*b->before));
	memcpy(b->ranked, b->before, vocab * sizeof(*b->before));
	qsort(b->ranked, vocab, sizeof(*b->ranked), by_rank);
}

static void
bench_close(struct bench *b)
{
	chain_close(&b->chain);
	options_free(&b->options);
}

/* Of those that are clearly likelier than the last of n. */
static double
mass_before_last_bin(const struct candidate *list, size_t n)
{
	double mass = 0;

	for (size_t i = 0; i < n; i++)
		if (list[i].p > list[n - 1].p * 1.05f)
			mass += (double)list[i].p;
	return mass;
}

static void
a_prefix_reaches_as_far_as_it_must(void **state)
{
	static const double masses[] = {0, 0.01, 0.1, 0.5, 0.9, 0.99};
	static struct bench b;
	size_t n, vocab, least, fewer = 0;
	uint64_t random = 1;
	double mass, have;

	(void)state;
	for (size_t i = scaled(400); i > 0; i--) {
		vocab = one_in(&random, 4)
		    ? LONG - 1 + random_below(&random, 4)
		    : LONG + random_below(&random, VOCAB_MOST - LONG);
		least = one_in(&random, 2) ? 1 : random_below(&random, vocab);
		mass = masses[random_below(&random, LENGTH(masses))];
		bench_open(&b, vocab, &random);
		n = chain_rank_prefix(&b.chain, mass, least);
		assert_int_equal(b.chain.kept.size, vocab);
		assert_true(n <= vocab && n >= least && n > 0);
		assert_same_list(b.chain.kept.list, b.ranked, n);
		have = 0;
		for (size_t j = 0; j < n; j++)
			have += (double)b.ranked[j].p;
		assert_true(n == vocab || have >= mass);
		assert_true(vocab > LONG || n == vocab);
		if (vocab > LONG && n < vocab && n >= least)
			assert_true(mass_before_last_bin(b.ranked, n) <
			    mass + MASS_SLACK);
		fewer += n < vocab;
		bench_close(&b);
	}
	assert_true(fewer > 0);
}

/* Where few have all that is wanted, few are ranked. */
static void
little_is_ranked_for_little(void **state)
{
	static struct bench b;
	uint64_t random = 1;

	(void)state;
	bench_open(&b, LONG + 1, &random);
	for (size_t i = 0; i <= LONG; i++)
		b.chain.kept.list[i] = (struct candidate){
		    .id = (uint32_t)i, .logit = (float)i, .p = 0x1p-20f};
	b.chain.kept.list[7].p = 0.5f;
	b.chain.kept.list[7].logit = 1e4f;
	b.chain.kept.list[9].p = 0.25f;
	b.chain.kept.list[9].logit = 9e3f;
	assert_int_equal(chain_rank_prefix(&b.chain, 0.4, 1), 1);
	assert_int_equal(b.chain.kept.list[0].id, 7);
	assert_int_equal(chain_rank_prefix(&b.chain, 0.6, 1), 2);
	assert_int_equal(chain_rank_prefix(&b.chain, 0.6, 2), 2);
	assert_int_equal(b.chain.kept.list[1].id, 9);
	assert_false(b.chain.sorted);
	assert_int_equal(chain_rank_prefix(&b.chain, 0.6, 3), LONG + 1);
	assert_true(b.chain.sorted);
	assert_int_equal(b.chain.kept.list[2].id, LONG);
	assert_int_equal(chain_rank_prefix(&b.chain, 0.4, 1), LONG + 1);
	bench_close(&b);
}

/* As many as are wanted are enough. */
static void
a_whole_row_ranks_as_many_as_are_wanted(void **state)
{
	static struct bench b;
	uint64_t random = 3;

	(void)state;
	bench_open(&b, VOCAB_MOST, &random);
	for (size_t id = 0; id < VOCAB_MOST; id++)
		b.row[id] = (float)(id * 7 % VOCAB_MOST) * 1e-4f;
	entire_take(&b.chain, b.row, (float)(VOCAB_MOST - 1) * 1e-4f);
	chain_softmax(&b.chain);
	assert_int_equal(entire_rank(&b.chain, 0, 300), 300);
	assert_int_equal(chain_rank_prefix(&b.chain, 0, 300), 300);
	assert_int_equal(
	    b.chain.kept.list[0].id * 7 % VOCAB_MOST, VOCAB_MOST - 1);
	bench_close(&b);
}

static void
a_partition_keeps_the_order_of_what_it_keeps(void **state)
{
	static struct bench b;
	uint64_t random = 2;
	size_t n, kept, vocab;
	float floor;

	(void)state;
	for (size_t i = scaled(300); i > 0; i--) {
		vocab = 1 + random_below(&random, 300);
		bench_open(&b, vocab, &random);
		floor = b.row[random_below(&random, vocab)];
		n = chain_partition(&b.chain, floor);
		kept = 0;
		for (size_t id = 0; id < vocab; id++)
			if (b.before[id].logit >= floor)
				assert_same_list(&b.chain.kept.list[kept++],
				    &b.before[id], 1);
		assert_int_equal(n, kept);
		qsort(b.chain.kept.list, vocab, sizeof(*b.ranked), by_rank);
		assert_same_list(b.chain.kept.list, b.ranked, vocab);
		bench_close(&b);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_prefix_reaches_as_far_as_it_must),
	    cmocka_unit_test(little_is_ranked_for_little),
	    cmocka_unit_test(a_whole_row_ranks_as_many_as_are_wanted),
	    cmocka_unit_test(a_partition_keeps_the_order_of_what_it_keeps),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
