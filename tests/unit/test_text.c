/* SPDX-License-Identifier: MIT */
/* What grows: arrays, and texts up to their caps. */
#include "helper.h"

#include "../../src/array.h"
#include "../../src/text.h"

static void
an_array_grows_and_keeps_what_it_has(void **state)
{
	uint64_t *list = NULL;
	size_t room = 0, before;

	(void)state;
	for (size_t n = 1; n <= 1000; n++) {
		before = room;
		assert_true(array_room(&list, &room, n, sizeof(*list)));
		if (n <= before)
			assert_int_equal(room, before);
		else
			assert_true(room >= n && room >= before + before / 2);
		list[n - 1] = n;
	}
	for (size_t n = 1; n <= 1000; n++)
		assert_int_equal(list[n - 1], n);
	assert_true(array_room(&list, &room, 1000000, sizeof(*list)));
	assert_int_equal(room, 1000000);
	free(list);
}

static void
an_array_of_more_bytes_than_can_be_counted_is_refused(void **state)
{
	uint64_t *list = NULL;
	size_t room = 0;

	(void)state;
	assert_true(array_room(&list, &room, 1, sizeof(*list)));
	room = 16;
	assert_false(array_room(&list, &room, SIZE_MAX / 8 + 2, 8));
	assert_false(array_room(&list, &room, SIZE_MAX, 1));
	assert_null(array_new(SIZE_MAX / 8 + 2, 8)); /* 8, if it were cut */
	assert_int_equal(room, 16);
	list[15] = 1;
	free(list);
}

static void
a_text_is_what_was_added(void **state)
{
	struct text t = {0};

	(void)state;
	text_add(&t, "", 0);
	assert_string_equal(t.bytes, "");
	text_add(&t, "one", 2);
	text_print(&t, "-%d-%s", 12, "three");
	assert_string_equal(t.bytes, "on-12-three");
	assert_int_equal(t.size, 11);
	assert_false(t.full || t.lost);
	free(t.bytes);
}

static void
a_text_does_not_pass_its_cap(void **state)
{
	struct text t = {.cap = 5};

	(void)state;
	text_add(&t, "five!", 5);
	assert_false(t.full);
	text_add(&t, "", 0);
	assert_false(t.full);
	text_add(&t, "6", 1);
	assert_true(t.full);
	/* What would fit comes too late. */
	t.size = 0;
	text_add(&t, "a", 1);
	assert_int_equal(t.size, 0);
	free(t.bytes);
}

static void
a_text_without_a_cap_has_the_usual_one(void **state)
{
	char *bytes = calloc(TEXT_CAP, 1);
	struct text t = {0};

	(void)state;
	assert_non_null(bytes);
	text_add(&t, bytes, TEXT_CAP);
	assert_int_equal(t.size, TEXT_CAP);
	text_add(&t, bytes, 1);
	assert_true(t.full);
	assert_int_equal(t.size, TEXT_CAP);
	free(t.bytes);
	free(bytes);
}

/* Of bytes that nobody can have no memory is asked, and none is read. */
static void
a_text_that_there_is_no_memory_for_is_lost(void **state)
{
	volatile size_t most = SIZE_MAX - 1;
	struct text t = {.cap = SIZE_MAX};

	(void)state;
	text_add(&t, "kept", 4);
	text_add(&t, "", most / 2);
	assert_true(t.lost);
	text_add(&t, "late", 4);
	assert_string_equal(t.bytes, "kept");
	free(t.bytes);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(an_array_grows_and_keeps_what_it_has),
	    cmocka_unit_test(
	        an_array_of_more_bytes_than_can_be_counted_is_refused),
	    cmocka_unit_test(a_text_is_what_was_added),
	    cmocka_unit_test(a_text_does_not_pass_its_cap),
	    cmocka_unit_test(a_text_without_a_cap_has_the_usual_one),
	    cmocka_unit_test(a_text_that_there_is_no_memory_for_is_lost),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
