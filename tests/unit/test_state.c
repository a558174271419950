/* SPDX-License-Identifier: MIT */
/* A saved state: what was written is read again, and a run goes on. */
#include "saving.h"

static void
what_is_written_is_read(void **unused)
{
	struct state *written, *read;
	char path[PATH_ROOM];
	uint64_t seed = 1;
	struct error err;

	(void)unused;
	new_path(path);
	for (size_t i = 0; i < scaled(100); i++) {
		written = random_state(&seed, path);
		if (!state_write(written, "1.2.3\n\\", &err))
			fail_msg("%s", err.text);
		read = state_read(path, &err);
		if (read == NULL)
			fail_msg("%s", err.text);
		assert_same_state(written, read);
		state_free(written);
		state_free(read);
	}
	unlink(path);
}

static void
the_format_is_as_documented(void **unused)
{
	static uint32_t ids[18] = {5, 0, 2147483647}, counts[] = {3, 1};
	static const char head[] = "tokpick state 1\n"
	                           "version 9.9\n"
	                           "setting vocab 10\n"
	                           "setting text a\\x5cb\\x0ac\\x7f \n"
	                           "sampler rng pcg-dxsm 12\n"
	                           "prompt 3\n"
	                           "tokens 40\n"
	                           "rows 41\n";
	char path[PATH_ROOM], want[1024], got[TEXT_ROOM];
	struct state s = {.file = path,
	    .prompt = 3,
	    .tokens = 40,
	    .rows = 41,
	    .n_ids = 18,
	    .ids = ids};
	struct error err;
	int n;

	(void)unused;
	new_path(path);
	assert_true(pairs_add(&s.settings, "vocab", "10", 0, &err));
	assert_true(pairs_add(&s.settings, "text", "a\\b\nc\x7f ", 0, &err));
	assert_true(pairs_add(&s.memory, "rng", "pcg-dxsm 12", 0, &err));
	assert_true(state_write(&s, "9.9", &err));
	n = snprintf(want, sizeof(want),
	    "%swindow ids 18\nids 5 0 2147483647 0 0 0 0 0 0 0 0 0 0 0 0 0\n"
	    "ids 0 0\n",
	    head);
	snprintf(want + n, sizeof(want) - (size_t)n, "end %016" PRIx64 "\n",
	    checksum(want, (size_t)n));
	get_bytes(path, got);
	assert_string_equal(got, want);

	ids[0] = 0;
	ids[1] = 5;
	s.counted = true;
	s.n_ids = 2;
	s.counts = counts;
	assert_true(state_write(&s, "9.9", &err));
	n = snprintf(
	    want, sizeof(want), "%swindow counts 2\ncounts 0:3 5:1\n", head);
	snprintf(want + n, sizeof(want) - (size_t)n, "end %016" PRIx64 "\n",
	    checksum(want, (size_t)n));
	get_bytes(path, got);
	assert_string_equal(got, want);
	pairs_free(&s.settings);
	pairs_free(&s.memory);
	unlink(path);
}

static void
assert_same_window(const struct window *a, const struct window *b, size_t vocab)
{
	const uint32_t *ids;

	assert_int_equal(window_size(a), window_size(b));
	for (size_t i = 0; i < window_size(a); i++)
		assert_int_equal(window_at(a, i), window_at(b, i));
	for (uint32_t id = 0; id < vocab && window_limit(a) != 0; id++)
		assert_int_equal(window_count(a, id), window_count(b, id));
	assert_int_equal(window_distinct(a, &ids), window_distinct(b, &ids));
}

static void
add_random(struct history *h, uint64_t *seed, size_t vocab)
{
	uint32_t id = (uint32_t)random_below(seed, vocab + 5);
	struct error err;

	assert_true(history_check_next(h, &err));
	history_add(h, id, id);
}

/*
 * After any number of ids, a window that was taken into a state and out of
 * it goes on as the first one does.
 */
