/* SPDX-License-Identifier: MIT */
/* dry, which finds repetitions in one pass, against all comparisons. */
#include "plain_dry.h"

#include "../../src/sampler/dry.h"

enum { VOCAB = 8, HISTORY_MAX = 90 };

struct trial {
	uint64_t random;
	struct plain_dry plain;
	struct sampling settings;
	uint32_t ids[HISTORY_MAX];
	size_t n_ids;
};

static void
describe(const struct trial *t)
{
	print_message("multiplier %g, base %g, allowed %zu, last %zu\n",
	    (double)t->plain.multiplier, (double)t->plain.base,
	    t->plain.allowed, t->plain.last_n);
	for (size_t b = 0; b < t->plain.n_breakers; b++) {
		print_message("breaker");
		for (size_t i = 0; i < t->plain.breakers[b].size; i++)
			print_message(" %u", t->plain.breakers[b].ids[i]);
		print_message("\n");
	}
	print_message("history");
	for (size_t i = 0; i < t->n_ids; i++)
		print_message(" %u", t->ids[i]);
	print_message("\n");
}

/* Does the list name just those ids that would repeat, each of them once? */
static bool
are_those(const uint32_t *ids, size_t n, const size_t *repeats)
{
	size_t wanted = 0;

	for (uint32_t id = 0; id < VOCAB; id++)
		wanted += repeats[id] != SIZE_MAX;
	for (size_t i = 0; i < n; i++) {
		if (ids[i] >= VOCAB || repeats[ids[i]] == SIZE_MAX)
			return false;
		for (size_t j = 0; j < i; j++)
			if (ids[j] == ids[i])
				return false;
	}
	return n == wanted;
}

static void
check(const struct trial *t, struct dry *dry)
{
	size_t repeats[VOCAB], n;
	bool should;
	float logit = 1.5f, found, expected;
	const uint32_t *ids;

	should = plain_dry_repeats(&t->plain, t->ids, t->n_ids, repeats, VOCAB);
	if (dry_prepare(dry, &ids, &n) != should) {
		describe(t);
		fail_msg("it should%s look", should ? "" : " not");
	}
	if (!are_those(ids, n, repeats)) {
		describe(t);
		fail_msg("other ids than these %zu would repeat", n);
	}
	for (uint32_t id = 0; id < VOCAB; id++) {
		found = dry_penalise(dry, id, logit);
		expected = plain_dry_logit(&t->plain, id, repeats[id], logit);
		if (float_bits(found) != float_bits(expected)) {
			describe(t);
			fail_msg("token %u: %a, not %a", id, (double)found,
			    (double)expected);
		}
	}
}

/* The newest ids that the history holds, the oldest of them first. */
static void
check_history(const struct trial *t, const struct dry *dry)
{
	size_t size = t->n_ids < t->plain.last_n ? t->n_ids : t->plain.last_n;

	assert_int_equal(dry_size(dry), size);
	for (size_t i = 0; i < size; i++)
		assert_int_equal(dry_at(dry, i), t->ids[t->n_ids - size + i]);
}

static void
take_settings(struct trial *t)
{
	t->settings = (struct sampling){.dry_multiplier = t->plain.multiplier,
	    .dry_base = t->plain.base,
	    .dry_allowed_length = (int64_t)t->plain.allowed,
	    .dry_last_n = (int64_t)t->plain.last_n,
	    .breakers = t->plain.breakers,
	    .n_breakers = t->plain.n_breakers};
}

static void
random_settings(struct trial *t, size_t alphabet)
{
	static const float bases[] = {
	    1.75f, 2, 1, 1.0000005f, 1.000002f, 9, 1e30f, 3e38f};
	static const float multipliers[] = {0.8f, 1, 5, -0.5f, 1e-3f};
	static const size_t lasts[] = {1, 2, 3, 7, 16, 64, 200};

	t->plain = (struct plain_dry){
	    .multiplier =
	        multipliers[random_below(&t->random, LENGTH(multipliers))],
	    .base = bases[random_below(&t->random, LENGTH(bases))],
	    .allowed = random_below(&t->random, 5),
	    .last_n = lasts[random_below(&t->random, LENGTH(lasts))]};
	if (one_in(&t->random, 20))
		t->plain.allowed = 100;
	for (size_t n = random_below(&t->random, BREAKERS_MAX + 1); n > 0; n--)
		plain_dry_break(&t->plain, &t->random, alphabet);
	take_settings(t);
	/* All that there is to look back on. */
	if (one_in(&t->random, 4)) {
		t->settings.dry_last_n = -1;
		t->settings.dry_most = (int64_t)t->plain.last_n;
	}
}

