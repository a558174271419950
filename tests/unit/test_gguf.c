/* SPDX-License-Identifier: MIT */
/* Model files: what is read of them, and what is refused and how. */
#include <sys/stat.h>

#include "gguf.h"

static const struct gguf_value *
setting(const struct gguf *g, const char *key)
{
	for (size_t i = 0; i < GGUF_SETTINGS; i++)
		if (strcmp(gguf_setting_keys[i], key) == 0)
			return &g->settings[i];
	fail_msg("no setting %s", key);
	return NULL;
}

static void
a_file_is_understood(void **state)
{
	struct forged f;
	struct gguf *g;
	const char *text;
	size_t n;

	(void)state;
	put_everything(&f);
	g = must_read(&f);
	assert_int_equal(g->version, 3);
	assert_int_equal(g->keys, 15);
	assert_int_equal(g->bytes, f.size);
	assert_string_equal(g->architecture, "llama");
	assert_string_equal(g->name, "a model");
	assert_string_equal(g->tokenizer, "llama");
	assert_int_equal(gguf_tokens(g), 6);
	assert_true(pieces_get(g->texts, 3, &text, &n));
	assert_int_equal(n, 6);
	assert_memory_equal(text, "<0x0A>", 6);
	assert_int_equal(gguf_type(g, 0), TOKEN_UNKNOWN);
	assert_int_equal(gguf_type(g, 3), TOKEN_BYTE);
	assert_int_equal(g->n_ends, 2);
	assert_int_equal(g->ends[0], 2);
	assert_int_equal(g->ends[1], 5);
	assert_string_equal(setting(g, "sequence")->text, "top_k;temperature");
	assert_string_equal(setting(g, "top_k")->text, "-7");
	assert_string_equal(setting(g, "min_p")->text, "0.10000000000000001");
	assert_true(strtof(setting(g, "temp")->text, NULL) == 0.8f);
	assert_true(strtod(setting(g, "temp")->text, NULL) == (double)0.8f);
	assert_null(setting(g, "top_p")->text);
	gguf_free(g);
}

/* What follows the metadata may be anything, and need not be there. */
static void
only_the_metadata_is_read(void **state)
{
	struct forged f;
	struct gguf *g;

	(void)state;
	put_everything(&f);
	put_number(&f, UINT64_MAX, 8);
	g = must_read(&f);
	assert_int_equal(g->bytes, f.size - 8);
	gguf_free(g);
	put_header(&f, 0);
	g = must_read(&f);
	assert_int_equal(gguf_tokens(g), 0);
	assert_int_equal(g->n_ends, 0);
	gguf_free(g);
}

/* Larger than what is held of it at once, with a skip over that much. */
static void
a_long_file_is_read_on(void **state)
{
	enum { TOKENS = 20000, SKIPPED = 300000 };
	static struct forged part;
	char path[PATH_ROOM], text[32];
	const char *bytes;
	struct error err;
	struct gguf *g;
	size_t n;
	FILE *file;

	(void)state;
	make_file(path, "", 0);
	file = fopen(path, "w");
	assert_non_null(file);
	put_header(&part, 4);
	put_array(&part, "tokenizer.ggml.tokens", GGUF_TEXT, TOKENS);
	fwrite(part.bytes, 1, part.size, file);
	for (size_t i = 0; i < TOKENS; i++) {
		part.size = 0;
		snprintf(text, sizeof(text), "token %zu", i);
		put_text(&part, text);
		fwrite(part.bytes, 1, part.size, file);
	}
	part.size = 0;
	put_key(&part, "tokenizer.chat_template", GGUF_TEXT);
	put_number(&part, SKIPPED, 8);
	fwrite(part.bytes, 1, part.size, file);
	for (size_t i = 0; i < SKIPPED; i++)
		putc('x', file);
	part.size = 0;
	put_array(&part, "other", GGUF_F64, SKIPPED);
	fwrite(part.bytes, 1, part.size, file);
	for (size_t i = 0; i < SKIPPED * 8; i++)
		putc('x', file);
	part.size = 0;
	put_string(&part, "general.name", "the last");
	fwrite(part.bytes, 1, part.size, file);
	assert_int_equal(fclose(file), 0);
	g = gguf_read(path, &err);
	unlink(path);
	if (g == NULL)
		fail_msg("%s", err.text);
	assert_string_equal(g->name, "the last");
	assert_int_equal(gguf_tokens(g), TOKENS);
	for (uint32_t i = 0; i < TOKENS; i++) {
		n = (size_t)snprintf(text, sizeof(text), "token %u", i);
		assert_true(pieces_get(g->texts, i, &bytes, &n));
		assert_memory_equal(bytes, text, n);
	}
	gguf_free(g);
}

