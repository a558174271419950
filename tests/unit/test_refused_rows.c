/* SPDX-License-Identifier: MIT */
/* Rows and settings that nothing can be drawn with, and what is said of each.
 */
#include "made.h"

enum { VOCAB = 40 };
static const uint32_t none[2] = {0}, all[2] = {UINT32_MAX, UINT32_MAX};
static const uint32_t but_the_fourth[2] = {0xfffffff7, UINT32_MAX};

#define LLAMA "--policy llama.cpp --no-defaults "
#define GOLEM "--policy golem --no-defaults "
#define STRICT "--policy strict "

/* A row of zeros, but for one, by itself or with -inf as all the others. */
struct odd {
	float logit;
	size_t id;
	bool alone;
};

/* After ids 0 and 1, twice each.  No message: a token can be drawn. */
static void
assert_refused(const char *settings, struct odd odd, const uint32_t *mask,
    const char *message)
{
	float logits[VOCAB];
	double wide[VOCAB];
	struct row row = {
	    .number = 12, .size = VOCAB, .logits = logits, .mask = mask};
	struct decision d;
	struct error err = {STATUS_DONE, ""};
	struct made m;
	bool good;

	make(&m, VOCAB, 0, settings);
	sampler_free(m.sampler);
	m.options.sampling.masked = mask != NULL;
	m.sampler = sampler_new(&m.options.sampling, VOCAB, 0, &err);
	assert_non_null(m.sampler);
	for (uint32_t i = 0; i < 4; i++)
		join(&m, i % 2);
	for (size_t id = 0; id < VOCAB; id++) {
		logits[id] = odd.alone ? -INFINITY : 0;
		if (id == odd.id)
			logits[id] = odd.logit;
		wide[id] = (double)logits[id];
	}
	if (m.options.sampling.policy->wide)
		row.wide = wide;
	good = pick(m.sampler, &row, m.window, &d, &err);
	if (good != (message == NULL))
		fail_msg("%s: %s", settings, good ? "drawn" : err.text);
	if (message != NULL)
		assert_string_equal(err.text, message);
	unmake(&m);
}

static const struct odd even = {0, 0, false};
static const struct odd fourth = {0, 3, true};
static const struct odd no_one = {-INFINITY, 0, true};

#define ROW "row 12: "
#define NOT_FINITE(id, what)                           \
	ROW "logit of token " id " is " what           \
	    ": logits are finite, or -inf for a token" \
	    " that can't be drawn"
#define NOT_ANY(where) \
	ROW "no logit is finite" where ": there is nothing to draw"

static void
values_that_no_row_has(void **state)
{
	static const char *const settings[] = {GOLEM "--top-k 3",
	    GOLEM "--temp 2", LLAMA "--samplers top_k --top-k 3",
	    LLAMA "--samplers 'min_p' --min-p 0.1", GOLEM "--greedy",
	    GOLEM "--top-k 3 --logit-bias 5+1", GOLEM "--logit-bias 5+1",
	    LLAMA "-o jsonl", GOLEM "--top-k 3 -o jsonl --top 3"};

	(void)state;
	for (size_t i = 0; i < LENGTH(settings); i++) {
		assert_refused(settings[i], (struct odd){NAN, 39, false}, NULL,
		    NOT_FINITE("39", "NaN"));
		assert_refused(settings[i], (struct odd){INFINITY, 0, false},
		    NULL, NOT_FINITE("0", "+inf"));
		/* A fault is one behind a mask too. */
		assert_refused(settings[i], (struct odd){NAN, 3, false},
		    but_the_fourth, NOT_FINITE("3", "NaN"));
		assert_refused(settings[i], no_one, NULL,
		    strchr(settings[i], '+') == NULL
		        ? NOT_ANY("")
		        : NOT_ANY(" after biases and penalties"));
		assert_refused(settings[i], fourth, NULL, NULL);
		assert_refused(settings[i], fourth, all, NULL);
		assert_refused(settings[i], even, none,
		    strchr(settings[i], '+') == NULL
		        ? NOT_ANY(" where the mask allows")
		        : NOT_ANY(" where the mask allows after biases and "
		                  "penalties"));
		assert_refused(settings[i], fourth, but_the_fourth,
		    strchr(settings[i], '+') == NULL
		        ? NOT_ANY(" where the mask allows")
		        : NOT_ANY(" where the mask allows after biases and "
		                  "penalties"));
	}
}

