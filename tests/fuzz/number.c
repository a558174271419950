/* SPDX-License-Identifier: MIT */
/*
 * Any text as a number of each kind: one that is taken is in its range and
 * reads back from what is printed of it.  Any 8 bytes as a float and a double:
 * the shortest text of each is the same number again.
 */
#include "../../src/cli/number.h"
#include "../../src/output/shortest.h"
#include "feed.h"

enum { ROOM = 64 };

static uint64_t
bits_of(double value)
{
	uint64_t bits;

	memcpy(&bits, &value, sizeof(bits));
	return bits;
}

static void
check_float(float value)
{
	char text[SHORTEST], printed[NUMBER_TEXT];
	struct error err;
	float again;

	shortest_float(text, value);
	number_print_float(value, printed);
	EXPECT(number_float(text, 0, 0, &again, "shortest", &err) &&
	        float_bits(again) == float_bits(value),
	    "%a is written %s", (double)value, text);
	EXPECT(number_float(printed, 0, 0, &again, "printed", &err) &&
	        float_bits(again) == float_bits(value),
	    "%a is printed %s", (double)value, printed);
}

static void
check_double(double value)
{
	char text[SHORTEST], printed[NUMBER_TEXT];
	struct error err;
	double again;

	shortest_double(text, value);
	number_print_double(value, printed);
	EXPECT(number_double(text, &again, "shortest", &err) &&
	        bits_of(again) == bits_of(value),
	    "%a is written %s", value, text);
	EXPECT(number_double(printed, &again, "printed", &err) &&
	        bits_of(again) == bits_of(value),
	    "%a is printed %s", value, printed);
}

/* What is refused is told; what is taken is what it was asked to be. */
static void
check_text(const char *text)
{
	struct error err = {0};
	int64_t whole = 0, first = 1, last = 0;
	uint64_t seed;
	double wide;
	float narrow = 0;

	EXPECT(number_int(text, -40, 1000, &whole, "--int", &err) ||
	        err.text[0] != '\0',
	    "no word about '%s'", text);
	EXPECT(whole >= -40 && whole <= 1000, "%lld", (long long)whole);
	if (number_int(text, 0, 0, &whole, "--any", &err) &&
	    strchr(text, '-') == NULL)
		EXPECT(number_seed(text, &seed, "--seed", &err) &&
		        seed == (uint64_t)whole,
		    "'%s' is no seed", text);
	EXPECT(!number_float(text, -1, 1, &narrow, "--float", &err) ||
	        fabsf(narrow) <= 1,
	    "%a", (double)narrow);
	if (number_float(text, 0, 0, &narrow, "--any", &err))
		check_float(narrow);
	if (number_double(text, &wide, "--wide", &err))
		check_double(wide);
	if (number_range(text, &first, &last, "--rows", &err))
		EXPECT(first >= 1 && (last == 0 || last >= first), "%s", text);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct feed f = {data, data + size};
	uint64_t bits = feed_bits(&f, 8);
	char text[ROOM];
	double wide;
	float narrow = float_from_bits((uint32_t)bits);

	memcpy(&wide, &bits, sizeof(wide));
	if (isfinite(narrow))
		check_float(narrow);
	if (isfinite(wide))
		check_double(wide);
	size = size < ROOM ? size : ROOM - 1;
	if (size > 0)
		memcpy(text, data, size);
	text[size] = '\0';
	check_text(text);
	return 0;
}
