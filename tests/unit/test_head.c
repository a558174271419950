/* SPDX-License-Identifier: MIT */
/* Heads tell what follows, by what is there of them and no byte more. */
#include "helper.h"

#include "../../src/input/head.h"

enum { ROOM = 4096 };

struct bytes_of {
	unsigned char bytes[ROOM];
	size_t size;
};

static void
add(struct bytes_of *b, const void *bytes, size_t n)
{
	assert_true(b->size + n <= ROOM);
	memcpy(b->bytes + b->size, bytes, n);
	b->size += n;
}

static void
add_number(struct bytes_of *b, uint64_t n, size_t size)
{
	unsigned char byte;

	for (size_t i = 0; i < size; i++) {
		byte = (unsigned char)(n >> 8 * i);
		add(b, &byte, 1);
	}
}

static struct bytes_of
npy(unsigned version, const char *text)
{
	struct bytes_of b = {.size = 0};

	add(&b, "\x93NUMPY", 6);
	add_number(&b, version, 2);
	add_number(&b, strlen(text), version == 1 ? 2 : 4);
	add(&b, text, strlen(text));
	return b;
}

static struct bytes_of
safetensors(const char *text)
{
	struct bytes_of b = {.size = 0};

	add_number(&b, strlen(text), 8);
	add(&b, text, strlen(text));
	return b;
}

/* The tokens are 0, 1, 2 … below the vocabulary, and again. */
static struct bytes_of
logits(uint32_t length, uint32_t vocab, uint32_t chunks)
{
	struct bytes_of b = {.size = 0};

	add(&b, "_logits_", 8);
	add_number(&b, length, 4);
	add_number(&b, vocab, 4);
	add_number(&b, chunks, 4);
	for (uint32_t i = 0; i < length * chunks; i++)
		add_number(&b, i % vocab, 4);
	return b;
}

static const char npy_text[] =
    "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3, 5), }\n";
static const char tensor_text[] =
    "{\"a\":{\"dtype\":\"F16\",\"shape\":[3,4],\"data_offsets\":[8,32]},"
    "\"b\":{\"dtype\":\"I64\",\"shape\":[1],\"data_offsets\":[0,8]}}";

/* What came of it. */
enum outcome { READ, WANTS, WRONG };

/* Read the first n bytes of a head, which end at a page that isn't there. */
static enum outcome
read_part(const struct head_format *format, const struct bytes_of *b, size_t n,
    struct head *h, size_t *want, struct error *err)
{
	static const struct head_choice choice;
	unsigned char *bytes = guarded_new(n);
	bool good;

	*h = (struct head){0};
	*err = (struct error){0};
	memcpy(bytes, b->bytes, n);
	*want = 0;
	good = format->read(bytes, n, "file", &choice, h, want, err);
	guarded_free(bytes, n);
	return !good ? WRONG : *want > n ? WANTS : READ;
}

/* As a file that comes by and by is read. */
static void
read_whole(
    const struct head_format *format, const struct bytes_of *b, struct head *h)
{
	enum outcome status;
	struct error err;
	size_t want, n = 1;

	while ((status = read_part(format, b, n, h, &want, &err)) == WANTS) {
		assert_true(want > n);
		assert_true(want <= b->size);
		/* With one byte less it still wants. */
		assert_int_equal(
		    read_part(format, b, want - 1, h, &n, &err), WANTS);
		n = want;
	}
	if (status != READ)
		fail_msg("%s", err.text);
	assert_int_equal(n, b->size);
}

static void
an_array_is_told(void **state)
{
	struct bytes_of b;
	struct head h;

	(void)state;
	for (unsigned version = 1; version <= 3; version++) {
		b = npy(version, npy_text);
		read_whole(&head_npy, &b, &h);
		assert_int_equal(h.version, version);
		assert_int_equal(h.vocab, 5);
		assert_int_equal(h.dtype, DTYPE_F32);
		assert_int_equal(h.rows, 6);
		assert_int_equal(h.steps, 3);
		assert_int_equal(h.row_size, 20);
		assert_int_equal(h.start, b.size);
		assert_int_equal(h.size, 120);
		assert_true(h.closed);
	}
}

static void
a_tensor_is_told(void **state)
{
	struct bytes_of b = safetensors(tensor_text);
	struct head h;

	(void)state;
	read_whole(&head_safetensors, &b, &h);
	assert_int_equal(h.vocab, 4);
	assert_int_equal(h.dtype, DTYPE_F16);
	assert_int_equal(h.rows, 3);
	assert_int_equal(h.steps, 0);
	assert_int_equal(h.start, b.size + 8);
	assert_int_equal(h.size, 24);
	assert_false(h.closed);
}