static void
strict_wants_finite_numbers(void **state)
{
	static const char *const finite =
	    ": the strict policy takes finite logits alone";
	char text[128];

	(void)state;
	snprintf(text, sizeof(text), ROW "logit of token 7 is NaN%s", finite);
	assert_refused(STRICT, (struct odd){NAN, 7, false}, NULL, text);
	snprintf(text, sizeof(text), ROW "logit of token 0 is +inf%s", finite);
	assert_refused(STRICT, (struct odd){INFINITY, 0, false}, NULL, text);
	snprintf(text, sizeof(text), ROW "logit of token 39 is -inf%s", finite);
	assert_refused(STRICT, (struct odd){-INFINITY, 39, false}, NULL, text);
	assert_refused(STRICT, even, none, ROW "the mask allows no token");
	assert_refused(STRICT, even, but_the_fourth, NULL);
	assert_refused(STRICT "--temp 0", even, NULL,
	    "--temp: 0: the strict policy wants more than 0; --greedy draws "
	    "the highest logit");
	assert_refused(STRICT "--temp 0 --greedy", even, NULL, NULL);
	assert_refused(STRICT "--temp 1 --top-k 41", even, NULL,
	    "--top-k: 41: the strict policy wants 1 to 40");
	assert_refused(STRICT "--temp 1 --top-k 40", even, NULL, NULL);
	assert_refused(STRICT "--temp 1 --top-k 1", even, NULL, NULL);
	assert_refused(STRICT "--temp 1 --top-k 0", even, NULL,
	    "--top-k: 0: the strict policy wants 1 to 40");
}

static void
changes_that_leave_nothing(void **state)
{
	static const struct odd low = {-3e38f, 0, true};

	(void)state;
	assert_refused(GOLEM "--top-k 3 --logit-bias 3-inf", fourth, NULL,
	    NOT_ANY(" after biases and penalties"));
	assert_refused(GOLEM "--logit-bias 3-inf", fourth, NULL,
	    NOT_ANY(" after biases and penalties"));
	assert_refused(GOLEM "--logit-bias 3-inf", even, NULL, NULL);
	/* As often as they stand in the window: beyond what a float holds. */
	assert_refused(LLAMA "--samplers 'top_k;penalties' --top-k 5 "
	                     "--frequency-penalty 3e38 --repeat-last-n 64",
	    low, NULL,
	    ROW "no token is left to draw: biases and penalties ban every one");
	assert_refused(LLAMA "--samplers 'top_k;penalties' --top-k 5 "
	                     "--frequency-penalty 3e38 --repeat-last-n 64",
	    even, NULL, NULL);
	assert_refused(LLAMA "--samplers 'penalties;top_k' --top-k 5 "
	                     "--frequency-penalty 3e38 --repeat-last-n 64",
	    low, NULL, NOT_ANY(" after biases and penalties"));
}

static void
a_bias_has_its_token(void **state)
{
	char text[] = "-q -V 40 --policy golem --logit-bias 3+1 "
	              "--logit-bias 40+1";
	char fitting[] = "-q -V 41 --policy golem --logit-bias 40+1";
	struct options o;
	struct error err;

	(void)state;
	parse_options(&o, text);
	assert_null(sampler_new(&o.sampling, 40, 0, &err));
	assert_int_equal(err.status, STATUS_USAGE);
	assert_string_equal(err.text,
	    "the logit bias of token 40 is outside the vocabulary: ids are 0 "
	    "to 39");
	options_free(&o);
	parse_options(&o, fitting);
	sampler_free(sampler_new(&o.sampling, 41, 0, &err));
	options_free(&o);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(values_that_no_row_has),
	    cmocka_unit_test(strict_wants_finite_numbers),
	    cmocka_unit_test(changes_that_leave_nothing),
	    cmocka_unit_test(a_bias_has_its_token),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
