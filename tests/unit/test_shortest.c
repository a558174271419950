/* SPDX-License-Identifier: MIT */
/* Decimal numbers: as few digits as read back the same, and no fewer. */
#include "helper.h"

#include "../../src/output/shortest.h"

static double
double_from_bits(uint64_t bits)
{
	double value;

	memcpy(&value, &bits, sizeof(value));
	return value;
}

static size_t
count_digits(const char *text)
{
	size_t digits = 0, zeros = 0;

	for (; *text != '\0' && *text != 'e'; text++) {
		if (*text < '0' || *text > '9')
			continue;
		/* Those before the first and behind the last don't count. */
		if (*text == '0')
			zeros += digits > 0;
		else {
			digits += zeros + 1;
			zeros = 0;
		}
	}
	return digits;
}

/* The plain search, from one digit on. */

static size_t
digits_of_float(float value)
{
	char text[64];
	int digits = 0;

	do
		snprintf(text, sizeof(text), "%.*g", ++digits, (double)value);
	while (
	    strtof(text, NULL) != value || (float)strtod(text, NULL) != value);
	return count_digits(text);
}

static size_t
digits_of_double(double value)
{
	char text[64];
	int digits = 0;

	do
		snprintf(text, sizeof(text), "%.*g", ++digits, value);
	while (strtod(text, NULL) != value);
	return count_digits(text);
}

static void
check_float(float value)
{
	char text[SHORTEST];

	shortest_float(text, value);
	assert_true(strlen(text) < SHORTEST);
	if (strtof(text, NULL) != value || (float)strtod(text, NULL) != value ||
	    count_digits(text) != digits_of_float(value))
		fail_msg("%a is %s", (double)value, text);
}

static void
check_double(double value)
{
	char text[SHORTEST];

	shortest_double(text, value);
	assert_true(strlen(text) < SHORTEST);
	if (strtod(text, NULL) != value ||
	    count_digits(text) != digits_of_double(value))
		fail_msg("%a is %s", value, text);
}

static void
floats_of_any_bits(void **state)
{
	uint64_t random = 1;
	float value;

	(void)state;
	for (size_t i = scaled(100000); i > 0; i--) {
		value = float_from_bits((uint32_t)random_bits(&random));
		if (isfinite(value))
			check_float(value);
	}
}

static void
doubles_of_any_bits(void **state)
{
	uint64_t random = 2;
	double value;

	(void)state;
	for (size_t i = scaled(100000); i > 0; i--) {
		value = double_from_bits(random_bits(&random));
		if (isfinite(value))
			check_double(value);
	}
}

/* Denormals have few bits, and so do numbers that a person would write. */
static void
numbers_of_few_digits(void **state)
{
	uint64_t random = 3;
	char text[64];

	(void)state;
	for (size_t i = scaled(100000); i > 0; i--) {
		check_float(float_from_bits(
		    (uint32_t)random_bits(&random) & 0x807fffff));
		check_double(double_from_bits(
		    random_bits(&random) & UINT64_C(0x800fffffffffffff)));
		snprintf(text, sizeof(text), "%ue%d",
		    (unsigned)random_below(&random, 100000),
		    (int)random_below(&random, 40) - 20);
		check_float(strtof(text, NULL));
		check_double(strtod(text, NULL));
	}
}

/*
 * This text is so near to the middle between two floats that its double is
 * the middle, and would be rounded to the other one.
 */
static void
readers_by_way_of_a_double_get_the_float_too(void **state)
{
	float value = strtof("7.038531e-26", NULL);
	char text[SHORTEST];

	(void)state;
	assert_true((float)strtod("7.038531e-26", NULL) != value);
	shortest_float(text, value);
	assert_true(strtof(text, NULL) == value);
	assert_true((float)strtod(text, NULL) == value);
	assert_int_equal(count_digits(text), 8);
}

static void
powers_of_two_and_their_neighbours(void **state)
{
	(void)state;
	for (uint32_t e = 0; e < 255; e++)
		for (uint32_t near = 0; near < 3; near++)
			check_float(
			    float_from_bits((e << 23) + near - (e > 0)));
	for (uint64_t e = 0; e < 2047; e++)
		for (uint64_t near = 0; near < 3; near++)
			check_double(
			    double_from_bits((e << 52) + near - (e > 0)));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(floats_of_any_bits),
	    cmocka_unit_test(doubles_of_any_bits),
	    cmocka_unit_test(numbers_of_few_digits),
	    cmocka_unit_test(readers_by_way_of_a_double_get_the_float_too),
	    cmocka_unit_test(powers_of_two_and_their_neighbours),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
