/* SPDX-License-Identifier: MIT */
/* The same rows, however the reads that bring them are cut. */
#include "feeder.h"

#include "../../src/input/rows.h"

enum { MAX_WINDOW = 27 };

/* Rows over a pipe that is standard input. */
struct line {
	struct feeder feeder;
	struct source *source;
	struct rows *rows;
	int saved;
};

static void
line_open(struct line *l, const void *bytes, size_t n, size_t give,
    size_t vocab, enum dtype dtype)
{
	static char dash[] = "-", *names[] = {dash};
	struct error err;

	l->saved = dup(STDIN_FILENO);
	feeder_open(&l->feeder, bytes, n, give);
	assert_int_equal(dup2(l->feeder.fds[0], STDIN_FILENO), 0);
	l->source = source_new(
	    names, 1, INPUT_RAW, MAX_WINDOW, &l->feeder.before, &err);
	assert_non_null(l->source);
	l->rows = rows_new(l->source, vocab, dtype, false, &err);
	assert_non_null(l->rows);
}

static void
line_close(struct line *l)
{
	rows_free(l->rows);
	source_free(l->source);
	feeder_close(&l->feeder);
	assert_int_equal(dup2(l->saved, STDIN_FILENO), 0);
	close(l->saved);
}

static void
check_rows(const float *logits, size_t count, size_t vocab, size_t give,
    uint64_t *random)
{
	struct line l;
	struct error err;
	struct row row;

	line_open(&l, logits, count * vocab * sizeof(*logits), give, vocab,
	    DTYPE_F32);
	l.feeder.random = random;
	for (size_t i = 0; i < count; i++) {
		assert_int_equal(rows_next(l.rows, &row, &err), ROWS_ROW);
		assert_int_equal(row.number, i + 1);
		assert_int_equal(row.size, vocab);
		assert_memory_equal(
		    row.logits, logits + i * vocab, vocab * sizeof(*logits));
	}
	for (int i = 0; i < 2; i++) /* the end stays where it is */
		assert_int_equal(rows_next(l.rows, &row, &err), ROWS_END);
	line_close(&l);
}

static void
rows_are_the_same_however_they_come(void **state)
{
	enum { VALUES = 12000 };
	static const size_t vocabs[] = {1, 3, 100, 3000, VALUES};
	static const size_t gives[] = {1, 3, 4, 399, 400, 401, 4095};
	static float logits[VALUES];
	uint64_t random = 1;

	(void)state;
	for (size_t i = 0; i < VALUES; i++)
		logits[i] = random_normal(&random, 3);
	for (size_t i = 0; i < LENGTH(vocabs); i++)
		for (size_t j = scaled(LENGTH(gives)); j-- > 0;) {
			check_rows(logits, VALUES / vocabs[i], vocabs[i],
			    gives[j % LENGTH(gives)], NULL);
			check_rows(logits, VALUES / vocabs[i], vocabs[i], 4095,
			    &random);
		}
}

/* Many more than the buffer holds, in reads that end anywhere. */
static void
long_inputs_go_through_the_buffer(void **state)
{
	enum { VALUES = 300000 };
	static float logits[VALUES];
	uint64_t random = 2;

	(void)state;
	for (size_t i = 0; i < VALUES; i++)
		logits[i] = random_normal(&random, 3);
	check_rows(logits, 300, 1000, 4096, NULL);
	check_rows(logits, 300, 1000, 4095, &random);
	check_rows(logits, VALUES / 7, 7, 4096, NULL);
	check_rows(logits, 3, 100000, 4096, NULL);
}

/* A loop's model waits for the id of each row before it sends the next. */
static void
a_row_is_handed_out_before_more_is_read(void **state)
{
	enum { VOCAB = 10, ROWS = 50 };
	float logits[VOCAB * ROWS] = {0};
	struct line l;
	struct error err;
	struct row row;

	(void)state;
	line_open(&l, logits, sizeof(logits), 7, VOCAB, DTYPE_F32);
	for (size_t i = 1; i <= ROWS; i++) {
		l.feeder.hold = i * VOCAB * sizeof(*logits);
		if (rows_next(l.rows, &row, &err) != ROWS_ROW)
			fail_msg("row %zu: %s", i, err.text);
	}
	line_close(&l);
}

/* A bfloat16 is the upper half of a float. */
static void
other_types_become_floats(void **state)
{
	static const unsigned char bytes[] = {
	    0x80, 0x3f, 0x00, 0xc0, 0x80, 0xff, 0x00, 0x00};
	static const float expected[] = {1, -2, -INFINITY, 0};
	struct line l;
	struct error err;
	struct row row;

	(void)state;
	line_open(&l, bytes, sizeof(bytes), 3, 2, DTYPE_BF16);
	for (size_t i = 0; i < 2; i++) {
		assert_int_equal(rows_next(l.rows, &row, &err), ROWS_ROW);
		assert_memory_equal(
		    row_floats(&row), expected + 2 * i, 2 * sizeof(float));
		for (size_t id = 0; id < 2; id++)
			assert_true(row_logit(&row, id) ==
			    (double)expected[2 * i + id]);
	}
	assert_int_equal(rows_next(l.rows, &row, &err), ROWS_END);
	line_close(&l);
}

