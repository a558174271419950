/* SPDX-License-Identifier: MIT */
/* Philox4x32-10 against the answers that its authors give. */
#include "../../src/sampler/rng.h"
#include "helper.h"

struct answer {
	uint32_t counter[4];
	uint64_t key;
	uint32_t block[4];
};

static void
its_blocks_are_the_known_ones(void **state)
{
	static const struct answer answers[] = {
	    {{0, 0, 0, 0}, 0, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
	    {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
	        0xffffffffffffffff,
	        {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
	    {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
	        0x299f31d0a4093822,
	        {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
	};
	uint32_t block[4];

	(void)state;
	for (size_t i = 0; i < sizeof(answers) / sizeof(answers[0]); i++) {
		philox_block(answers[i].counter, answers[i].key, block);
		assert_memory_equal(block, answers[i].block, sizeof(block));
	}
}

/* Row, sequence and purpose stand in the counter, in this order. */
static void
a_number_is_a_function_of_its_place(void **state)
{
	struct rng rng;
	uint32_t block[4];
	const uint32_t counter[4] = {5, 1, 7, 2};
	uint64_t bits;

	(void)state;
	generator_philox.seed(&rng, 99);
	rng.low = (UINT64_C(1) << 32) + 5;
	rng.sequence = 7;
	rng.purpose = 2;
	philox_block(counter, 99, block);
	bits = block[0] | (uint64_t)block[1] << 32;
	assert_true(generator_philox.next(&rng) == bits);
	assert_true(generator_philox.next(&rng) == bits);
	assert_true(
	    generator_philox.unit(&rng) == (double)(bits >> 11) * 0x1p-53);
	assert_true(
	    generator_philox.coin(&rng) == (float)generator_philox.unit(&rng));
}

/* The nearest float to this number would be 1. */
static void
a_coin_is_below_1(void **state)
{
	struct rng rng = {.high = 1, .low = 37492293, .purpose = PURPOSE_COIN};

	(void)state;
	assert_true((float)generator_philox.unit(&rng) == 1);
	assert_true(generator_philox.coin(&rng) == 1 - 0x1p-24f);
}

static void
its_state_is_the_seed(void **state)
{
	char text[RNG_TEXT];
	struct rng rng, again;

	(void)state;
	generator_philox.seed(&rng, 0x123456789abcdef0);
	rng_print(&generator_philox, &rng, text);
	assert_string_equal(text, "123456789abcdef0");
	assert_true(rng_parse(&generator_philox, text, &again));
	assert_true(again.high == rng.high);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(its_blocks_are_the_known_ones),
	    cmocka_unit_test(a_number_is_a_function_of_its_place),
	    cmocka_unit_test(a_coin_is_below_1),
	    cmocka_unit_test(its_state_is_the_seed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
