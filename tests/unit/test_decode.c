/* SPDX-License-Identifier: MIT */
/* The bytes of a model file's tokens, for each kind of tokenizer. */
#include "gguf.h"

#include "../../src/vocab/decode.h"

/* The bytes that one token stands for, in a model of that tokenizer. */
static void
check_bytes(const char *tokenizer, int type, const char *text,
    const char *expected, size_t size)
{
	struct forged f;
	struct error err;
	struct gguf *g;
	struct pieces *p;
	const char *bytes;
	size_t n;

	put_header(&f, tokenizer != NULL ? 3 : 2);
	if (tokenizer != NULL)
		put_string(&f, "tokenizer.ggml.model", tokenizer);
	put_tokens(&f, &text, 1);
	put_types(&f, &type, 1);
	g = must_read(&f);
	p = decode_pieces(g, &err);
	assert_non_null(p);
	assert_int_equal(pieces_count(p), 1);
	assert_true(pieces_get(p, 0, &bytes, &n));
	if (n != size || memcmp(bytes, expected, n) != 0)
		fail_msg("%s, type %d: '%s' has become '%.*s'", tokenizer, type,
		    text, (int)n, bytes);
	assert_int_equal(pieces_is_silent(p, 0), type == TOKEN_CONTROL);
	pieces_free(p);
	gguf_free(g);
}

#define CHECK(tokenizer, type, text, expected) \
	check_bytes(tokenizer, type, text, expected, sizeof(expected) - 1)

static void
sentencepiece_has_a_block_for_a_blank(void **state)
{
	static const char *const kinds[] = {"llama", "t5", "gemma4", "bert"};

	(void)state;
	for (size_t i = 0; i < LENGTH(kinds); i++) {
		CHECK(kinds[i], TOKEN_NORMAL, "\u2581the", " the");
		CHECK(kinds[i], TOKEN_NORMAL, "\u2581\u2581", "  ");
		CHECK(kinds[i], TOKEN_NORMAL, "a\u2581", "a ");
		CHECK(kinds[i], TOKEN_NORMAL, "\u2580\u2582", "\u2580\u2582");
		CHECK(kinds[i], TOKEN_NORMAL, "\xe2\x96", "\xe2\x96");
		CHECK(kinds[i], TOKEN_NORMAL, "", "");
		CHECK(kinds[i], TOKEN_NORMAL, "<0x0A>", "<0x0A>");
		CHECK(kinds[i], TOKEN_NORMAL, "\u0120a", "\u0120a");
	}
}

static void
bytes_have_tokens_of_their_own(void **state)
{
	(void)state;
	CHECK("llama", TOKEN_BYTE, "<0x0A>", "\n");
	CHECK("llama", TOKEN_BYTE, "<0x00>", "\0");
	CHECK("llama", TOKEN_BYTE, "<0xff>", "\xff");
	CHECK("gemma4", TOKEN_BYTE, "<0xE2>", "\xe2");
	/* What is none is taken as it is. */
	CHECK("llama", TOKEN_BYTE, "<0xG0>", "<0xG0>");
	CHECK("llama", TOKEN_BYTE, "<0x0A", "<0x0A");
	CHECK("llama", TOKEN_BYTE, "<0x00A>", "<0x00A>");
	CHECK("llama", TOKEN_BYTE, "[0x0A>", "[0x0A>");
	CHECK("llama", TOKEN_BYTE, "<0x0A]", "<0x0A]");
	CHECK("llama", TOKEN_BYTE, "\u2581", "\u2581");
}