/* Mostly one of a few ids, or what came some places before. */
static uint32_t
random_id(struct trial *t, size_t alphabet)
{
	size_t back = 1 + random_below(&t->random, 6);

	if (back <= t->n_ids && !one_in(&t->random, 3))
		return t->ids[t->n_ids - back];
	return (uint32_t)random_below(&t->random, alphabet);
}

static void
run_trial(struct trial *t, size_t alphabet)
{
	size_t n = random_below(&t->random, HISTORY_MAX + 1);
	struct error err;
	struct dry *dry;

	random_settings(t, alphabet);
	dry = dry_new(&t->settings, VOCAB, &err);
	assert_non_null(dry);
	for (t->n_ids = 0;; t->n_ids++) {
		check(t, dry);
		check_history(t, dry);
		if (t->n_ids == n)
			break;
		t->ids[t->n_ids] = random_id(t, alphabet);
		dry_join(dry, t->ids[t->n_ids]);
	}
	assert_true(dry_limit(dry) <= VOCAB);
	dry_free(dry);
}

/* An alphabet of more than VOCAB has ids that the vocabulary lacks. */
static void
repetitions_are_those_that_comparing_finds(void **state)
{
	struct trial t = {.random = 1};

	(void)state;
	for (size_t i = scaled(20000); i > 0; i--)
		run_trial(&t, 1 + random_below(&t.random, 4));
}

static void
ids_outside_the_vocabulary_are_compared_and_not_named(void **state)
{
	struct trial t = {.random = 2};

	(void)state;
	for (size_t i = scaled(5000); i > 0; i--)
		run_trial(&t, VOCAB + 3);
}

/* By hand: 1 2 3 1 2 goes on with 3, and that repeats the two before it. */
static void
the_penalty_grows_with_the_repetition(void **state)
{
	static const uint32_t history[] = {1, 2, 3, 1, 2};
	const struct sampling settings = {.dry_multiplier = 0.5f,
	    .dry_base = 3,
	    .dry_allowed_length = 1,
	    .dry_last_n = 64};
	struct error err;
	struct dry *dry = dry_new(&settings, VOCAB, &err);
	const uint32_t *ids;
	size_t n;

	(void)state;
	assert_non_null(dry);
	for (size_t i = 0; i < LENGTH(history); i++)
		dry_join(dry, history[i]);
	assert_true(dry_prepare(dry, &ids, &n));
	assert_int_equal(n, 1);
	assert_int_equal(ids[0], 3);
	assert_true(dry_penalise(dry, 3, 2) == 2 - 0.5f * 3);
	assert_true(dry_penalise(dry, 1, 2) == 2);
	dry_join(dry, 3);
	assert_true(dry_prepare(dry, &ids, &n));
	assert_int_equal(n, 1);
	assert_int_equal(ids[0], 1);
	assert_true(dry_penalise(dry, 1, 2) == 2 - 0.5f * 9);
	assert_true(dry_penalise(dry, 3, 2) == 2);
	dry_free(dry);
}

/* So long a repetition that a power of 1.05 is kept from overflowing. */
static void
the_penalty_of_a_long_repetition_stays_finite(void **state)
{
	static const float bases[] = {1.05f, 1.1f, 1.000001f, 1.0001f};
	enum { LONG = 4000 };
	static uint32_t ids[LONG];
	struct trial t = {0};
	size_t repeats[VOCAB], n;
	const uint32_t *found;
	struct error err;
	struct dry *dry;

	(void)state;
	for (size_t i = 0; i < LENGTH(bases); i++) {
		t.plain = (struct plain_dry){.multiplier = 1,
		    .base = bases[i],
		    .allowed = 2,
		    .last_n = LONG};
		take_settings(&t);
		dry = dry_new(&t.settings, VOCAB, &err);
		assert_non_null(dry);
		for (size_t j = 0; j < LONG; j++)
			dry_join(dry, 0);
		assert_true(
		    plain_dry_repeats(&t.plain, ids, LONG, repeats, VOCAB));
		assert_int_equal(repeats[0], LONG - 1);
		assert_true(dry_prepare(dry, &found, &n));
		assert_int_equal(n, 1);
		assert_true(isfinite(dry_penalise(dry, 0, 1)));
		assert_true(dry_penalise(dry, 0, 1) ==
		    plain_dry_logit(&t.plain, 0, repeats[0], 1));
		dry_free(dry);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(repetitions_are_those_that_comparing_finds),
	    cmocka_unit_test(
	        ids_outside_the_vocabulary_are_compared_and_not_named),
	    cmocka_unit_test(the_penalty_grows_with_the_repetition),
	    cmocka_unit_test(the_penalty_of_a_long_repetition_stays_finite),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