static void
check_window(uint64_t *seed, int64_t limit)
{
	const struct stop_rules rules = {.predict = -1};
	const struct ids no_prompt = {0};
	const size_t vocab = 50, first = random_below(seed, 3000);
	struct sampling settings = {
	    .policy = policies[1], .generator = policies[1]->generator};
	struct history one, two;
	struct sampler *sampler;
	struct state *s;
	struct error err;
	uint32_t joined;

	sampler = sampler_new(&settings, vocab, 0, &err);
	assert_true(history_open(&one, vocab, limit, &no_prompt, &rules, &err));
	assert_true(history_open(&two, vocab, limit, &no_prompt, &rules, &err));
	for (size_t i = 0; i < first; i++)
		add_random(&one, seed, vocab);
	s = state_take("nowhere", sampler, &one, first, &err);
	assert_non_null(s);
	assert_true(state_resume_history(s, &two, &err));
	assert_same_window(one.window, two.window, vocab);
	assert_int_equal(two.tokens, first);
	for (size_t i = 0; i < 2000; i++) {
		joined = (uint32_t)random_below(seed, vocab + 5);
		assert_true(window_add(one.window, joined, &err));
		assert_true(window_add(two.window, joined, &err));
	}
	assert_same_window(one.window, two.window, vocab);
	state_free(s);
	history_close(&one);
	history_close(&two);
	sampler_free(sampler);
}

static void
a_window_goes_on(void **unused)
{
	static const int64_t limits[] = {0, 1, 2, 63, 64, 1024, 1025, 2000,
	    2048, 5000, INT64_C(1) << 40, -1};
	uint64_t seed = 6;

	(void)unused;
	for (size_t i = 0; i < LENGTH(limits); i++)
		for (size_t round = 0; round < scaled(10); round++)
			check_window(&seed, limits[i]);
}

static void
the_largest_counts_stay(void **unused)
{
	struct error err;
	struct window *w = window_new(4, -1, &err);

	(void)unused;
	assert_true(window_add_times(w, 2, UINT32_MAX - 1, &err));
	assert_true(window_add(w, 2, &err));
	assert_int_equal(window_count(w, 2), UINT32_MAX);
	assert_true(window_add(w, 2, &err));
	assert_int_equal(window_count(w, 2), UINT32_MAX);
	assert_true(window_add_times(w, 2, 5, &err));
	assert_int_equal(window_count(w, 2), UINT32_MAX);
	window_free(w);
}

/* Counts do not say which id is the oldest. */
static void
counts_fill_no_bounded_window(void **unused)
{
	const struct stop_rules rules = {.predict = -1};
	const struct ids no_prompt = {0};
	static uint32_t ids[] = {1}, counts[] = {3};
	static char name[] = "file";
	struct state s = {.file = name,
	    .counted = true,
	    .n_ids = 1,
	    .ids = ids,
	    .counts = counts};
	struct history h;
	struct error err;

	(void)unused;
	assert_true(history_open(&h, 4, 64, &no_prompt, &rules, &err));
	assert_false(state_resume_history(&s, &h, &err));
	assert_int_equal(err.status, STATUS_USAGE);
	assert_non_null(strstr(err.text, "--repeat-last-n: 64: file counts"));
	history_close(&h);
	assert_true(history_open(&h, 4, -1, &no_prompt, &rules, &err));
	assert_true(state_resume_history(&s, &h, &err));
	assert_int_equal(window_count(h.window, 1), 3);
	history_close(&h);
}

static struct sampler *
new_sampler(struct sampling *settings)
{
	struct error err;
	struct sampler *s = sampler_new(settings, 4, 0, &err);

	if (s == NULL)
		fail_msg("%s", err.text);
	return s;
}

static double
next_unit(struct sampler *s, const struct sampling *settings)
{
	return settings->policy->generator->unit(sampler_rng(s));
}

