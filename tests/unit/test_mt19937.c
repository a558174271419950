/* SPDX-License-Identifier: MIT */
/* mt19937: known answers, the ends of its units, its state as a text. */
#include "helper.h"

#include "../../src/sampler/rng.h"

/* Words as the C++ standard describes them, one at a time. */
struct plain_mt {
	uint32_t x[MT_WORDS];
	size_t at;
};

static void
plain_seed(struct plain_mt *mt, uint32_t seed)
{
	mt->x[0] = seed;
	for (uint32_t i = 1; i < MT_WORDS; i++)
		mt->x[i] = UINT32_C(1812433253) *
		        (mt->x[i - 1] ^ (mt->x[i - 1] >> 30)) +
		    i;
	mt->at = 0;
}

static uint32_t
plain_word(struct plain_mt *mt)
{
	size_t i = mt->at, next = (i + 1) % MT_WORDS;
	uint32_t y, z;

	y = (mt->x[i] & UINT32_C(0x80000000)) |
	    (mt->x[next] & UINT32_C(0x7fffffff));
	z = mt->x[(i + 397) % MT_WORDS] ^ (y >> 1);
	if (y % 2 == 1)
		z ^= UINT32_C(0x9908b0df);
	mt->x[i] = z;
	mt->at = next;
	z ^= z >> 11;
	z ^= (z << 7) & UINT32_C(0x9d2c5680);
	z ^= (z << 15) & UINT32_C(0xefc60000);
	return z ^ (z >> 18);
}

/* The word of a state that comes out as y: tempering taken back. */
static uint32_t
untemper(uint32_t y)
{
	uint32_t x;

	y ^= y >> 18;
	y ^= (y << 15) & UINT32_C(0xefc60000);
	/* Each turn makes 7, then 11 more bits right. */
	x = y;
	for (int turn = 0; turn < 5; turn++)
		x = y ^ ((x << 7) & UINT32_C(0x9d2c5680));
	y = x;
	for (int turn = 0; turn < 3; turn++)
		x = y ^ (x >> 11);
	return x;
}

/* A generator that gives these two words next. */
static struct rng
about_to_give(uint32_t first, uint32_t second)
{
	struct rng rng;

	generator_mt19937.seed(&rng, 1);
	rng.mt.used = 0;
	rng.mt.word[0] = untemper(first);
	rng.mt.word[1] = untemper(second);
	return rng;
}

static uint32_t
nth_word(uint64_t seed, size_t n)
{
	struct rng rng;
	uint64_t pair = 0;

	generator_mt19937.seed(&rng, seed);
	for (size_t i = 0; i < n; i += 2)
		pair = generator_mt19937.next(&rng);
	return (uint32_t)(n % 2 == 1 ? pair : pair >> 32);
}

/* The 10000th is the one that the C++ standard names. */
static void
known_words_come(void **state)
{
	(void)state;
	assert_int_equal(nth_word(5489, 1), 3499211612);
	assert_int_equal(nth_word(5489, 10000), 4123659995);
	assert_int_equal(nth_word(1, 1), 1791095845);
	assert_int_equal(nth_word(1, 2), 4282876139);
}

static void
known_units_come(void **state)
{
	static const struct {
		uint64_t seed;
		double unit;
	} known[] = {
	    {0, 0.59284461651668263},
	    {1, 0.99718480823026556},
	    {42, 0.79654298428784598},
	};
	struct rng rng;

	(void)state;
	for (size_t i = 0; i < LENGTH(known); i++) {
		generator_mt19937.seed(&rng, known[i].seed);
		assert_true(generator_mt19937.unit(&rng) == known[i].unit);
	}
	assert_true(generator_mt19937.unit(&rng) == 0.18343478789336848);
	generator_mt19937.seed(&rng, 42);
	assert_true(generator_mt19937.coin(&rng) == 0.37454012f);
	assert_true(generator_mt19937.coin(&rng) == 0.79654300f);
}

