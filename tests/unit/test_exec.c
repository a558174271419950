/* SPDX-License-Identifier: MIT */
/* Lines to a model that no memory could hold. */
#include "helper.h"

#include "../../src/exec.h"

static bool
let_pass(void *context, int fd, struct error *err)
{
	(void)context;
	(void)fd;
	(void)err;
	return true;
}

/* Refused by their number: there is no list behind it. */
static void
more_ids_than_a_line_can_have_are_refused(void **state)
{
	const struct before_read before = {let_pass, NULL};
	const size_t sizes[] = {SIZE_MAX, SIZE_MAX / 4, SIZE_MAX / 48 + 1};
	struct error err;
	struct exec *e;

	(void)state;
	e = exec_start("cat >/dev/null", true, &before, &err);
	assert_non_null(e);
	for (size_t i = 0; i < LENGTH(sizes); i++) {
		err.text[0] = '\0';
		assert_false(
		    exec_send(e, &(struct ids){.size = sizes[i]}, 0, &err));
		assert_non_null(strstr(err.text, "--exec: a line: "));
		assert_int_equal(err.status, STATUS_FAILED);
	}
	exec_abandon(e);
	exec_free(e);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(more_ids_than_a_line_can_have_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