/* Two chunks of 7 tokens: 0 1 2 3 | 4 0 1 and 2 3 4 0 | 1 2 3. */
static void
a_recording_is_told(void **state)
{
	static const uint32_t ids[] = {4, 0, 1, 1, 2, 3};
	static const uint32_t contexts[][4] = {{0, 1, 2, 3}, {2, 3, 4, 0}};
	struct bytes_of b = logits(7, 5, 2);
	const uint32_t *tokens;
	struct head h;
	uint32_t id;
	size_t n;

	(void)state;
	read_whole(&head_logits, &b, &h);
	assert_int_equal(h.vocab, 5);
	assert_int_equal(h.rows, 6);
	assert_int_equal(h.steps, 3);
	assert_int_equal(h.row_size, 8 + 2 * 6);
	assert_int_equal(h.start, b.size);
	assert_int_equal(h.size, 6 * h.row_size);
	for (size_t i = 0; i < LENGTH(ids); i++) {
		assert_true(head_recorded(&h, i, &id));
		assert_int_equal(id, ids[i]);
	}
	assert_false(head_recorded(&h, LENGTH(ids), &id));
	assert_false(head_recorded(&h, UINT64_MAX, &id));
	for (size_t i = 0; i < LENGTH(contexts); i++) {
		assert_true(head_context(&h, i, &tokens, &n));
		assert_int_equal(n, LENGTH(contexts[i]));
		assert_memory_equal(tokens, contexts[i], sizeof(contexts[i]));
	}
	assert_false(head_context(&h, LENGTH(contexts), &tokens, &n));
	head_free(&h);
	assert_false(head_recorded(&h, 0, &id));
	assert_false(head_context(&h, 0, &tokens, &n));
}

/* An even length has a context of the same size, and a row less. */
static void
the_last_token_is_predicted_by_the_last_row(void **state)
{
	struct bytes_of b;
	struct head h;
	uint32_t id;

	(void)state;
	for (uint32_t length = 3; length < 20; length++) {
		b = logits(length, 1000, 1);
		read_whole(&head_logits, &b, &h);
		assert_int_equal(h.rows, length - 1 - length / 2);
		assert_true(head_recorded(&h, h.rows - 1, &id));
		assert_int_equal(id, length - 1);
		head_free(&h);
	}
}

/* Each prefix of a head wants more to be told by, or is told already. */
static void
formats_are_told_by_their_first_bytes(void **state)
{
	const struct {
		const struct head_format *format;
		struct bytes_of b;
		size_t needs;
	} heads[] = {
	    {&head_npy, npy(1, npy_text), 6},
	    {&head_safetensors, safetensors(tensor_text), 9},
	    {&head_logits, logits(7, 5, 2), 8},
	};
	const struct head_format *format;
	size_t want;

	(void)state;
	for (size_t i = 0; i < LENGTH(heads); i++)
		for (size_t n = 0; n < 20; n++) {
			format = head_tell(heads[i].b.bytes, n, &want);
			if (n >= heads[i].needs) {
				assert_ptr_equal(format, heads[i].format);
			} else {
				assert_null(format);
				assert_true(want > n);
			}
		}
}

/* Once four bytes of a float are there it is no head, but for odd ones. */
static void
floats_are_no_heads(void **state)
{
	uint64_t random = 1;
	unsigned char bytes[4];
	float value;
	size_t want;

	(void)state;
	for (size_t i = 0; i < scaled(100000); i++) {
		value = i == 0 ? 0 : i == 1 ? -0.0f : random_normal(&random, 9);
		memcpy(bytes, &value, 4);
		assert_null(head_tell(bytes, 4, &want));
		assert_true(want <= 4);
	}
}

static void
refuse(const struct head_format *format, struct bytes_of b, const char *why)
{
	struct error err;
	struct head h;
	size_t want;

	assert_int_equal(read_part(format, &b, b.size, &h, &want, &err), WRONG);
	assert_int_equal(err.status, STATUS_FAILED);
	assert_int_equal(strncmp(err.text, "file: ", 6), 0);
	if (strstr(err.text, why) == NULL)
		fail_msg("'%s' does not say '%s'", err.text, why);
	head_free(&h);
}