static float
plain_unit_float(struct plain_mt *mt)
{
	float unit = (float)plain_word(mt) / 0x1p32f;

	return unit < 1 ? unit : 0x1.fffffep-1f;
}

/* Across several blocks of words, whichever way they are asked for. */
static void
words_are_those_of_the_standard(void **state)
{
	uint64_t random = 3, pair;
	struct plain_mt plain;
	struct rng rng;
	uint32_t seed;

	(void)state;
	for (size_t i = scaled(300); i > 0; i--) {
		seed = (uint32_t)random_bits(&random);
		plain_seed(&plain, seed);
		generator_mt19937.seed(&rng, seed);
		for (size_t n = random_below(&random, 3000); n > 0; n--) {
			if (one_in(&random, 3)) {
				assert_true(generator_mt19937.coin(&rng) ==
				    plain_unit_float(&plain));
				continue;
			}
			pair = plain_word(&plain);
			pair |= (uint64_t)plain_word(&plain) << 32;
			assert_true(generator_mt19937.next(&rng) == pair);
		}
	}
}

static void
a_unit_is_its_words_over_2_to_64(void **state)
{
	uint64_t random = 4, pair;
	struct rng rng, copy;
	double unit, least = 1, most = 0;

	(void)state;
	generator_mt19937.seed(&rng, random);
	for (size_t i = scaled(100000); i > 0; i--) {
		copy = rng;
		pair = generator_mt19937.next(&copy);
		unit = generator_mt19937.unit(&rng);
		assert_true(unit == (double)pair / 0x1p64);
		least = unit < least ? unit : least;
		most = unit > most ? unit : most;
	}
	assert_true(least < 0.01 && most > 0.99);
}

static void
check_unit(uint32_t first, uint32_t second, double expected)
{
	struct rng rng = about_to_give(first, second);
	double unit = generator_mt19937.unit(&rng);

	if (unit != expected)
		fail_msg(
		    "%08x %08x: %a, not %a", first, second, unit, expected);
	assert_int_equal(rng.mt.used, 2);
}

/* The first word is the low one; only the sum of both is rounded. */
static void
a_unit_is_rounded_once_and_stays_below_1(void **state)
{
	(void)state;
	check_unit(0, 0, 0);
	check_unit(1, 0, 0x1p-64);
	check_unit(0, 1, 0x1p-32);
	check_unit(0, 0x80000000, 0.5);
	/* Half a step above 0.5 goes to the even one, more goes up. */
	check_unit(0x400, 0x80000000, 0.5);
	check_unit(0x401, 0x80000000, 0.5 + 0x1p-53);
	check_unit(0xc00, 0x80000000, 0.5 + 0x1p-52);
	check_unit(0xbff, 0x80000000, 0.5 + 0x1p-53);
	/* What rounds to 1 becomes the number just below. */
	check_unit(0xfffffbff, 0xffffffff, 1 - 0x1p-53);
	check_unit(0xfffffc00, 0xffffffff, 1 - 0x1p-53);
	check_unit(0xffffffff, 0xffffffff, 1 - 0x1p-53);
	check_unit(0xfffff3ff, 0xffffffff, 1 - 0x1p-52);
}

static void
check_unit_float(uint32_t word, float expected)
{
	struct rng rng = about_to_give(word, 0);
	float unit = generator_mt19937.coin(&rng);

	if (unit != expected)
		fail_msg(
		    "%08x: %a, not %a", word, (double)unit, (double)expected);
	assert_int_equal(rng.mt.used, 1);
}

static void
a_float_unit_is_rounded_once_and_stays_below_1(void **state)
{
	(void)state;
	check_unit_float(0, 0);
	check_unit_float(1, 0x1p-32f);
	check_unit_float(0x80000000, 0.5f);
	check_unit_float(0x80000080, 0.5f);
	check_unit_float(0x80000081, 0.5f + 0x1p-24f);
	check_unit_float(0x80000180, 0.5f + 0x1p-23f);
	check_unit_float(0xfffffe7f, 1 - 0x1p-23f);
	check_unit_float(0xffffff7f, 1 - 0x1p-24f);
	check_unit_float(0xffffff80, 1 - 0x1p-24f);
	check_unit_float(0xffffffff, 1 - 0x1p-24f);
}

