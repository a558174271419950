/* SPDX-License-Identifier: MIT */
/* A source that reads a descriptor of another's, and what rows read ahead. */
#include "feeder.h"

#include "../../src/input/rows.h"
#include "../../src/input/source.h"

static struct source *
lent_source(struct feeder *f)
{
	struct error err;
	struct source *s = source_of(f->fds[0], "the model", &f->before, &err);

	assert_non_null(s);
	assert_string_equal(source_name(s), "the model");
	return s;
}

/* What looks like a zstd frame is bytes like any others. */
static void
all_is_raw(void **state)
{
	static const char bytes[] = "\x28\xb5\x2f\xfd and on it goes";
	unsigned char read[64];
	size_t size = 0, got;
	struct feeder f;
	struct source *s;
	struct error err;

	(void)state;
	feeder_open(&f, bytes, sizeof(bytes), 3);
	s = lent_source(&f);
	do {
		assert_true(source_read(
		    s, read + size, sizeof(read) - size, &got, &err));
		size += got;
	} while (got > 0);
	assert_int_equal(size, sizeof(bytes));
	assert_memory_equal(read, bytes, size);
	/* The end stays the end. */
	assert_true(source_read(s, read, sizeof(read), &got, &err));
	assert_int_equal(got, 0);
	source_free(s);
	feeder_close(&f);
}

static void
the_descriptor_stays_open(void **state)
{
	struct feeder f;
	struct source *s;
	struct error err;
	unsigned char byte;
	size_t got;

	(void)state;
	feeder_open(&f, "a", 1, 1);
	s = lent_source(&f);
	do
		assert_true(source_read(s, &byte, 1, &got, &err));
	while (got > 0);
	assert_true(fcntl(f.fds[0], F_GETFD) >= 0);
	source_free(s);
	assert_true(fcntl(f.fds[0], F_GETFD) >= 0);
	feeder_close(&f);
}

static void
a_failing_hook_ends_the_reading(void **state)
{
	struct feeder f;
	struct source *s;
	struct error err;
	unsigned char bytes[8];
	size_t got;

	(void)state;
	feeder_open(&f, "abcd", 4, 2);
	f.hold = 2;
	s = lent_source(&f);
	assert_true(source_read(s, bytes, sizeof(bytes), &got, &err));
	assert_int_equal(got, 2);
	assert_false(source_read(s, bytes, sizeof(bytes), &got, &err));
	assert_string_equal(err.text, "asked too early");
	source_free(s);
	feeder_close(&f);
}

/* Rows of 8 bytes out of two reads of 12: a row and a half, and the rest. */
static void
rows_know_what_they_read_ahead(void **state)
{
	static const float values[] = {1, 2, 3, 4, 5, 6};
	static const size_t ahead[] = {4, 8, 0};
	struct feeder f;
	struct source *s;
	struct rows *rows;
	struct error err;
	struct row row;

	(void)state;
	feeder_open(&f, values, sizeof(values), 12);
	s = lent_source(&f);
	rows = rows_new(s, 2, DTYPE_F32, false, &err);
	assert_non_null(rows);
	assert_int_equal(rows_ahead(rows), 0);
	for (size_t i = 0; i < 3; i++) {
		assert_int_equal(rows_next(rows, &row, &err), ROWS_ROW);
		assert_true(row.logits[0] == values[2 * i]);
		assert_int_equal(rows_ahead(rows), ahead[i]);
	}
	assert_int_equal(rows_next(rows, &row, &err), ROWS_END);
	rows_free(rows);
	source_free(s);
	feeder_close(&f);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(all_is_raw),
	    cmocka_unit_test(the_descriptor_stays_open),
	    cmocka_unit_test(a_failing_hook_ends_the_reading),
	    cmocka_unit_test(rows_know_what_they_read_ahead),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