/* Of all kinds, text that is not normal is the text itself. */
static void
special_tokens_are_their_texts(void **state)
{
	static const char *const kinds[] = {"llama", "gpt2", "rwkv", "other"};
	static const char text[] = "<\u2581\u0120\\n>";

	(void)state;
	for (size_t i = 0; i < LENGTH(kinds); i++) {
		CHECK(kinds[i], TOKEN_UNKNOWN, text, "<\u2581\u0120\\n>");
		CHECK(kinds[i], TOKEN_CONTROL, text, "<\u2581\u0120\\n>");
		CHECK(kinds[i], TOKEN_USER_DEFINED, text, "<\u2581\u0120\\n>");
		CHECK(kinds[i], TOKEN_UNUSED, text, "");
		CHECK(kinds[i], TOKEN_UNDEFINED, text, "");
	}
}

/*
 * The table as it was published for GPT-2: printable bytes are themselves,
 * the others take the next code point from U+0100 on.
 */
static void
byte_bpe_has_a_character_for_each_byte(void **state)
{
	char text[3], byte;
	unsigned next = 0x100, point;

	(void)state;
	for (unsigned i = 0; i < 256; i++) {
		point = i;
		if (i <= ' ' || (i >= 0x7f && i <= 0xa0) || i == 0xad)
			point = next++;
		memset(text, 0, sizeof(text));
		text[0] = (char)point;
		if (point >= 0x80) {
			text[0] = (char)(0xc0 | point >> 6);
			text[1] = (char)(0x80 | (point & 0x3f));
		}
		byte = (char)i;
		check_bytes("gpt2", TOKEN_NORMAL, text, &byte, 1);
	}
	assert_int_equal(next, 0x144);
	CHECK("gpt2", TOKEN_NORMAL, "\u0120the", " the");
	CHECK("gpt2", TOKEN_NORMAL, "\u010a\u010a", "\n\n");
	CHECK("gpt2", TOKEN_NORMAL, "\u00e2\u0122\u00ac", "\xe2\x80\xac");
}

/* As tokens that were added later have it: spaces, other scripts. */
static void
what_no_byte_is_written_as_is_itself(void **state)
{
	(void)state;
	CHECK("gpt2", TOKEN_NORMAL, "a b", "a b");
	CHECK("gpt2", TOKEN_NORMAL, "\u0144", "\u0144");
	CHECK("gpt2", TOKEN_NORMAL, "\u07ff\u0800", "\u07ff\u0800");
	CHECK("gpt2", TOKEN_NORMAL, "\u00ad", "\u00ad");
	CHECK("gpt2", TOKEN_NORMAL, "\U0001f600", "\U0001f600");
	CHECK("gpt2", TOKEN_NORMAL, "\xff\xc4\xa0", "\xff ");
	CHECK("gpt2", TOKEN_NORMAL, "\xc4", "\xc4");
}

static void
rwkv_has_escapes(void **state)
{
	(void)state;
	CHECK("rwkv", TOKEN_NORMAL, "a\\n\\t\\r\\\\", "a\n\t\r\\");
	CHECK("rwkv", TOKEN_NORMAL, "\\xe2\\x96", "\xe2\x96");
	CHECK("rwkv", TOKEN_NORMAL, "it\\'s", "it's");
	CHECK("rwkv", TOKEN_NORMAL, "\\x4", "x4");
	CHECK("rwkv", TOKEN_NORMAL, "\\", "\\");
}

static void
unknown_tokenizers_leave_texts_alone(void **state)
{
	(void)state;
	CHECK("other", TOKEN_NORMAL, "\u2581a\u0120\\n", "\u2581a\u0120\\n");
	CHECK(NULL, TOKEN_NORMAL, "\u2581a\u0120\\n", "\u2581a\u0120\\n");
	CHECK("other", TOKEN_BYTE, "<0x0A>", "\n");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(sentencepiece_has_a_block_for_a_blank),
	    cmocka_unit_test(bytes_have_tokens_of_their_own),
	    cmocka_unit_test(special_tokens_are_their_texts),
	    cmocka_unit_test(byte_bpe_has_a_character_for_each_byte),
	    cmocka_unit_test(what_no_byte_is_written_as_is_itself),
	    cmocka_unit_test(rwkv_has_escapes),
	    cmocka_unit_test(unknown_tokenizers_leave_texts_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
