/* SPDX-License-Identifier: MIT */
/* Masks in step with the rows, those of rows passed over included. */
#include "helper.h"

#include "../../src/constraint/mask.h"

enum { VOCAB = 40, WORDS = 2, MASKS = 5, MAX_WINDOW = 27 };

/* Masks of which each has its number in both words; the caller's to close. */
static struct mask *
open_masks(char path[PATH_ROOM])
{
	unsigned char bytes[MASKS * WORDS * 4] = {0};
	struct mask *m;
	struct error err;

	for (unsigned i = 0; i < MASKS * WORDS; i++)
		bytes[4 * i] = (unsigned char)(i / WORDS);
	make_file(path, bytes, sizeof(bytes));
	m = mask_open(path, VOCAB, MAX_WINDOW, NULL, &err);
	assert_non_null(m);
	return m;
}

/* So many are passed over; are those from there on the next? */
static void
check_from(uint64_t skipped)
{
	char path[PATH_ROOM];
	struct mask *m = open_masks(path);
	const uint32_t *words;
	struct error err;

	assert_true(mask_skip(m, skipped, &err));
	for (uint64_t i = skipped; i < MASKS; i++) {
		assert_true(mask_next(m, i + 1, &words, &err));
		assert_int_equal(words[0], i);
		assert_int_equal(words[1], i);
	}
	assert_false(mask_next(m, MASKS + 1, &words, &err));
	assert_int_equal(err.status, STATUS_FAILED);
	assert_non_null(strstr(
	    err.text, " ends after 0 of the 8 bytes of the mask for row 6: "));
	mask_close(m);
	unlink(path);
}

static void
masks_are_passed_over_with_their_rows(void **state)
{
	(void)state;
	for (uint64_t skipped = 0; skipped <= MASKS; skipped++)
		check_from(skipped);
}

/* More of them than have bytes that can be counted. */
static void
no_number_of_masks_leads_back_to_the_first(void **state)
{
	(void)state;
	check_from(UINT64_MAX);
	check_from(UINT64_MAX / 8 + 1);
	check_from(UINT64_MAX / 8 + 3);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(masks_are_passed_over_with_their_rows),
	    cmocka_unit_test(no_number_of_masks_leads_back_to_the_first),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
