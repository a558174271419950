/* SPDX-License-Identifier: MIT */
/* Model files for tests, made of their parts, right or wrong. */
#ifndef TOKPICK_TEST_GGUF_H
#define TOKPICK_TEST_GGUF_H

#include "helper.h"

#include "../../src/vocab/gguf.h"
#include "../../src/vocab/gguf_value.h"

struct forged {
	unsigned char bytes[128 * 1024];
	size_t size;
};

static inline void
put_bytes(struct forged *f, const void *bytes, size_t n)
{
	assert_true(n <= sizeof(f->bytes) - f->size);
	memcpy(f->bytes + f->size, bytes, n);
	f->size += n;
}

static inline void
put_number(struct forged *f, uint64_t value, size_t size)
{
	unsigned char byte;

	for (size_t i = 0; i < size; i++) {
		byte = (unsigned char)(value >> 8 * i);
		put_bytes(f, &byte, 1);
	}
}

static inline void
put_text(struct forged *f, const char *text)
{
	put_number(f, strlen(text), 8);
	put_bytes(f, text, strlen(text));
}

static inline void
put_header(struct forged *f, uint64_t keys)
{
	f->size = 0;
	put_bytes(f, "GGUF", 4);
	put_number(f, 3, 4);
	put_number(f, 291, 8); /* tensors, of which nothing follows */
	put_number(f, keys, 8);
}

static inline void
put_key(struct forged *f, const char *key, enum gguf_type type)
{
	put_text(f, key);
	put_number(f, type, 4);
}

static inline void
put_array(struct forged *f, const char *key, enum gguf_type item, uint64_t n)
{
	put_key(f, key, GGUF_ARRAY);
	put_number(f, item, 4);
	put_number(f, n, 8);
}

static inline void
put_float(struct forged *f, const char *key, float value)
{
	put_key(f, key, GGUF_F32);
	put_number(f, float_bits(value), 4);
}

static inline void
put_tokens(struct forged *f, const char *const *texts, size_t n)
{
	put_array(f, "tokenizer.ggml.tokens", GGUF_TEXT, n);
	for (size_t i = 0; i < n; i++)
		put_text(f, texts[i]);
}

static inline void
put_types(struct forged *f, const int *types, size_t n)
{
	put_array(f, "tokenizer.ggml.token_type", GGUF_I32, n);
	for (size_t i = 0; i < n; i++)
		put_number(f, (uint32_t)types[i], 4);
}

static inline void
put_string(struct forged *f, const char *key, const char *text)
{
	put_key(f, key, GGUF_TEXT);
	put_text(f, text);
}

static inline struct gguf *
read_forged(const struct forged *f, struct error *err)
{
	char path[PATH_ROOM];
	struct gguf *g;

	make_file(path, f->bytes, f->size);
	g = gguf_read(path, err);
	unlink(path);
	return g;
}

static inline struct gguf *
must_read(const struct forged *f)
{
	struct error err;
	struct gguf *g = read_forged(f, &err);

	if (g == NULL)
		fail_msg("%s", err.text);
	return g;
}

/* One of each thing that is read, and of each that is passed over. */
static inline void
put_everything(struct forged *f)
{
	static const char *const texts[] = {
	    "<unk>", "<s>", "</s>", "<0x0A>", "\u2581a", "<|im_end|>"};
	static const int types[] = {2, 3, 3, 6, 1, 4};

	put_header(f, 15);
	put_string(f, "general.architecture", "llama");
	put_string(f, "general.name", "a model");
	put_key(f, "llama.block_count", GGUF_U32);
	put_number(f, 32, 4);
	put_key(f, "some.flag", GGUF_BOOL);
	put_number(f, 1, 1);
	put_string(f, "tokenizer.ggml.model", "llama");
	put_tokens(f, texts, LENGTH(texts));
	put_array(f, "tokenizer.ggml.scores", GGUF_F32, LENGTH(texts));
	for (size_t i = 0; i < LENGTH(texts); i++)
		put_number(f, 0, 4);
	put_types(f, types, LENGTH(types));
	put_array(f, "tokenizer.ggml.merges", GGUF_TEXT, 2);
	put_text(f, "a b");
	put_text(f, "");
	put_key(f, "tokenizer.ggml.eos_token_id", GGUF_U32);
	put_number(f, 2, 4);
	put_string(f, "general.sampling.sequence", "top_k;temperature");
	put_key(f, "general.sampling.top_k", GGUF_I32);
	put_number(f, (uint32_t)-7, 4);
	put_float(f, "general.sampling.temp", 0.8f);
	put_key(f, "general.sampling.min_p", GGUF_F64);
	put_number(f, UINT64_C(0x3fb999999999999a), 8); /* 0.1 */
	put_key(f, "another", GGUF_U64);
	put_number(f, UINT64_MAX, 8);
}

#endif