static void
a_generator_goes_on(void **unused)
{
	struct error err;

	(void)unused;
	for (size_t p = 0; policies[p] != NULL; p++) {
		struct sampling settings = {.policy = policies[p],
		    .generator = policies[p]->generator,
		    .seed = 7};
		struct sampler *one = new_sampler(&settings);
		struct sampler *two = new_sampler(&settings);
		struct sampler *fresh = new_sampler(&settings);
		struct state s = {0};

		for (int i = 0; i < 700; i++)
			next_unit(one, &settings);
		assert_true(sampler_remember(one, &s.memory, &err));
		assert_true(state_resume_sampler(&s, two, false, false, &err));
		for (int i = 0; i < 700; i++)
			assert_true(next_unit(one, &settings) ==
			    next_unit(two, &settings));
		/* As the seed says, not as the state does. */
		sampler_free(two);
		two = new_sampler(&settings);
		assert_true(state_resume_sampler(&s, two, true, true, &err));
		assert_true(
		    next_unit(two, &settings) == next_unit(fresh, &settings));
		pairs_free(&s.memory);
		sampler_free(one);
		sampler_free(two);
		sampler_free(fresh);
	}
}

static void
a_mark_is_gone_back_to(void **unused)
{
	struct sampling settings = {
	    .policy = policies[0], .generator = policies[0]->generator};
	struct sampler *s = new_sampler(&settings);
	double unit;

	(void)unused;
	next_unit(s, &settings);
	sampler_mark(s);
	unit = next_unit(s, &settings);
	next_unit(s, &settings);
	sampler_back(s);
	assert_true(next_unit(s, &settings) == unit);
	sampler_free(s);
}

static void
what_could_not_be_read_again_is_refused(void **unused)
{
	struct error err;

	(void)unused;
	assert_true(state_fits("file", 1 << 30, &err));
	assert_false(state_fits("file", (1 << 30) + 1, &err));
	assert_string_equal(err.text,
	    "file: the state has more than 1073741824 bytes: it could not be "
	    "read again");
	assert_int_equal(err.status, STATUS_FAILED);
}

static void
assert_no_memory(
    const char *name, const char *value, bool forced, const char *message)
{
	struct sampling settings = {
	    .policy = policies[0], .generator = policies[0]->generator};
	struct sampler *sampler = new_sampler(&settings);
	static char file[] = "file";
	struct state s = {.file = file};
	struct error err = {STATUS_DONE, ""};

	if (name != NULL)
		assert_true(pairs_add(&s.memory, name, value, 12, &err));
	assert_int_equal(state_resume_sampler(&s, sampler, false, forced, &err),
	    message == NULL);
	if (message != NULL)
		assert_string_equal(err.text, message);
	pairs_free(&s.memory);
	sampler_free(sampler);
}

static void
memories_are_the_sampler_s_own(void **unused)
{
	(void)unused;
	assert_no_memory(
	    "rng", "pcg-dxsm 00112233445566778899aabbccddeeff", false, NULL);
	assert_no_memory("rng", "splitmix64 0011223344556677", false,
	    "file: line 12: sampler rng: 'splitmix64 0011223344556677' is no "
	    "state of pcg-dxsm, with which the golem policy draws");
	assert_no_memory("rng", "pcg-dxsm 0011223344556677", false,
	    "file: line 12: sampler rng: 'pcg-dxsm 0011223344556677' is no "
	    "state of pcg-dxsm, with which the golem policy draws");
	assert_no_memory(
	    "mirostat-mu", "10", false, "file: there is no line 'sampler rng'");
	assert_no_memory(
	    NULL, NULL, false, "file: there is no line 'sampler rng'");
	/* Other settings, forced, may leave a memory without use. */
	assert_no_memory("mirostat-mu", "10", true, NULL);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(what_is_written_is_read),
	    cmocka_unit_test(the_format_is_as_documented),
	    cmocka_unit_test(a_window_goes_on),
	    cmocka_unit_test(the_largest_counts_stay),
	    cmocka_unit_test(counts_fill_no_bounded_window),
	    cmocka_unit_test(a_generator_goes_on),
	    cmocka_unit_test(a_mark_is_gone_back_to),
	    cmocka_unit_test(what_could_not_be_read_again_is_refused),
	    cmocka_unit_test(memories_are_the_sampler_s_own),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
