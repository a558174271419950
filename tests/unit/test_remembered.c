/* SPDX-License-Identifier: MIT */
/* What a sampler remembers from row to row: its names, its texts, and back. */
#include "made.h"

#include "../../src/pairs.h"

enum { VOCAB = 8 };

/* Draw from a row that is like the others, but for its number. */
static uint32_t
next_id(struct made *m)
{
	static const float logits[VOCAB] = {1, 0.5f, 0.75f, 0, 1.25f, 0.25f};
	struct row row = {.number = ++m->rows, .size = VOCAB, .logits = logits};
	struct decision d;
	struct error err;

	row.step = row.number;
	if (!pick(m->sampler, &row, m->window, &d, &err))
		fail_msg("%s", err.text);
	sampler_accept(m->sampler, &d);
	join(m, d.id);
	return d.id;
}

static struct pairs
remembered(const struct made *m)
{
	struct pairs all = {0};
	struct error err;

	assert_true(sampler_remember(m->sampler, &all, &err));
	return all;
}

/* Take back a value; false with the message where it is refused. */
static bool
recall(struct made *m, const char *name, const char *value, char *why)
{
	char a[32], b[256];
	struct pair pair = {a, b, 0};
	struct error err = {0};
	bool good;

	snprintf(a, sizeof(a), "%s", name);
	snprintf(b, sizeof(b), "%s", value);
	good = sampler_recall(m->sampler, &pair, false, &err);
	strcpy(why, good ? "" : err.text);
	return good;
}

static void
assert_names(const char *settings, const char *expected)
{
	char names[256] = "";
	struct pairs all;
	struct made m;

	make(&m, VOCAB, 0, settings);
	all = remembered(&m);
	for (size_t i = 0; i < all.size; i++) {
		strcat(names, all.list[i].name);
		strcat(names, " ");
	}
	assert_string_equal(names, expected);
	pairs_free(&all);
	unmake(&m);
}

#define LLAMA "--policy llama.cpp "
#define XTC LLAMA "--xtc-probability 0.5 --xtc-threshold 0.1 "
#define DRY LLAMA "--dry-multiplier 1 --dry-penalty-last-n 5 "
#define ADAPTIVE                                                     \
	LLAMA "--samplers 'top_k;adaptive_p' --adaptive-target 0.5 " \
	      "--adaptive-decay 0.5 "

static void
what_is_in_use_is_remembered(void **state)
{
	(void)state;
	assert_names("--policy golem", "rng ");
	assert_names("--policy strict", "rng ");
	assert_names(LLAMA, "rng ");
	assert_names(LLAMA "--stream row", "rng ");
	assert_names(XTC, "rng xtc-rng ");
	assert_names(LLAMA "--xtc-probability 0 --xtc-threshold 0.1", "rng ");
	assert_names(LLAMA "--xtc-probability 1 --xtc-threshold 0.6", "rng ");
	assert_names(XTC "--samplers top_k", "rng ");
	assert_names(LLAMA "--mirostat 1", "rng mirostat-mu ");
	assert_names(LLAMA "--mirostat 2", "rng mirostat-mu ");
	assert_names(ADAPTIVE, "rng adaptive-sums ");
	assert_names(DRY, "rng dry ");
	assert_names(LLAMA "--dry-multiplier 1 --dry-penalty-last-n 0", "rng ");
	assert_names(DRY "--samplers top_k", "rng ");
}

/* The value of that name, which must be there. */
static const char *
value_of(const struct pairs *all, const char *name)
{
	const struct pair *pair = pairs_find(all, name);

	assert_non_null(pair);
	return pair->value;
}

static void
assert_value(struct made *m, const char *name, const char *expected)
{
	struct pairs all = remembered(m);

	assert_string_equal(value_of(&all, name), expected);
	pairs_free(&all);
}

static void
values_are_as_the_manual_says(void **state)
{
	struct made m;

	(void)state;
	make(&m, VOCAB, 0, "--policy golem --seed 1");
	assert_value(&m, "rng", "pcg-dxsm 00000000000000019e3779b97f4a7c14");
	unmake(&m);
	make(&m, VOCAB, 0, "--policy strict --seed 255");
	assert_value(&m, "rng", "splitmix64 00000000000000ff");
	unmake(&m);
	make(&m, VOCAB, 0, "--policy golem --stream row --seed 171");
	assert_value(&m, "rng", "philox4x32-10 00000000000000ab");
	unmake(&m);
	make(&m, VOCAB, 0, LLAMA "--mirostat 2 --mirostat-ent 3");
	assert_value(&m, "mirostat-mu", "6");
	unmake(&m);
	make(&m, VOCAB, 0, ADAPTIVE);
	assert_value(&m, "adaptive-sums", "1 2");
	unmake(&m);
	make(&m, VOCAB, 0, DRY);
	assert_value(&m, "dry", "");
	sampler_join(m.sampler, 3);
	assert_value(&m, "dry", "3");
	sampler_join(m.sampler, 2147483647);
	for (uint32_t id = 4; id < 9; id++)
		sampler_join(m.sampler, id);
	assert_value(&m, "dry", "4 5 6 7 8");
	sampler_join(m.sampler, 2147483647);
	assert_value(&m, "dry", "5 6 7 8 2147483647");
	unmake(&m);
}

