/* SPDX-License-Identifier: MIT */
/* Lists on the command line: token ids, biases, stages. */
#include "helper.h"

#include "../../src/cli/lists.h"

/* An argument that reads the text from a file. */
struct at_file {
	char argument[1 + PATH_ROOM];
};

static void
at_file_make(struct at_file *f, const char *text, size_t n)
{
	f->argument[0] = '@';
	make_file(f->argument + 1, text, n);
}

static void
at_file_remove(struct at_file *f)
{
	assert_int_equal(unlink(f->argument + 1), 0);
}

static void
check_ids(const char *argument, const uint32_t *expected, size_t n)
{
	struct ids ids = {NULL, 0};
	struct error err;

	if (!lists_ids(argument, "--prompt", &ids, &err))
		fail_msg("%s", err.text);
	assert_int_equal(ids.size, n);
	for (size_t i = 0; i < n; i++)
		assert_int_equal(ids.list[i], expected[i]);
	free(ids.list);
}

static void
ids_have_blanks_or_commas_between(void **state)
{
	static const uint32_t ids[] = {1, 20, 2147483647};
	static const char text[] = "\n1\r\n20,\t\n\n2147483647\n";
	struct at_file file;

	(void)state;
	check_ids("1,20,2147483647", ids, 3);
	check_ids(" 1 , 20\t2147483647,", ids, 3);
	check_ids("", NULL, 0);
	check_ids(" ,, ", NULL, 0);
	at_file_make(&file, text, strlen(text));
	check_ids(file.argument, ids, 3);
	at_file_remove(&file);
}

/* The list grows as it is read. */
static void
ids_may_be_many(void **state)
{
	enum { IDS = 5000 };
	static uint32_t ids[IDS];
	static char text[IDS * 8];
	struct at_file file;
	size_t used = 0;

	(void)state;
	for (uint32_t i = 0; i < IDS; i++) {
		ids[i] = i * 7;
		used += (size_t)snprintf(
		    text + used, sizeof(text) - used, "%u\n", ids[i]);
	}
	at_file_make(&file, text, used);
	check_ids(file.argument, ids, IDS);
	at_file_remove(&file);
}

/* Ids of several options join one list: --eos 1 --eos 2. */
static void
ids_are_added(void **state)
{
	struct ids ids = {NULL, 0};
	struct error err;

	(void)state;
	for (uint32_t id = 0; id < 10; id++) {
		assert_true(lists_ids("7,8,9", "--eos", &ids, &err));
		assert_int_equal(ids.size, 3 * (id + 1));
		assert_int_equal(ids.list[3 * id], 7);
		assert_int_equal(ids.list[3 * id + 2], 9);
	}
	free(ids.list);
}

static void
refuse_ids(const char *argument, const char *message)
{
	struct ids ids = {NULL, 0};
	struct error err;

	assert_false(lists_ids(argument, "--prompt", &ids, &err));
	if (strstr(err.text, message) == NULL)
		fail_msg("'%s' does not say '%s'", err.text, message);
	free(ids.list);
}

static void
wrong_ids_are_refused(void **state)
{
	struct at_file file;

	(void)state;
	refuse_ids("1,x,3", "--prompt: 'x' is not a whole number");
	refuse_ids("-1", "--prompt: -1 is out of range");
	refuse_ids("2147483648", "--prompt: 2147483648 is out of range");
	refuse_ids("1;2", "'1;2'");
	refuse_ids("@/nonexistent/ids", "--prompt: /nonexistent/ids: ");
	at_file_make(&file, "1 2\0003", 5);
	refuse_ids(file.argument, "NUL byte at 3");
	at_file_remove(&file);
	at_file_make(&file, "1 two", 5);
	refuse_ids(file.argument, file.argument + 1);
	at_file_remove(&file);
}

/* Biases. */

struct expected_bias {
	uint32_t id;
	float add;
};

static bool
read_biases(char **arguments, size_t n, struct sampling *s, struct error *err)
{
	const struct texts texts = {arguments, n};

	*s = (struct sampling){.policy = policies[0]};
	return lists_biases(&texts, s, err);
}

static void
check_biases(char **arguments, size_t n, const struct expected_bias *expected,
    size_t count)
{
	struct sampling s;
	struct error err;

	if (!read_biases(arguments, n, &s, &err))
		fail_msg("%s", err.text);
	assert_int_equal(s.n_biases, count);
	for (size_t i = 0; i < count; i++) {
		assert_int_equal(s.biases[i].id, expected[i].id);
		assert_true(s.biases[i].add == expected[i].add);
	}
	free(s.biases);
}

/* Those of one id in the order given: float sums depend on it. */
static void
biases_are_sorted_by_id(void **state)
{
	static char a[] = "7-1.5", b[] = "3+2", c[] = "7+1e3", d[] = "0-inf",
	            e[] = "7+.25", f[] = "3-0";
	static char *arguments[] = {a, b, c, d, e, f};
	static const struct expected_bias expected[] = {
	    {0, -INFINITY}, {3, 2}, {3, 0}, {7, -1.5f}, {7, 1000}, {7, 0.25f}};

	(void)state;
	check_biases(arguments, LENGTH(arguments), expected, LENGTH(expected));
	check_biases(arguments, 0, NULL, 0);
}

