/* SPDX-License-Identifier: MIT */
/* select_best() against a plain sort of the whole row. */
#include "ranking.h"

#include "../../src/sampler/select.h"

/* A row and room for its best, each ending where the memory does. */
struct bench {
	size_t n, k;
	float *logits;
	struct bf16 *halves; /* the same, unless NULL */
	struct candidate *best, *scratch;
};

static size_t
kept(const struct bench *b)
{
	return b->k < b->n ? b->k : b->n;
}

static size_t
room(const struct bench *b)
{
	return select_room(b->n, b->k);
}

static size_t
scratch_size(const struct bench *b)
{
	return room(b) < RANK_IN_PLACE ? 0 : room(b);
}

static struct bench
bench_new(size_t n, size_t k)
{
	struct bench b = {.n = n, .k = k};

	b.logits = guarded_new(n * sizeof(*b.logits));
	b.best = guarded_new(room(&b) * sizeof(*b.best));
	if (scratch_size(&b) > 0)
		b.scratch = guarded_new(scratch_size(&b) * sizeof(*b.scratch));
	return b;
}

static void
bench_free(struct bench *b)
{
	guarded_free(b->logits, b->n * sizeof(*b->logits));
	if (b->halves != NULL)
		guarded_free(b->halves, b->n * sizeof(*b->halves));
	guarded_free(b->best, room(b) * sizeof(*b->best));
	if (b->scratch != NULL)
		guarded_free(b->scratch, scratch_size(b) * sizeof(*b->scratch));
}

/* The row as it is, or in one of two rounds as bf16. */
static void
fill(struct bench *b, uint64_t *random)
{
	random_row(random, b->logits, b->n);
	if (one_in(random, 2))
		return;
	b->halves = guarded_new(b->n * sizeof(*b->halves));
	make_bf16(b->logits, b->n, b->halves);
}

static void
put(struct bench *b, size_t at, uint32_t bits)
{
	memcpy(&b->logits[at], &bits, sizeof(bits));
	if (b->halves != NULL)
		b->halves[at] = bf16_of(b->logits[at]);
}

/* As select_best() does, which takes floats alone. */
static size_t
select_halves(struct bench *b, struct candidates *best)
{
	struct bf16_row bf16 = {.values = b->halves};
	const struct row row = {.size = b->n, .bf16 = &bf16};
	static struct scan scan;
	size_t bad = select_scan(&scan, &row, b->k);

	if (bad == b->n)
		select_others(&scan, b->k, NULL, 0, best, b->scratch);
	return bad;
}

/* The best are among those that come, which are ranked here. */
static size_t
select_in(struct bench *b)
{
	struct candidates best = {b->best, SIZE_MAX};
	size_t bad = b->halves != NULL
	    ? select_halves(b, &best)
	    : select_best(b->logits, b->n, b->k, &best, b->scratch);

	if (bad < b->n)
		return bad;
	assert_true(best.size >= kept(b) && best.size <= room(b));
	rank_candidates(b->best, best.size, b->scratch);
	return bad;
}

static struct candidate *
sorted_row(const float *logits, size_t n)
{
	struct candidate *all = malloc(n * sizeof(*all));

	assert_non_null(all);
	for (size_t i = 0; i < n; i++)
		all[i] = (struct candidate){(uint32_t)i, logits[i], 0};
	qsort(all, n, sizeof(*all), by_rank);
	return all;
}

static void
check_random_row(uint64_t *random, size_t n, size_t k)
{
	struct bench b = bench_new(n, k);
	struct candidate *expected;

	fill(&b, random);
	expected = sorted_row(b.logits, n);
	assert_int_equal(select_in(&b), n);
	assert_same_list(b.best, expected, kept(&b));
	free(expected);
	bench_free(&b);
}

static void
is_the_head_of_the_sorted_row(void **state)
{
	uint64_t random = 1;
	size_t n;

	(void)state;
	for (size_t i = scaled(2000); i > 0; i--) {
		n = 1 + random_below(&random, one_in(&random, 8) ? 5000 : 300);
		check_random_row(&random, n, random_below(&random, n + 2));
	}
}

/* Where one way of working ends and another begins. */
static void
holds_at_every_border(void **state)
{
	static const size_t sizes[] = {1, 2, 63, 64, 65, 127, 128, 129, 192,
	    RANK_IN_PLACE - 1, RANK_IN_PLACE, RANK_IN_PLACE + 1, 4000};
	uint64_t random = 2;

	(void)state;
	for (size_t i = 0; i < LENGTH(sizes); i++) {
		const size_t n = sizes[i];
		const size_t counts[] = {0, 1, 2, 63, 64, 65, n - 1, n, n + 1,
		    RANK_IN_PLACE - 1, RANK_IN_PLACE, RANK_IN_PLACE + 1,
		    SIZE_MAX};

		for (size_t j = 0; j < LENGTH(counts); j++)
			for (size_t round = 0; round < 8; round++)
				check_random_row(&random, n, counts[j]);
	}
}

static void
takes_large_rows(void **state)
{
	static const size_t counts[] = {1, 64, RANK_IN_PLACE, 20000, 50000};
	uint64_t random = 3;

	(void)state;
	for (size_t i = 0; i < LENGTH(counts); i++)
		for (size_t round = scaled(3); round > 0; round--)
			check_random_row(&random, 50000, counts[i]);
}

/*
 * With the ids from `first` on in steps set aside: the k best others are
 * there, and above them nothing is missing but what is aside.
 */