/* The files' texts are holes, which take no room on the disk. */
static void
tokens_have_a_bound_together(void **state)
{
	enum { TOKENS = 1025 }; /* the last one is beyond 64 MiB */
	static struct forged part;
	char path[PATH_ROOM];
	struct error err;
	struct gguf *g;
	FILE *file;

	(void)state;
	for (long n = TOKENS - 1; n <= TOKENS; n++) {
		make_file(path, "", 0);
		file = fopen(path, "w");
		assert_non_null(file);
		put_header(&part, 1);
		put_array(
		    &part, "tokenizer.ggml.tokens", GGUF_TEXT, (uint64_t)n);
		fwrite(part.bytes, 1, part.size, file);
		part.size = 0;
		put_number(&part, CURSOR_MOST, 8);
		for (long i = 0; i < n; i++) {
			fwrite(part.bytes, 1, part.size, file);
			assert_int_equal(fseek(file, CURSOR_MOST, SEEK_CUR), 0);
		}
		assert_int_equal(ftruncate(fileno(file), ftell(file)), 0);
		assert_int_equal(fclose(file), 0);
		g = gguf_read(path, &err);
		unlink(path);
		assert_int_equal(g != NULL, n < TOKENS);
		gguf_free(g);
	}
	assert_non_null(strstr(err.text,
	    ": tokenizer.ggml.tokens: more than 67108864 bytes of tokens"));
}

/* Refused, and the message has these words in this order. */
static void
assert_refused(const struct forged *f, const char *const *words, size_t n)
{
	struct error err;
	struct gguf *g = read_forged(f, &err);
	const char *at = err.text;

	if (g != NULL)
		fail_msg("'%s' was read", words[0]);
	assert_int_equal(err.status, STATUS_FAILED);
	for (size_t i = 0; i < n; i++) {
		at = strstr(at, words[i]);
		if (at == NULL)
			fail_msg("no '%s' in: %s", words[i], err.text);
	}
}

#define REFUSED(f, ...)                                       \
	assert_refused(f, (const char *const[]){__VA_ARGS__}, \
	    LENGTH(((const char *const[]){__VA_ARGS__})))

static void
every_truncation_is_refused(void **state)
{
	struct forged f;
	size_t whole;

	(void)state;
	put_everything(&f);
	whole = f.size;
	for (f.size = 0; f.size < whole; f.size++)
		REFUSED(&f, ": byte ", "cut off or damaged");
}

/* Read or refused, but never a crash: the sanitizers look on. */
static void
every_changed_byte_comes_to_something(void **state)
{
	static const unsigned char others[] = {0, 1, 9, 0x7f, 0x80, 0xff};
	char path[PATH_ROOM];
	unsigned char byte;
	struct forged f;
	struct error err;
	struct gguf *g;
	size_t refused = 0;
	int fd;

	(void)state;
	put_everything(&f);
	make_file(path, f.bytes, f.size);
	fd = open(path, O_WRONLY);
	assert_true(fd >= 0);
	for (size_t at = 0; at < f.size; at++) {
		for (size_t i = 0; i < LENGTH(others) + 8; i++) {
			byte = (unsigned char)(f.bytes[at] ^ 1U << i);
			if (i >= 8)
				byte = others[i - 8];
			assert_int_equal(pwrite(fd, &byte, 1, (off_t)at), 1);
			err.text[0] = '\0';
			g = gguf_read(path, &err);
			if (g == NULL && err.text[0] == '\0')
				fail_msg("byte %zu: no message", at);
			refused += g == NULL;
			gguf_free(g);
		}
		assert_int_equal(pwrite(fd, &f.bytes[at], 1, (off_t)at), 1);
	}
	assert_true(refused > f.size);
	close(fd);
	unlink(path);
}

static void
the_header_is_checked(void **state)
{
	struct forged f;

	(void)state;
	put_everything(&f);
	f.bytes[0] = 'g';
	REFUSED(&f, "byte 0: ", "begins with the letters GGUF");
	put_everything(&f);
	f.bytes[4] = 1;
	REFUSED(&f, "byte 4: ", "version 1 of GGUF", "2 or 3 is wanted");
	f.bytes[4] = 4;
	REFUSED(&f, "byte 4: ", "version 4 of GGUF", "2 or 3 is wanted");
	memcpy(f.bytes + 4, "\0\0\0\3", 4);
	REFUSED(&f, "byte 4: ", "byte-swapped");
	memcpy(f.bytes + 4, "\2\0\0", 4);
	gguf_free(must_read(&f));
	put_header(&f, 65537);
	REFUSED(&f, "byte 16: ", "65537 keys", "at most 65536");
	put_header(&f, UINT64_MAX);
	REFUSED(&f, "byte 16: ", "18446744073709551615 keys");
}