/* From the same memory on, the same ids come and the same is remembered. */
static void
assert_goes_on(const char *settings)
{
	struct made one, two;
	struct pairs all, after, others;
	struct error err;

	make(&one, VOCAB, 0, settings);
	make(&two, VOCAB, 0, settings);
	for (int i = 0; i < 20; i++)
		next_id(&one);
	all = remembered(&one);
	two.rows = one.rows;
	for (size_t i = 0; i < window_size(one.window); i++)
		assert_true(
		    window_add(two.window, window_at(one.window, i), &err));
	for (size_t i = 0; i < all.size; i++)
		if (!sampler_recall(two.sampler, &all.list[i], false, &err))
			fail_msg("%s: %s", all.list[i].name, err.text);
	for (int i = 0; i < 200; i++)
		assert_int_equal(next_id(&two), next_id(&one));
	after = remembered(&one);
	others = remembered(&two);
	assert_int_equal(after.size, others.size);
	for (size_t i = 0; i < after.size; i++)
		assert_string_equal(after.list[i].value, others.list[i].value);
	pairs_free(&all);
	pairs_free(&after);
	pairs_free(&others);
	unmake(&one);
	unmake(&two);
}

static void
a_sampler_goes_on_from_another_s_memory(void **state)
{
	(void)state;
	assert_goes_on("--policy golem --seed 5");
	assert_goes_on("--policy golem --seed 5 --stream row");
	assert_goes_on(LLAMA "--seed 6");
	assert_goes_on(XTC "--seed 7");
	assert_goes_on(XTC "--seed 7 --stream row");
	assert_goes_on(LLAMA "--mirostat 1 --seed 8");
	assert_goes_on(LLAMA "--mirostat 2 --seed 9 --mirostat-ent 1.5");
	assert_goes_on(ADAPTIVE "--seed 10");
	assert_goes_on(DRY "--seed 11 --dry-allowed-length 1");
}

static void
assert_recalled(struct made *m, const char *name, const char *value)
{
	char why[sizeof(((struct error *)0)->text)];

	if (!recall(m, name, value, why))
		fail_msg("%s %s: %s", name, value, why);
	assert_value(m, name, value);
}

static void
assert_refused(
    struct made *m, const char *name, const char *value, const char *message)
{
	char why[sizeof(((struct error *)0)->text)];

	if (recall(m, name, value, why))
		fail_msg("%s '%s' is taken", name, value);
	assert_string_equal(why, message);
}

static void
numbers_are_read_whole(void **state)
{
	struct made m;

	(void)state;
	make(&m, VOCAB, 0, LLAMA "--mirostat 2");
	assert_recalled(&m, "mirostat-mu", "3.40282347e+38");
	assert_recalled(&m, "mirostat-mu", "-1.40129846e-45");
	assert_recalled(&m, "mirostat-mu", "inf");
	assert_recalled(&m, "mirostat-mu", "0.100000001");
	assert_refused(&m, "mirostat-mu", "", "'' is not a number");
	assert_refused(&m, "mirostat-mu", "x", "'x' is not a number");
	assert_refused(&m, "mirostat-mu", "1x", "'1x' is not a number");
	assert_refused(&m, "mirostat-mu", "1 2", "'1 2' is not a number");
	assert_recalled(&m, "mirostat-mu", "nan");
	unmake(&m);
	make(&m, VOCAB, 0, ADAPTIVE);
	assert_recalled(&m, "adaptive-sums", "0.25 -3");
	assert_refused(
	    &m, "adaptive-sums", "0.25", "'0.25' is not two numbers");
	assert_refused(
	    &m, "adaptive-sums", "0.25 ", "'0.25 ' is not two numbers");
	assert_refused(&m, "adaptive-sums", "1,2", "'1,2' is not two numbers");
	assert_refused(
	    &m, "adaptive-sums", "1 2 3", "'1 2 3' is not two numbers");
	assert_recalled(&m, "adaptive-sums", "nan 2");
	assert_refused(&m, "adaptive-sums", " 2", "' 2' is not two numbers");
	assert_refused(&m, "adaptive-sums", "", "'' is not two numbers");
	unmake(&m);
}