static void
check_aside(uint64_t *random, size_t n, size_t k, size_t n_aside)
{
	struct bench b = bench_new(n, k + n_aside);
	const size_t step = n / n_aside;
	const struct row row = {.size = n, .logits = b.logits};
	static struct scan scan;
	float *aside = guarded_new(n_aside * sizeof(*aside));
	struct candidates best = {b.best, SIZE_MAX};
	struct candidate *expected;
	size_t others = 0, at = 0;

	random_row(random, b.logits, n);
	if (one_in(random, 2)) /* the highest */
		for (size_t i = 0; i < n_aside; i++)
			b.logits[i * step] = 100 + random_normal(random, 4);
	for (size_t i = 0; i < n_aside; i++)
		aside[i] = b.logits[i * step];
	expected = sorted_row(b.logits, n);
	assert_int_equal(select_scan(&scan, &row, b.k), n);
	select_others(&scan, k, aside, n_aside, &best, b.scratch);
	assert_true(best.size <= room(&b));
	rank_candidates(b.best, best.size, b.scratch);
	for (size_t i = 0; i < n && others < k; i++) {
		if (expected[i].id % step == 0 &&
		    expected[i].id / step < n_aside)
			continue;
		while (at < best.size && b.best[at].id != expected[i].id)
			at++;
		assert_true(at < best.size);
		others++;
	}
	free(expected);
	guarded_free(aside, n_aside * sizeof(*aside));
	bench_free(&b);
}

static void
takes_others_than_those_set_aside(void **state)
{
	uint64_t random = 6;
	size_t n;

	(void)state;
	for (size_t i = scaled(500); i > 0; i--) {
		n = 1 + random_below(&random, 40000);
		check_aside(&random, n, random_below(&random, 200),
		    1 + random_below(&random, n < 300 ? n : 300));
	}
}

/* Rising rows let every logit in, falling ones none after the first k. */
static void
takes_rising_and_falling_rows(void **state)
{
	struct bench b = bench_new(3000, 100);
	struct candidate *expected;

	(void)state;
	for (int sign = -1; sign <= 1; sign += 2) {
		for (size_t i = 0; i < b.n; i++)
			b.logits[i] = (float)sign * (float)(i / 2);
		expected = sorted_row(b.logits, b.n);
		assert_int_equal(select_in(&b), b.n);
		assert_same_list(b.best, expected, b.k);
		free(expected);
	}
	bench_free(&b);
}

static void
ranks_banned_tokens_last(void **state)
{
	static const float logits[] = {-INFINITY, -0.0f, -INFINITY, 0, 1};
	static const uint32_t order[] = {4, 1, 3, 0, 2};
	struct bench b = bench_new(LENGTH(logits), LENGTH(logits));

	(void)state;
	memcpy(b.logits, logits, sizeof(logits));
	for (; b.k >= 4; b.k--) {
		assert_int_equal(select_in(&b), b.n);
		for (size_t i = 0; i < b.k; i++)
			assert_int_equal(b.best[i].id, order[i]);
		assert_true(b.best[3].logit == -INFINITY);
	}
	b.k = b.n;
	bench_free(&b);
}

/* NaN of either sign, quiet or signalling, and +inf: in bf16 too. */
static const uint32_t bad_bits[] = {
    0x7fc00000, 0xffc00000, 0x7f810001, 0xff810001, 0x7f800000};

/* One bad value at each place of the row; what comes before it is random. */
static void
check_bad_values(uint64_t *random, size_t n, size_t k)
{
	struct bench b = bench_new(n, k);

	fill(&b, random);
	for (size_t at = 0; at < n; at++) {
		const uint32_t kept_bits = float_bits(b.logits[at]);

		for (size_t i = 0; i < LENGTH(bad_bits); i++) {
			put(&b, at, bad_bits[i]);
			assert_int_equal(select_in(&b), at);
		}
		put(&b, at, kept_bits);
	}
	assert_int_equal(select_in(&b), n);
	bench_free(&b);
}

static void
finds_a_bad_value_anywhere(void **state)
{
	static const size_t sizes[] = {1, 63, 64, 65, 200, 330};
	uint64_t random = 4;

	(void)state;
	for (size_t i = 0; i < LENGTH(sizes); i++) {
		const size_t n = sizes[i];
		const size_t counts[] = {0, 1, 2, 64, n - 1, n, n + 1};

		for (size_t j = 0; j < LENGTH(counts); j++)
			for (size_t round = 0; round < 6; round++)
				check_bad_values(&random, n, counts[j]);
	}
	check_bad_values(&random, 2 * RANK_IN_PLACE, RANK_IN_PLACE);
}

static void
finds_the_first_of_several_bad_values(void **state)
{
	uint64_t random = 5;
	size_t n, at, first;
	struct bench b;

	(void)state;
	for (size_t i = scaled(2000); i > 0; i--) {
		n = 1 + random_below(&random, 400);
		b = bench_new(n, random_below(&random, n + 2));
		fill(&b, &random);
		first = n;
		for (size_t bad = 0; bad < 3; bad++) {
			at = random_below(&random, n);
			first = at < first ? at : first;
			put(&b, at,
			    bad_bits[random_below(&random, LENGTH(bad_bits))]);
		}
		assert_int_equal(select_in(&b), first);
		bench_free(&b);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(is_the_head_of_the_sorted_row),
	    cmocka_unit_test(holds_at_every_border),
	    cmocka_unit_test(takes_large_rows),
	    cmocka_unit_test(takes_others_than_those_set_aside),
	    cmocka_unit_test(takes_rising_and_falling_rows),
	    cmocka_unit_test(ranks_banned_tokens_last),
	    cmocka_unit_test(finds_a_bad_value_anywhere),
	    cmocka_unit_test(finds_the_first_of_several_bad_values),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