/* What is claimed is held against what is there. */
static void
forged_counts_are_refused(void **state)
{
	static const uint64_t claims[] = {1000, UINT32_MAX,
	    UINT64_C(1) << 32 | 1, UINT64_C(1) << 61, UINT64_C(1) << 63,
	    UINT64_MAX / 4 + 1, UINT64_MAX};
	struct forged f;

	(void)state;
	for (size_t i = 0; i < LENGTH(claims); i++) {
		put_header(&f, 1);
		put_number(&f, claims[i], 8);
		REFUSED(&f, "byte 32: ", "bytes of a text can't be in the 0");
		for (enum gguf_type t = 0; t < GGUF_TYPES; t++) {
			if (t == GGUF_ARRAY)
				continue;
			put_header(&f, 1);
			put_array(&f, "any", t, claims[i]);
			put_number(&f, 0, 8);
			REFUSED(&f, "any: ", "items can't be in the 8 bytes");
		}
		put_header(&f, 1);
		put_array(&f, "tokenizer.ggml.tokens", GGUF_TEXT, claims[i]);
		put_number(&f, 0, 8);
		REFUSED(&f, "tokenizer.ggml.tokens: ", "items can't be");
		put_header(&f, 1);
		put_array(&f, "tokenizer.ggml.token_type", GGUF_I32, claims[i]);
		REFUSED(&f, "tokenizer.ggml.token_type: ", "items can't be");
		put_header(&f, 1);
		put_key(&f, "any", GGUF_TEXT);
		put_number(&f, claims[i], 8);
		REFUSED(&f, "any: ", "bytes of a text can't be");
		put_header(&f, 1);
		put_array(&f, "tokenizer.ggml.tokens", GGUF_TEXT, 1);
		put_number(&f, claims[i], 8);
		REFUSED(&f, "tokenizer.ggml.tokens: ", "of a text can't be");
	}
	put_header(&f, 1);
	put_array(&f, "tokenizer.ggml.tokens", GGUF_TEXT, 0);
	REFUSED(&f, "tokenizer.ggml.tokens: ", "0 tokens", "wanted");
}

/* One that is passed over may be of any length. */
static void
a_text_that_is_looked_at_is_short(void **state)
{
	static char text[65536 + 1];
	struct forged f;
	struct gguf *g;

	(void)state;
	memset(text, 'x', sizeof(text) - 1);
	put_header(&f, 1);
	put_string(&f, "any", text);
	gguf_free(must_read(&f));
	put_header(&f, 1);
	put_string(&f, "general.name", text);
	REFUSED(&f, "general.name: ", "65536 bytes: at most 65535");
	put_header(&f, 1);
	put_string(&f, text, "");
	REFUSED(&f, "byte 24: ", "65536 bytes: at most 65535");
	text[65535] = '\0';
	put_header(&f, 1);
	put_string(&f, "general.name", text);
	g = must_read(&f);
	assert_string_equal(g->name, text);
	gguf_free(g);
}

static void
keys_come_once(void **state)
{
	struct forged f;

	(void)state;
	put_header(&f, 3);
	put_string(&f, "one", "");
	put_string(&f, "two", "");
	put_string(&f, "one", "");
	REFUSED(&f, "byte 70: ", "one: ", "second time");
	put_header(&f, 2);
	put_string(&f, "", "");
	put_string(&f, "", "");
	REFUSED(&f, "second time");
}

static void
arrays_of_arrays_are_refused(void **state)
{
	struct forged f;

	(void)state;
	put_header(&f, 1);
	put_array(&f, "deep", GGUF_ARRAY, 1);
	put_number(&f, GGUF_U8, 4);
	put_number(&f, 0, 8);
	REFUSED(&f, "byte 40: ", "deep: ", "array of arrays");
	put_header(&f, 1);
	put_array(&f, "tokenizer.ggml.tokens", GGUF_ARRAY, 1);
	put_number(&f, GGUF_TEXT, 4);
	put_number(&f, 0, 8);
	REFUSED(&f, "tokenizer.ggml.tokens: ", "array of string is wanted");
}