static void
biases_come_from_files_too(void **state)
{
	static const char text[] = "5-inf\r\n\n1+1\n5+2";
	static const struct expected_bias expected[] = {
	    {1, 1}, {5, -INFINITY}, {5, 2}, {5, 3}};
	static char last[] = "5+3";
	struct at_file file;
	char *arguments[] = {file.argument, last};

	(void)state;
	at_file_make(&file, text, strlen(text));
	check_biases(arguments, 2, expected, LENGTH(expected));
	at_file_remove(&file);
}

/* Sorted as a plain insertion would. */
static void
many_biases_keep_their_order(void **state)
{
	enum { BIASES = 1000 };
	static char text[BIASES][16];
	static struct expected_bias expected[BIASES];
	char *arguments[BIASES];
	uint64_t random = 1;
	size_t at;

	(void)state;
	for (size_t i = 0; i < BIASES; i++) {
		const struct expected_bias bias = {
		    (uint32_t)random_below(&random, 50), (float)i};

		snprintf(text[i], sizeof(text[i]), "%u+%zu", bias.id, i);
		arguments[i] = text[i];
		for (at = i; at > 0 && expected[at - 1].id > bias.id; at--)
			expected[at] = expected[at - 1];
		expected[at] = bias;
	}
	check_biases(arguments, BIASES, expected, BIASES);
}

static void
wrong_biases_are_refused(void **state)
{
	static const char *const wrong[] = {"", "5", "+1", "5*2", "5+", "5-",
	    "5+x", "5+inf", "5-nan", "5+1e39", "x+1", "-5+1", " 5+1",
	    "2147483648+1", "5 +1", "5+-1x", "5-infinity"};
	struct sampling s;
	struct error err;
	char text[32], *argument = text;

	(void)state;
	for (size_t i = 0; i < LENGTH(wrong); i++) {
		snprintf(text, sizeof(text), "%s", wrong[i]);
		if (read_biases(&argument, 1, &s, &err))
			fail_msg("'%s' is taken", wrong[i]);
		assert_int_equal(err.status, STATUS_USAGE);
		assert_non_null(strstr(err.text, "--logit-bias: "));
		free(s.biases);
	}
}

/* Stages. */

static void
check_stages(const char *text, const struct stage *const *expected, size_t n)
{
	struct sampling s = {.policy = policies[0]};
	struct error err;

	if (!lists_stages(text, &s, &err))
		fail_msg("%s", err.text);
	assert_int_equal(s.n_stages, n);
	for (size_t i = 0; i < n; i++)
		assert_ptr_equal(s.stages[i], expected[i]);
	free(s.stages);
}

static void
stages_run_as_they_are_listed(void **state)
{
	static const struct stage *const all[] = {&stage_penalties,
	    &stage_top_k, &stage_top_p, &stage_min_p, &stage_temperature};
	static const struct stage *const some[] = {
	    &stage_temperature, &stage_top_k, &stage_temperature};

	(void)state;
	check_stages(NULL, all, LENGTH(all));
	check_stages(
	    "penalties;top_k;top_p;min_p;temperature", all, LENGTH(all));
	check_stages("penalties;top-k;nucleus;min-p;temp", all, LENGTH(all));
	check_stages("temp;top_k;temperature", some, LENGTH(some));
	check_stages("temp;top_k;temperature;", some, LENGTH(some));
	check_stages("", NULL, 0);
}

static void
unknown_stages_are_refused(void **state)
{
	static const char *const wrong[] = {"top", "top_k ", " top_k",
	    "top_k,top_p", ";", "top_k;;top_p", "top-k nucleus", "TOP_K"};
	struct sampling s;
	struct error err;

	(void)state;
	for (size_t i = 0; i < LENGTH(wrong); i++) {
		s = (struct sampling){.policy = policies[0]};
		if (lists_stages(wrong[i], &s, &err))
			fail_msg("'%s' is taken", wrong[i]);
		assert_int_equal(err.status, STATUS_USAGE);
		assert_non_null(strstr(err.text, "--samplers: "));
		assert_non_null(strstr(err.text, "temperature"));
		free(s.stages);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(ids_have_blanks_or_commas_between),
	    cmocka_unit_test(ids_may_be_many),
	    cmocka_unit_test(ids_are_added),
	    cmocka_unit_test(wrong_ids_are_refused),
	    cmocka_unit_test(biases_are_sorted_by_id),
	    cmocka_unit_test(biases_come_from_files_too),
	    cmocka_unit_test(many_biases_keep_their_order),
	    cmocka_unit_test(wrong_biases_are_refused),
	    cmocka_unit_test(stages_run_as_they_are_listed),
	    cmocka_unit_test(unknown_stages_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