static void
draw_on(struct rng *rng, size_t words)
{
	for (size_t i = 0; i < words; i++)
		generator_mt19937.coin(rng);
}

/* Wherever in its block of words the generator stands. */
static void
a_state_goes_through_a_text(void **state)
{
	char text[RNG_TEXT], again[RNG_TEXT];
	uint64_t random = 5;
	struct rng rng, copy;

	(void)state;
	for (size_t words = 0; words <= 2 * MT_WORDS + 1; words++) {
		generator_mt19937.seed(&rng, random_bits(&random));
		draw_on(&rng, words);
		rng_print(&generator_mt19937, &rng, text);
		assert_int_equal(strlen(text), 8 * (MT_WORDS + 1));
		assert_int_equal(strlen(text), generator_mt19937.digits);
		memset(&copy, 0xff, sizeof(copy));
		assert_true(rng_parse(&generator_mt19937, text, &copy));
		rng_print(&generator_mt19937, &copy, again);
		assert_string_equal(again, text);
		for (size_t i = 0; i < MT_WORDS + 1; i++)
			assert_true(generator_mt19937.next(&rng) ==
			    generator_mt19937.next(&copy));
	}
}

/* The words in order, 8 digits each, then how many of them are used. */
static void
a_text_is_the_words_and_how_many_are_used(void **state)
{
	char text[RNG_TEXT], word[16];
	struct plain_mt plain;
	struct rng rng;

	(void)state;
	plain_seed(&plain, 77);
	generator_mt19937.seed(&rng, 77);
	rng_print(&generator_mt19937, &rng, text);
	for (size_t i = 0; i <= MT_WORDS; i++) {
		snprintf(word, sizeof(word), "%08x",
		    i < MT_WORDS ? plain.x[i] : MT_WORDS);
		assert_memory_equal(text + 8 * i, word, 8);
	}
	draw_on(&rng, 10);
	rng_print(&generator_mt19937, &rng, text);
	assert_string_equal(text + 8 * MT_WORDS, "0000000a");
}

static void
set_used(char *text, const char *used)
{
	memcpy(text + 8 * MT_WORDS, used, 8);
}

static void
what_is_no_state_is_refused(void **state)
{
	const struct generator *g = &generator_mt19937;
	char text[RNG_TEXT + 1];
	struct rng rng;

	(void)state;
	g->seed(&rng, 1);
	rng_print(g, &rng, text);
	set_used(text, "00000270"); /* 624 */
	assert_true(rng_parse(g, text, &rng));
	set_used(text, "00000000");
	assert_true(rng_parse(g, text, &rng));
	set_used(text, "00000271");
	assert_false(rng_parse(g, text, &rng));
	set_used(text, "ffffffff");
	assert_false(rng_parse(g, text, &rng));
	set_used(text, "0000000A");
	assert_true(rng_parse(g, text, &rng));
	strcat(text, "0");
	assert_false(rng_parse(g, text, &rng));
	text[8 * MT_WORDS + 7] = '\0';
	assert_false(rng_parse(g, text, &rng));
	assert_false(rng_parse(g, "", &rng));
	set_used(text, "0000000 ");
	assert_false(rng_parse(g, text, &rng));
	set_used(text, "0x00000a");
	assert_false(rng_parse(g, text, &rng));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(known_words_come),
	    cmocka_unit_test(known_units_come),
	    cmocka_unit_test(words_are_those_of_the_standard),
	    cmocka_unit_test(a_unit_is_its_words_over_2_to_64),
	    cmocka_unit_test(a_unit_is_rounded_once_and_stays_below_1),
	    cmocka_unit_test(a_float_unit_is_rounded_once_and_stays_below_1),
	    cmocka_unit_test(a_state_goes_through_a_text),
	    cmocka_unit_test(a_text_is_the_words_and_how_many_are_used),
	    cmocka_unit_test(what_is_no_state_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