/* The bounds, where a byte more or less decides. */
static void
sizes_that_can_not_be_are_refused(void **state)
{
	static const char f8[] =
	    "{'descr':'<f8','fortran_order':False,'shape':(%s)}";
	char text[256];
	struct bytes_of b;
	struct head h;

	(void)state;
	snprintf(text, sizeof(text), f8, "1152921504606846975, 1");
	b = npy(1, text);
	assert_true(b.size < ROOM);
	refuse(&head_npy, b, "larger than any file");
	snprintf(text, sizeof(text), f8, "1152921504606846900, 1");
	b = npy(1, text);
	read_whole(&head_npy, &b, &h);
	assert_true(h.size == UINT64_C(1152921504606846900) * 8);
	snprintf(text, sizeof(text), f8, "4294967296, 4294967296, 1");
	refuse(&head_npy, npy(1, text), "larger than any file");
	snprintf(text, sizeof(text), f8, "0, 2147483647");
	b = npy(1, text);
	read_whole(&head_npy, &b, &h);
	refuse(&head_logits, logits(2, 5, 1), "at least 3");
}

/* What numpy does not write, and at which byte something else is wanted. */
static void
an_array_that_is_wrong_is_refused(void **state)
{
	static const struct {
		const char *text;
		int at; /* in the text */
		const char *wanted;
	} wrong[] = {
	    {"'descr'", 0, "{"},
	    {"{descr: '<f4'}", 1, "a string"},
	    {"{'descr', '<f4'}", 8, ":"},
	    {"{'shape': 5, }", 10, "("},
	    {"{'shape': (five,)}", 11, "a size"},
	    {"{'shape': (5)}", 13, "(size,)"},
	    {"{'shape': (0,1,2,3,4,5,6,7,8,9,0,1,2,3,4,5,6,7,8,9,0,1,2,3,4,5,6,"
	     "7,8,9,0,1,2)}",
	        75, "a shape of at most 32 sizes"},
	    {"{'descr': '<f4', 'descr': '<f4'}", 26, "each key once"},
	    {"{'shape': (1,), 'shape': (1,)}", 24, "each key once"},
	    {"{'fortran_order': True, 'fortran_order': True}", 45,
	        "each key once"},
	    {"{'fortran_order': None}", 18, "True or False"},
	    {"{'fortran_order': True, 'shape': (1,)}", 38,
	        "each of 'descr', 'fortran_order' and 'shape'"},
	    {"{'descr': '<f4', 'shape': (1,)}", 31,
	        "each of 'descr', 'fortran_order' and 'shape'"},
	    {"{'descr': '<f4', 'fortran_order': True}", 39,
	        "each of 'descr', 'fortran_order' and 'shape'"},
	};
	char why[128];
	struct bytes_of b;
	struct head h;

	(void)state;
	for (size_t i = 0; i < LENGTH(wrong); i++) {
		snprintf(why, sizeof(why),
		    "byte %d: the npy header is not as numpy writes it: %s is "
		    "wanted",
		    10 + wrong[i].at, wrong[i].wanted);
		refuse(&head_npy, npy(1, wrong[i].text), why);
	}
	refuse(&head_npy, npy(0, npy_text), "npy version 0.0: ");
	refuse(&head_npy, npy(4, npy_text), "npy version 4.0: ");
	/* One row lies the same way in either order. */
	b = npy(1, "{'descr':'<f4','fortran_order':True,'shape':(5,)}");
	read_whole(&head_npy, &b, &h);
	assert_int_equal(h.vocab, 5);
	assert_int_equal(h.rows, 1);
}

/* What JSON says of one tensor; three texts in its notation. */
static struct bytes_of
tensor(
    const char *name, const char *type, const char *shape, const char *offsets)
{
	char text[512];

	snprintf(text, sizeof(text),
	    "{\"%s\":{\"dtype\":%s,\"shape\":%s,\"data_offsets\":%s}}", name,
	    type, shape, offsets);
	return safetensors(text);
}