static void
ids_are_read_whole(void **state)
{
	struct made m;

	(void)state;
	make(&m, VOCAB, 0, DRY);
	assert_recalled(&m, "dry", "");
	assert_recalled(&m, "dry", "0 2147483647 9");
	unmake(&m);
	make(&m, VOCAB, 0, DRY);
	assert_refused(&m, "dry", "x", "'x' is no id of 0 to 2147483647");
	assert_refused(&m, "dry", "1 ", "'1 ' is no id of 0 to 2147483647");
	assert_refused(&m, "dry", "-1", "'-1' is no id of 0 to 2147483647");
	assert_refused(&m, "dry", "+1", "'+1' is no id of 0 to 2147483647");
	assert_refused(&m, "dry", " 1", "' 1' is no id of 0 to 2147483647");
	assert_refused(&m, "dry", "1,2", "'1,2' is no id of 0 to 2147483647");
	assert_refused(&m, "dry", "/", "'/' is no id of 0 to 2147483647");
	assert_refused(&m, "dry", ":", "':' is no id of 0 to 2147483647");
	assert_refused(&m, "dry", "7 2147483648",
	    "'2147483648' is no id of 0 to 2147483647");
	unmake(&m);
}

static void
states_of_generators_are_read_whole(void **state)
{
	struct made m;

	(void)state;
	make(&m, VOCAB, 0, "--policy strict");
	assert_recalled(&m, "rng", "splitmix64 0123456789abcdef");
	assert_refused(&m, "rng", "splitmix6 0123456789abcdef",
	    "'splitmix6 0123456789abcdef' is no state of splitmix64, with "
	    "which the strict policy draws");
	assert_refused(&m, "rng", "splitmix64_0123456789abcdef",
	    "'splitmix64_0123456789abcdef' is no state of splitmix64, with "
	    "which the strict policy draws");
	assert_refused(&m, "rng", "splitmix64 0123456789abcdeg",
	    "'splitmix64 0123456789abcdeg' is no state of splitmix64, with "
	    "which the strict policy draws");
	assert_refused(&m, "rng", "splitmix64 0123456789abcdef0",
	    "'splitmix64 0123456789abcdef0' is no state of splitmix64, with "
	    "which the strict policy draws");
	unmake(&m);
}

/* A new seed starts generators, and leaves numbers as they were. */
static void
a_seed_goes_before_a_state(void **state)
{
	static char rng[] = "rng", coin[] = "xtc-rng", any[] = "any text";
	static char dry[] = "dry", ids[] = "1 2";
	const struct pair pairs[] = {{rng, any, 0}, {coin, any, 0}};
	const struct pair number = {dry, ids, 0}, no_number = {dry, any, 0};
	struct pairs before, after;
	struct error err;
	struct made m;

	(void)state;
	make(&m, VOCAB, 0, XTC "--seed 3 --dry-multiplier 1");
	before = remembered(&m);
	for (size_t i = 0; i < LENGTH(pairs); i++)
		assert_true(sampler_recall(m.sampler, &pairs[i], true, &err));
	assert_true(sampler_recall(m.sampler, &number, true, &err));
	assert_false(sampler_recall(m.sampler, &no_number, true, &err));
	after = remembered(&m);
	assert_string_equal(value_of(&before, rng), value_of(&after, rng));
	assert_string_equal(value_of(&before, coin), value_of(&after, coin));
	assert_string_equal(value_of(&after, dry), ids);
	pairs_free(&before);
	pairs_free(&after);
	unmake(&m);
}

/* Nothing is left of a row that is drawn from and not accepted. */
static void
assert_marked(const char *settings)
{
	struct pairs before, after;
	struct made m;

	make(&m, VOCAB, 0, settings);
	for (int i = 0; i < 10; i++)
		next_id(&m);
	sampler_mark(m.sampler);
	before = remembered(&m);
	next_id(&m);
	sampler_back(m.sampler);
	after = remembered(&m);
	for (size_t i = 0; i < before.size; i++)
		if (strcmp(before.list[i].name, "dry") != 0)
			assert_string_equal(
			    before.list[i].value, after.list[i].value);
	pairs_free(&before);
	pairs_free(&after);
	unmake(&m);
}

static void
a_mark_is_gone_back_to(void **state)
{
	(void)state;
	assert_marked("--policy golem");
	assert_marked("--policy golem --stream row");
	assert_marked(XTC "--temp 2");
	assert_marked(XTC "--stream row");
	assert_marked(LLAMA "--mirostat 1");
	assert_marked(LLAMA "--mirostat 2");
	assert_marked(ADAPTIVE);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(what_is_in_use_is_remembered),
	    cmocka_unit_test(values_are_as_the_manual_says),
	    cmocka_unit_test(a_sampler_goes_on_from_another_s_memory),
	    cmocka_unit_test(numbers_are_read_whole),
	    cmocka_unit_test(ids_are_read_whole),
	    cmocka_unit_test(states_of_generators_are_read_whole),
	    cmocka_unit_test(a_seed_goes_before_a_state),
	    cmocka_unit_test(a_mark_is_gone_back_to),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