static void
wrong_types_are_refused(void **state)
{
	struct forged f;

	(void)state;
	put_header(&f, 1);
	put_key(&f, "any", GGUF_TYPES);
	put_number(&f, 0, 8);
	REFUSED(&f, "byte 35: ", "any: ", "13 is no type", "0 to 12");
	put_header(&f, 1);
	put_array(&f, "any", (enum gguf_type)77, 1);
	put_number(&f, 0, 8);
	REFUSED(&f, "byte 39: ", "any: ", "77 is no type");
	put_header(&f, 1);
	put_string(&f, "tokenizer.ggml.tokens", "a");
	REFUSED(&f, "tokens: ", "of type string: array is wanted");
	put_header(&f, 1);
	put_array(&f, "tokenizer.ggml.token_type", GGUF_F32, 1);
	put_number(&f, 1, 4);
	REFUSED(&f, "array of f32: array of i32 is wanted");
	put_header(&f, 1);
	put_key(&f, "tokenizer.ggml.model", GGUF_U8);
	put_number(&f, 1, 1);
	REFUSED(&f, "of type u8: string is wanted");
	put_header(&f, 1);
	put_float(&f, "tokenizer.ggml.eos_token_id", 2);
	REFUSED(&f, "of type f32: a whole number is wanted");
	put_header(&f, 1);
	put_string(&f, "general.sampling.temp", "1");
	REFUSED(&f, "of type string: a number is wanted");
	put_header(&f, 1);
	put_key(&f, "general.sampling.top_k", GGUF_BOOL);
	put_number(&f, 1, 1);
	REFUSED(&f, "of type bool: a number is wanted");
	put_header(&f, 1);
	put_float(&f, "general.sampling.temp", NAN);
	REFUSED(&f, "general.sampling.temp: ", "finite number is wanted");
	put_header(&f, 1);
	put_float(&f, "general.sampling.temp", INFINITY);
	REFUSED(&f, "general.sampling.temp: ", "finite number is wanted");
}

static void
whole_numbers_of_each_type_are_read(void **state)
{
	static const struct {
		enum gguf_type type;
		size_t size;
		uint64_t bits;
		const char *text;
	} numbers[] = {
	    {GGUF_U8, 1, 200, "200"},
	    {GGUF_I8, 1, 200, "-56"},
	    {GGUF_U16, 2, 65535, "65535"},
	    {GGUF_I16, 2, 0x8000, "-32768"},
	    {GGUF_U32, 4, UINT32_MAX, "4294967295"},
	    {GGUF_I32, 4, UINT32_MAX, "-1"},
	    {GGUF_I32, 4, INT32_MAX, "2147483647"},
	    {GGUF_U64, 8, UINT64_MAX, "18446744073709551615"},
	    {GGUF_I64, 8, UINT64_MAX, "-1"},
	    {GGUF_I64, 8, UINT64_C(1) << 63, "-9223372036854775808"},
	};
	struct forged f;
	struct gguf *g;

	(void)state;
	for (size_t i = 0; i < LENGTH(numbers); i++) {
		put_header(&f, 1);
		put_key(&f, "general.sampling.top_k", numbers[i].type);
		put_number(&f, numbers[i].bits, numbers[i].size);
		g = must_read(&f);
		assert_string_equal(setting(g, "top_k")->text, numbers[i].text);
		assert_true(setting(g, "top_k")->number ==
		    strtod(numbers[i].text, NULL));
		gguf_free(g);
	}
}

static void
types_and_tokens_are_as_many(void **state)
{
	static const char *const texts[] = {"a", "b"};
	static const int types[] = {1, 3, 1};
	static const int wrong[] = {1, 7}, negative[] = {-1, 1};
	struct forged f;

	(void)state;
	for (size_t n = 1; n <= 3; n += 2) {
		put_header(&f, 2);
		put_types(&f, types, n);
		put_tokens(&f, texts, LENGTH(texts));
		REFUSED(&f, "token_type: ", "types and 2 tokens");
	}
	put_header(&f, 1);
	put_types(&f, wrong, 2);
	REFUSED(&f, "token_type: ", "7 is no type");
	put_header(&f, 1);
	put_types(&f, negative, 2);
	REFUSED(&f, "token_type: ", "-1 is no type");
}

