/* SPDX-License-Identifier: MIT */
/* What an option that does not exist may have been meant to be. */
#include "helper.h"

#include "../../src/cli/suggest.h"
#include "../../src/cli/table.h"

static const char *
suggestion(const char *argument, int letter)
{
	static struct error err;

	assert_false(suggest_option(argument, letter, &err));
	assert_int_equal(err.status, STATUS_USAGE);
	return err.text;
}

static void
assert_means(const char *argument, const char *meant)
{
	char text[64];

	snprintf(text, sizeof(text), "did you mean %s?", meant);
	if (strstr(suggestion(argument, 0), text) == NULL)
		fail_msg(
		    "%s: not %s: %s", argument, meant, suggestion(argument, 0));
}

static void
the_nearest_name_is_suggested(void **state)
{
	(void)state;
	assert_means("--tmep", "--temp");
	assert_means("--tempo", "--temp");
	assert_means("--vocabb", "--vocab");
	assert_means("--tok-p", "--top-p");
	assert_means("--topp", "--top-p");
	assert_means("--repeat-penatly", "--repeat-penalty");
	assert_means("--repeatlastn", "--repeat-last-n");
	assert_means("--TOP-K", "--top-k");
}

/* However far its end is. */
static void
a_name_that_goes_on_is_recognised(void **state)
{
	(void)state;
	assert_means("--temperature", "--temp");
	assert_means("--top-k-of-the-candidates", "--top-k");
	assert_means("--sweep-summary-of-each", "--sweep-summary");
}

static void
a_value_is_no_part_of_the_name(void **state)
{
	(void)state;
	assert_means("--tmep=0.7", "--temp");
	assert_non_null(strstr(suggestion("--tmep=0.7", 0), "--tmep:"));
}

/* One letter of any name wrong. */
static void
one_slip_is_always_recognised(void **state)
{
	char wrong[64], *name = wrong + 2;
	size_t n;

	(void)state;
	for (size_t row = 0; row < option_count; row++) {
		n = strlen(option_table[row].name);
		for (size_t i = 0; i < n; i++) {
			snprintf(wrong, sizeof(wrong), "--%s",
			    option_table[row].name);
			name[i] = '_';
			assert_non_null(
			    strstr(suggestion(wrong, 0), "did you mean --"));
		}
	}
}

static void
an_ambiguous_beginning_shows_its_endings(void **state)
{
	const char *text = suggestion("--repeat", 0);

	(void)state;
	assert_non_null(strstr(text, "--repeat: which of "));
	assert_non_null(strstr(text, "--repeat-last-n"));
	assert_non_null(strstr(text, "--repeat-penalty"));
	assert_null(strstr(text, "--temp"));
	/* All names are more than a message holds. */
	text = suggestion("--=1", 0);
	assert_non_null(strstr(text, "--: which of --vocab, --dtype, "));
	assert_non_null(strstr(text, "--temp, "));
}

/* A guess that is mostly wrong is worse than none. */
static void
nothing_near_points_to_the_help(void **state)
{
	static const char *const far[] = {"--xyzzy", "--foo", "--q",
	    "--a-name-longer-than-any-option-that-there-is"};

	(void)state;
	for (size_t i = 0; i < LENGTH(far); i++)
		if (strstr(suggestion(far[i], 0), "did you mean") != NULL ||
		    strstr(suggestion(far[i], 0), "tokpick --help") == NULL)
			fail_msg("%s", suggestion(far[i], 0));
}

static void
an_unknown_letter_is_shown(void **state)
{
	(void)state;
	assert_non_null(strstr(suggestion("-z", 'z'), "-z: no such option"));
}

/* However long: the name is cut, the rest of the message is not. */
static void
a_huge_name_is_survived(void **state)
{
	char huge[3000];

	(void)state;
	memset(huge, '-', sizeof(huge) - 1);
	huge[sizeof(huge) - 1] = '\0';
	assert_non_null(strstr(suggestion(huge, 0), "tokpick --help"));
	memset(huge + 2, 'x', sizeof(huge) - 3);
	assert_non_null(strstr(suggestion(huge, 0), "tokpick --help"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_nearest_name_is_suggested),
	    cmocka_unit_test(a_name_that_goes_on_is_recognised),
	    cmocka_unit_test(a_value_is_no_part_of_the_name),
	    cmocka_unit_test(one_slip_is_always_recognised),
	    cmocka_unit_test(an_ambiguous_beginning_shows_its_endings),
	    cmocka_unit_test(nothing_near_points_to_the_help),
	    cmocka_unit_test(an_unknown_letter_is_shown),
	    cmocka_unit_test(a_huge_name_is_survived),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