static void
a_partial_row_is_told(void **state)
{
	float logits[61] = {0};
	struct line l;
	struct error err;
	struct row row;

	(void)state;
	line_open(&l, logits, 60 * sizeof(float) + 3, 1000, 5, DTYPE_F32);
	for (int i = 0; i < 12; i++)
		assert_int_equal(rows_next(l.rows, &row, &err), ROWS_ROW);
	assert_int_equal(rows_next(l.rows, &row, &err), ROWS_ERROR);
	assert_int_equal(err.status, STATUS_FAILED);
	assert_non_null(strstr(err.text, "row 13 ends after 3 of 20 bytes"));
	assert_non_null(strstr(err.text, "byte 243 "));
	assert_null(strstr(err.text, "sizes that divide"));
	line_close(&l);
}

static void
sizes_that_would_fit_are_suggested(void **state)
{
	float logits[60] = {0};
	struct line l;
	struct error err;
	struct row row;

	(void)state;
	line_open(&l, logits, sizeof(logits), 1000, 7, DTYPE_F32);
	for (int i = 0; i < 8; i++)
		assert_int_equal(rows_next(l.rows, &row, &err), ROWS_ROW);
	assert_int_equal(rows_next(l.rows, &row, &err), ROWS_ERROR);
	/* The divisors of 60, nearest to 7 by ratio first. */
	assert_non_null(strstr(
	    err.text, "sizes that divide the input: 6, 5, 10, 12, 4, 15"));
	line_close(&l);
	/* Of a square its root is one divisor, not two. */
	line_open(&l, logits, 9 * sizeof(float), 1000, 2, DTYPE_F32);
	for (int i = 0; i < 4; i++)
		assert_int_equal(rows_next(l.rows, &row, &err), ROWS_ROW);
	assert_int_equal(rows_next(l.rows, &row, &err), ROWS_ERROR);
	assert_non_null(
	    strstr(err.text, "sizes that divide the input: 3, 1, 9"));
	line_close(&l);
}

/* Whoever asks again where nothing was ever read. */
static void
a_tensor_without_rows_has_ended(void **state)
{
	static const char file[] =
	    "\x38\0\0\0\0\0\0\0{\"a\":{\"dtype\":\"F32\",\"shape\":[0,5],"
	    "\"data_offsets\":[0,0]}}";
	char path[PATH_ROOM], *names[] = {path};
	struct source *source;
	struct error err;
	struct rows *rows;
	struct row row;

	(void)state;
	make_file(path, file, sizeof(file) - 1);
	source = source_new(names, 1, INPUT_AUTO, MAX_WINDOW, NULL, &err);
	assert_non_null(source);
	rows = rows_new(source, 5, DTYPE_F32, false, &err);
	assert_non_null(rows);
	for (int i = 0; i < 3; i++)
		if (rows_next(rows, &row, &err) != ROWS_END)
			fail_msg("%s", err.text);
	rows_free(rows);
	source_free(source);
	unlink(path);
}

static void
a_file_that_is_missing_is_told(void **state)
{
	static char missing[] = "/nonexistent/rows", *names[] = {missing};
	struct source *source;
	struct error err;
	struct rows *rows;
	struct row row;

	(void)state;
	source = source_new(names, 1, INPUT_RAW, MAX_WINDOW, NULL, &err);
	assert_non_null(source);
	rows = rows_new(source, 5, DTYPE_F32, false, &err);
	assert_non_null(rows);
	assert_int_equal(rows_next(rows, &row, &err), ROWS_ERROR);
	assert_int_equal(err.status, STATUS_FAILED);
	assert_non_null(strstr(err.text, missing));
	rows_free(rows);
	source_free(source);
}

static void
a_row_that_memory_has_no_room_for_is_told(void **state)
{
	static const size_t vocabs[] = {SIZE_MAX, SIZE_MAX / 2, SIZE_MAX / 8};
	struct source *source;
	struct error err;

	(void)state;
	source = source_new(NULL, 0, INPUT_RAW, MAX_WINDOW, NULL, &err);
	assert_non_null(source);
	for (size_t i = 0; i < LENGTH(vocabs); i++) {
		assert_null(rows_new(source, vocabs[i], DTYPE_F16, true, &err));
		assert_int_equal(err.status, STATUS_FAILED);
		assert_non_null(strstr(err.text, "a row of "));
	}
	source_free(source);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(rows_are_the_same_however_they_come),
	    cmocka_unit_test(long_inputs_go_through_the_buffer),
	    cmocka_unit_test(a_row_is_handed_out_before_more_is_read),
	    cmocka_unit_test(other_types_become_floats),
	    cmocka_unit_test(a_partial_row_is_told),
	    cmocka_unit_test(sizes_that_would_fit_are_suggested),
	    cmocka_unit_test(a_tensor_without_rows_has_ended),
	    cmocka_unit_test(a_file_that_is_missing_is_told),
	    cmocka_unit_test(a_row_that_memory_has_no_room_for_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
