/* SPDX-License-Identifier: MIT */
/* The stop rules, and which of several comes first. */
#include "helper.h"

#include "../../src/history.h"

enum { VOCAB = 10, END = 9 };

static uint32_t end_ids[] = {8, END}, prompt_ids[] = {1, 2, 2};
static const struct ids prompt = {prompt_ids, LENGTH(prompt_ids)};
static const struct ids no_ids = {NULL, 0};

/* Draw an id: does it end the conversation? */
static enum stop
draw(struct history *h, uint32_t id)
{
	struct error err;

	assert_true(history_check_next(h, &err));
	return history_add(h, id, id);
}

/* The same ids under other rules; each case begins afresh. */
static void
check(const struct stop_rules *rules, const struct ids *before,
    enum stop expected, uint64_t expected_tokens)
{
	static const uint32_t ids[] = {0, 3, 3, END, 4, 5};
	struct history h;
	struct error err;
	enum stop stop;

	assert_true(history_open(&h, VOCAB, 64, before, rules, &err));
	stop = history_stop_before(&h);
	for (size_t i = 0; i < LENGTH(ids) && stop == STOP_NONE; i++)
		stop = draw(&h, ids[i]);
	assert_int_equal(stop, expected);
	assert_int_equal(h.tokens, expected_tokens);
	assert_int_equal(h.prompt, before->size);
	history_close(&h);
}

static void
each_rule_stops_where_it_should(void **state)
{
	const struct ids ends = {end_ids, LENGTH(end_ids)};
	const struct stop_rules none = {.predict = -1};
	const struct stop_rules eos = {.ends = ends, .predict = -1};
	const struct stop_rules two = {.predict = 2};
	const struct stop_rules nothing = {.predict = 0};
	const struct stop_rules context = {.predict = -1, .context = 5};

	(void)state;
	check(&none, &prompt, STOP_NONE, 6);
	check(&eos, &prompt, STOP_EOS, 4);
	check(&two, &prompt, STOP_TOKEN_LIMIT, 2);
	check(&nothing, &prompt, STOP_TOKEN_LIMIT, 0);
	/* It stops once they exceed it: at 6 ids, 3 of them the prompt's. */
	check(&context, &prompt, STOP_CONTEXT_LIMIT, 3);
	check(&context, &no_ids, STOP_CONTEXT_LIMIT, 6);
}

static void
the_end_token_comes_before_any_limit(void **state)
{
	const struct ids ends = {end_ids, LENGTH(end_ids)};
	const struct stop_rules all = {ends, 4, 6};
	const struct stop_rules limits = {no_ids, 4, 6};
	const struct stop_rules context = {no_ids, 5, 6};

	(void)state;
	check(&all, &prompt, STOP_EOS, 4);
	check(&limits, &prompt, STOP_TOKEN_LIMIT, 4);
	check(&context, &prompt, STOP_CONTEXT_LIMIT, 4);
}

static void
an_end_token_in_the_prompt_ends_nothing(void **state)
{
	const struct ids ends = {prompt_ids, 2}, all = {prompt_ids, 3};
	const struct stop_rules rules = {.ends = ends, .predict = -1};

	(void)state;
	check(&rules, &all, STOP_NONE, 6);
}

static void
a_prompt_that_just_fits_yields_one_token(void **state)
{
	const struct stop_rules rules = {.predict = -1, .context = 3};

	(void)state;
	check(&rules, &prompt, STOP_CONTEXT_LIMIT, 1);
}

static void
a_longer_prompt_is_refused(void **state)
{
	const struct stop_rules rules = {.predict = -1, .context = 2};
	struct history h;
	struct error err;

	(void)state;
	assert_false(history_open(&h, VOCAB, 64, &prompt, &rules, &err));
	assert_int_equal(err.status, STATUS_USAGE);
	assert_non_null(strstr(err.text, "--ctx-size"));
	assert_non_null(strstr(err.text, "3"));
	assert_non_null(strstr(err.text, "2"));
	history_close(&h);
}

static void
prompt_and_draws_share_the_window(void **state)
{
	const struct stop_rules rules = {.predict = -1};
	struct history h;
	struct error err;

	(void)state;
	assert_true(history_open(&h, VOCAB, 3, &prompt, &rules, &err));
	assert_int_equal(window_count(h.window, 1), 1);
	assert_int_equal(window_count(h.window, 2), 2);
	assert_int_equal(draw(&h, 7), STOP_NONE);
	assert_int_equal(window_count(h.window, 1), 0);
	assert_int_equal(window_count(h.window, 2), 2);
	assert_int_equal(window_count(h.window, 7), 1);
	history_close(&h);
}

/* The one that ends it too: a state saved now is whole. */
static void
the_last_token_joins_the_window(void **state)
{
	const struct stop_rules rules = {.predict = 1};
	struct history h;
	struct error err;

	(void)state;
	assert_true(history_open(&h, VOCAB, -1, &no_ids, &rules, &err));
	assert_int_equal(draw(&h, 7), STOP_TOKEN_LIMIT);
	assert_int_equal(window_count(h.window, 7), 1);
	history_close(&h);
}

/* What was drawn decides whether to stop, what was recorded what joins. */
static void
recorded_ids_join_in_place_of_those_drawn(void **state)
{
	const struct ids ends = {end_ids, LENGTH(end_ids)};
	const struct stop_rules rules = {.ends = ends, .predict = -1};
	struct history h;
	struct error err;

	(void)state;
	assert_true(history_open(&h, VOCAB, -1, &no_ids, &rules, &err));
	assert_true(history_check_next(&h, &err));
	assert_int_equal(history_add(&h, 7, END), STOP_NONE);
	assert_true(history_check_next(&h, &err));
	assert_int_equal(history_add(&h, END, 3), STOP_EOS);
	assert_int_equal(window_count(h.window, 3), 1);
	assert_int_equal(window_count(h.window, END), 1);
	assert_int_equal(window_count(h.window, 7), 0);
	history_close(&h);
}

static void
reasons_have_their_names(void **state)
{
	(void)state;
	assert_string_equal(stop_name(STOP_EOS), "eos");
	assert_string_equal(stop_name(STOP_TOKEN_LIMIT), "token-limit");
	assert_string_equal(stop_name(STOP_CONTEXT_LIMIT), "context-limit");
	assert_string_equal(stop_name(STOP_END_OF_INPUT), "end-of-input");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(each_rule_stops_where_it_should),
	    cmocka_unit_test(the_end_token_comes_before_any_limit),
	    cmocka_unit_test(an_end_token_in_the_prompt_ends_nothing),
	    cmocka_unit_test(a_prompt_that_just_fits_yields_one_token),
	    cmocka_unit_test(a_longer_prompt_is_refused),
	    cmocka_unit_test(prompt_and_draws_share_the_window),
	    cmocka_unit_test(the_last_token_joins_the_window),
	    cmocka_unit_test(recorded_ids_join_in_place_of_those_drawn),
	    cmocka_unit_test(reasons_have_their_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