static void
a_tensor_that_is_wrong_is_refused(void **state)
{
	static const char *const lacking[][3] = {
	    {"5", "[1]", "[0,4]"},
	    {"\"F32\"", "1", "[0,4]"},
	    {"\"F32\"", "[\"1\"]", "[0,4]"},
	    {"\"F32\"", "[-1]", "[0,4]"},
	    {"\"F32\"", "[1e0]", "[0,4]"},
	    {"\"F32\"", "[9223372036854775808]", "[0,4]"},
	    {"\"F32\"", "[1]", "4"},
	    {"\"F32\"", "[1]", "[0]"},
	    {"\"F32\"", "[1]", "[true,4]"},
	    {"\"F32\"", "[1]", "[0,true]"},
	    {"\"F32\"", "[1]", "[4,0]"},
	};
	static const char u8[] = "\"U8\"", shape[] = "[1,1]", first[] = "[0,1]";

	(void)state;
	for (size_t i = 0; i < LENGTH(lacking); i++)
		refuse(&head_safetensors,
		    tensor("a", lacking[i][0], lacking[i][1], lacking[i][2]),
		    "tensor 'a' lacks a good dtype, shape or data_offsets");
	refuse(&head_safetensors, safetensors("[]"), "is no JSON object");
	refuse(&head_safetensors,
	    tensor("a", "\"F32\"", shape,
	        "[9223372036854775807,9223372036854775807]"),
	    "the data begins behind the end of any file");
	refuse(&head_safetensors,
	    tensor("a", "\"a type that is not known\"", shape, first),
	    "tensor 'a' is of the type a type that is not k: F32, ");
	/* As long as the name of what is no tensor; longer than is shown. */
	refuse(&head_safetensors, tensor("twelve bytes", u8, shape, first),
	    "tensor 'twelve bytes' is of the type U8: ");
	refuse(&head_safetensors,
	    tensor("123456789.123456789.123456789.123456789.123456789."
	           "123456789.123",
	        u8, shape, first),
	    "tensor '123456789.123456789.123456789.123456789.123456789."
	    "123456789.' is of the type U8: ");
}

/* Twenty of them, and nothing that is none. */
static void
tensors_to_choose_from_are_listed(void **state)
{
	char text[ROOM], names[256] = "";
	size_t n = 0, listed = 0;

	(void)state;
	n += (size_t)sprintf(text, "{\"__metadata__\":{}");
	for (int i = 10; i < 31; i++) {
		n += (size_t)sprintf(text + n,
		    ",\"%d\":{\"dtype\":\"F32\",\"shape\":[1,1],"
		    "\"data_offsets\":[0,4]}",
		    i);
		if (i < 30)
			listed += (size_t)sprintf(names + listed, " '%d'", i);
		if (i == 11) {
			sprintf(text + n, "}");
			refuse(&head_safetensors, safetensors(text),
			    "several tensors may be meant: --tensor names one "
			    "of '10' '11'");
		}
	}
	sprintf(text + n, "}");
	sprintf(names + listed, " ...");
	refuse(&head_safetensors, safetensors(text), names);
}

/* Whatever is changed in a head, it is read or refused. */
static void
heads_that_are_damaged_do_no_harm(void **state)
{
	const struct {
		const struct head_format *format;
		struct bytes_of b;
	} heads[] = {
	    {&head_npy, npy(2, npy_text)},
	    {&head_safetensors, safetensors(tensor_text)},
	    {&head_logits, logits(7, 5, 2)},
	};
	uint64_t random = 2;
	struct bytes_of b;
	struct error err;
	struct head h;
	size_t want;

	(void)state;
	for (size_t round = 0; round < scaled(6000); round++) {
		b = heads[round % 3].b;
		for (size_t i = 1 + random_below(&random, 3); i > 0; i--)
			b.bytes[random_below(&random, b.size)] = (unsigned char)
			    random_below(&random, 256);
		switch (read_part(
		    heads[round % 3].format, &b, b.size, &h, &want, &err)) {
		case READ:
			assert_true(h.vocab > 0 && h.row_size >= h.vocab);
			assert_int_equal(h.size, h.rows * h.row_size);
			assert_true(h.start >= 8 && h.size <= INT64_MAX);
			break;
		case WANTS:
			assert_true(want > b.size);
			break;
		case WRONG:
			assert_true(err.text[0] != '\0');
		}
		head_free(&h);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(an_array_is_told),
	    cmocka_unit_test(a_tensor_is_told),
	    cmocka_unit_test(a_recording_is_told),
	    cmocka_unit_test(the_last_token_is_predicted_by_the_last_row),
	    cmocka_unit_test(formats_are_told_by_their_first_bytes),
	    cmocka_unit_test(floats_are_no_heads),
	    cmocka_unit_test(sizes_that_can_not_be_are_refused),
	    cmocka_unit_test(an_array_that_is_wrong_is_refused),
	    cmocka_unit_test(a_tensor_that_is_wrong_is_refused),
	    cmocka_unit_test(tensors_to_choose_from_are_listed),
	    cmocka_unit_test(heads_that_are_damaged_do_no_harm),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
