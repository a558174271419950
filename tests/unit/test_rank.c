/* SPDX-License-Identifier: MIT */
/* rank_candidates() against a plain sort, and the keys it goes by. */
#include "ranking.h"

#include "../../src/sampler/rank_key.h"

/* What is done with ids before the list is ranked. */
enum order { IN_ORDER, ONE_SWAPPED, SHUFFLED, HUGE_IDS };

static const size_t sizes[] = {0, 1, 2, 3, 64, 500, RANK_IN_PLACE - 1,
    RANK_IN_PLACE, RANK_IN_PLACE + 1, 5000};

static void
shuffle(uint64_t *random, struct candidate *list, size_t n)
{
	struct candidate swap;
	size_t j;

	for (size_t i = n; i > 1; i--) {
		j = random_below(random, i);
		swap = list[i - 1];
		list[i - 1] = list[j];
		list[j] = swap;
	}
}

static void
swap_neighbours(struct candidate *pair)
{
	const struct candidate first = pair[0];

	pair[0] = pair[1];
	pair[1] = first;
}

/* Distinct ids; p is a mark, to see that it stays with its candidate. */
static void
fill(uint64_t *random, struct candidate *list, size_t n, enum order order)
{
	const uint32_t step = n < 2 ? 1 : UINT32_MAX / (uint32_t)(n - 1);
	float *logits = calloc(n + 1, sizeof(*logits));

	assert_non_null(logits);
	random_row(random, logits, n);
	for (size_t i = 0; i < n; i++)
		list[i] = (struct candidate){
		    (uint32_t)i * (order == HUGE_IDS ? step : 1), logits[i],
		    random_normal(random, 1)};
	if (order == ONE_SWAPPED && n > 1)
		swap_neighbours(list + random_below(random, n - 1));
	else if (order != IN_ORDER)
		shuffle(random, list, n);
	free(logits);
}

static void
check_ranking(uint64_t *random, size_t n, enum order order)
{
	const size_t bytes = n * sizeof(struct candidate);
	struct candidate *list = guarded_new(bytes), *scratch = NULL;
	struct candidate *expected = malloc(bytes + 1);

	assert_non_null(expected);
	if (n >= RANK_IN_PLACE)
		scratch = guarded_new(bytes);
	fill(random, list, n, order);
	memcpy(expected, list, bytes);
	qsort(expected, n, sizeof(*expected), by_rank);

	rank_candidates(list, n, scratch);
	assert_same_list(list, expected, n);
	/* A ranked list stays as it is. */
	rank_candidates(list, n, scratch);
	assert_same_list(list, expected, n);

	if (scratch != NULL)
		guarded_free(scratch, bytes);
	guarded_free(list, bytes);
	free(expected);
}

static void
check_every_size(enum order order)
{
	uint64_t random = (uint64_t)order + 1;

	for (size_t i = 0; i < LENGTH(sizes); i++)
		for (size_t round = scaled(30); round > 0; round--)
			check_ranking(&random, sizes[i], order);
}

static void
ranks_lists_in_the_order_of_ids(void **state)
{
	(void)state;
	check_every_size(IN_ORDER);
}

/* Which must not be taken for one in order, where logits are equal. */
static void
ranks_lists_with_two_ids_swapped(void **state)
{
	(void)state;
	check_every_size(ONE_SWAPPED);
}

static void
ranks_shuffled_lists(void **state)
{
	(void)state;
	check_every_size(SHUFFLED);
}

static void
ranks_ids_of_all_32_bits(void **state)
{
	(void)state;
	check_every_size(HUGE_IDS);
}

/* Some passes of a long list's sort find nothing to do: an odd or even
 * number of them decides in which of the two arrays the answer ends. */
static void
ranks_logits_that_differ_in_one_digit(void **state)
{
	enum { N = 2000 };
	struct candidate list[N], expected[N], scratch[N];
	uint64_t random = 9;

	(void)state;
	for (int shift = 0; shift < 30; shift++) {
		for (size_t i = 0; i < N; i++)
			list[i] = (struct candidate){(uint32_t)i,
			    float_from_bits(0x3f800000 ^
			        (uint32_t)random_below(&random, 2) << shift),
			    0};
		if (shift % 2 == 0)
			shuffle(&random, list, N);
		memcpy(expected, list, sizeof(list));
		qsort(expected, N, sizeof(*expected), by_rank);
		rank_candidates(list, N, scratch);
		assert_same_list(list, expected, N);
	}
}

/* The float below one; -0 counts as 0. */
static float
next_below(float logit)
{
	if (logit == 0)
		return -0x1p-149f;
	return float_from_bits(
	    float_bits(logit) + (logit < 0 ? 1 : UINT32_MAX));
}

/* Of two neighbours the lower has the greater key, and none is between. */
static void
check_key(uint32_t bits)
{
	const float logit = float_from_bits(bits), next = next_below(logit);
	const uint32_t key = rank_key(logit);

	assert_true(rank_key_logit(key) == logit);
	assert_true(rank_key(next) > key);
	assert_true(rank_key_logit(key + 1) == next);
}

static void
keys_and_logits_answer_each_other(void **state)
{
	uint64_t random = 11;

	(void)state;
	for (size_t i = scaled(100000); i > 0; i--)
		check_key(float_bits(random_normal(&random, 3)));
	for (uint32_t bits = 0; bits < 100; bits++) {
		check_key(bits);
		check_key(bits | 0x80000000);
		check_key(0x7f7fffff - bits);
		check_key(0xff7fff00 + bits);
	}
	assert_int_equal(rank_key(-0.0f), rank_key(0.0f));
	assert_true(isnan(rank_key_logit(rank_key(-INFINITY) + 1)));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(ranks_lists_in_the_order_of_ids),
	    cmocka_unit_test(ranks_lists_with_two_ids_swapped),
	    cmocka_unit_test(ranks_shuffled_lists),
	    cmocka_unit_test(ranks_ids_of_all_32_bits),
	    cmocka_unit_test(ranks_logits_that_differ_in_one_digit),
	    cmocka_unit_test(keys_and_logits_answer_each_other),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