static void
ends_are_in_the_vocabulary(void **state)
{
	static const char *const texts[] = {"a", "b"};
	static const uint32_t wrong[] = {2, INT32_MAX, UINT32_MAX};
	struct forged f;

	(void)state;
	for (size_t i = 0; i < LENGTH(wrong); i++) {
		put_header(&f, 2);
		put_key(&f, "tokenizer.ggml.eot_token_id", GGUF_U32);
		put_number(&f, wrong[i], 4);
		put_tokens(&f, texts, LENGTH(texts));
		REFUSED(&f, "byte 63: ", "tokenizer.ggml.eot_token_id: ");
	}
	put_header(&f, 1);
	put_key(&f, "tokenizer.ggml.eot_token_id", GGUF_I32);
	put_number(&f, UINT32_MAX, 4);
	REFUSED(&f, "-1 is no token id");
}

static void
the_ends_are_a_set(void **state)
{
	static const char *const texts[] = {"<eos>", "</s>", "<|im_end|>", "x",
	    "<|eot_id|>", "<|im_end|> ", "<turn|>", "<|im_en"};
	static const int types[] = {1, 3, 4, 1, 3, 3, 2, 3};
	static const uint32_t expected[] = {1, 2, 3, 4};
	struct forged f;
	struct gguf *g;

	(void)state;
	put_header(&f, 5);
	put_key(&f, "tokenizer.ggml.eos_token_id", GGUF_U32);
	put_number(&f, 3, 4);
	put_key(&f, "tokenizer.ggml.eot_token_id", GGUF_U8);
	put_number(&f, 4, 1);
	put_key(&f, "tokenizer.ggml.eom_token_id", GGUF_I64);
	put_number(&f, 3, 8);
	put_tokens(&f, texts, LENGTH(texts));
	put_types(&f, types, LENGTH(types));
	g = must_read(&f);
	assert_int_equal(g->n_ends, LENGTH(expected));
	assert_memory_equal(g->ends, expected, sizeof(expected));
	gguf_free(g);
	/* Without types all are normal; without tokens ids are taken as is. */
	put_header(&f, 1);
	put_tokens(&f, texts, LENGTH(texts));
	g = must_read(&f);
	assert_int_equal(g->n_ends, 0);
	gguf_free(g);
	put_header(&f, 2);
	put_key(&f, "tokenizer.ggml.eos_token_id", GGUF_U32);
	put_number(&f, 9, 4);
	put_key(&f, "tokenizer.ggml.eom_token_id", GGUF_U32);
	put_number(&f, 5, 4);
	g = must_read(&f);
	assert_int_equal(g->n_ends, 2);
	assert_int_equal(g->ends[0], 5);
	assert_int_equal(g->ends[1], 9);
	gguf_free(g);
}

/* As many keys as may be, all of them remembered. */
static void
many_keys_are_told_apart(void **state)
{
	enum { KEYS = 2000 };
	struct forged f;
	char key[16];

	(void)state;
	put_header(&f, KEYS);
	for (int i = 0; i < KEYS; i++) {
		snprintf(key, sizeof(key), "key %d", i);
		put_key(&f, key, GGUF_U8);
		put_number(&f, 0, 1);
	}
	gguf_free(must_read(&f));
	put_header(&f, KEYS);
	for (int i = 0; i < KEYS; i++) {
		snprintf(key, sizeof(key), "key %d", i % (KEYS - 1));
		put_key(&f, key, GGUF_U8);
		put_number(&f, 0, 1);
	}
	REFUSED(&f, "key 0: ", "second time");
}

static void
a_file_that_is_not_there_is_named(void **state)
{
	struct error err;

	(void)state;
	assert_null(gguf_read("/nonexistent/model.gguf", &err));
	assert_non_null(strstr(err.text, "/nonexistent/model.gguf: "));
	assert_null(gguf_read("/", &err));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_file_is_understood),
	    cmocka_unit_test(only_the_metadata_is_read),
	    cmocka_unit_test(a_long_file_is_read_on),
	    cmocka_unit_test(tokens_have_a_bound_together),
	    cmocka_unit_test(every_truncation_is_refused),
	    cmocka_unit_test(every_changed_byte_comes_to_something),
	    cmocka_unit_test(the_header_is_checked),
	    cmocka_unit_test(forged_counts_are_refused),
	    cmocka_unit_test(a_text_that_is_looked_at_is_short),
	    cmocka_unit_test(keys_come_once),
	    cmocka_unit_test(arrays_of_arrays_are_refused),
	    cmocka_unit_test(wrong_types_are_refused),
	    cmocka_unit_test(whole_numbers_of_each_type_are_read),
	    cmocka_unit_test(types_and_tokens_are_as_many),
	    cmocka_unit_test(ends_are_in_the_vocabulary),
	    cmocka_unit_test(the_ends_are_a_set),
	    cmocka_unit_test(many_keys_are_told_apart),
	    cmocka_unit_test(a_file_that_is_not_there_is_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
