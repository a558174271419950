/* SPDX-License-Identifier: MIT */
/* From the texts of a model file's tokens to the bytes they stand for. */
#include "decode.h"

#include <stdlib.h>
#include <string.h>

#include "../utf8.h"
#include "cursor.h"

/* Each writes no more bytes than it reads, and returns how many. */
typedef size_t decode(const char *text, size_t n, char *to);

static size_t
as_it_is(const char *text, size_t n, char *to)
{
	memcpy(to, text, n);
	return n;
}

/* SentencePiece and its kin write a blank as U+2581. */
static size_t
from_spm(const char *text, size_t n, char *to)
{
	static const char blank[] = "\u2581";
	const size_t width = sizeof(blank) - 1;
	char *start = to;

	for (size_t i = 0; i < n;) {
		if (n - i >= width && memcmp(text + i, blank, width) == 0) {
			*to++ = ' ';
			i += width;
		} else {
			*to++ = text[i++];
		}
	}
	return (size_t)(to - start);
}

/*
 * The byte that byte-level BPE writes as a code point, or NONE.  Those that
 * can be seen are themselves; the others, 00 to 20, 7F to A0 and AD, are
 * U+0100 and on.
 */
enum { NONE = 256 };
static unsigned
byte_of(unsigned point)
{
	const unsigned first = 0x21, second = 0xa1 - 0x7f;
	unsigned hidden = point - 0x100;

	if (point < 0x100)
		return (point >= 0x21 && point <= 0x7e) ||
		        (point >= 0xa1 && point != 0xad)
		    ? point
		    : NONE;
	if (hidden < first)
		return hidden;
	if (hidden < first + second)
		return 0x7f + hidden - first;
	return hidden == first + second ? 0xad : NONE;
}

/* Characters up to U+07FF have two bytes; U+0143 is the last that counts. */
static size_t
from_bpe(const char *text, size_t n, char *to)
{
	const unsigned char *at = (const unsigned char *)text;
	const unsigned char *end = at + n;
	char *start = to;
	unsigned byte;
	size_t length;

	for (; at < end; at += length) {
		length = utf8_length(at, (size_t)(end - at));
		byte = NONE;
		if (length == 1)
			byte = byte_of(at[0]);
		else if (length == 2)
			byte = byte_of((at[0] & 0x1fU) << 6 | (at[1] & 0x3fU));
		if (length == 0)
			length = 1;
		if (byte != NONE)
			*to++ = (char)byte;
		else /* no part of the alphabet: it is what it is */
			for (size_t i = 0; i < length; i++)
				*to++ = (char)at[i];
	}
	return (size_t)(to - start);
}

/* The escapes of Python's bytes, where \' is a quote. */
static size_t
from_rwkv(const char *text, size_t n, char *to)
{
	const char *end = text + n;
	char *start = to;

	while (text < end) {
		if (*text != '\\' || text + 1 == end) {
			*to++ = *text++;
			continue;
		}
		n = pieces_unescape(text + 1, end, to);
		if (n == 0)
			*to = text[n = 1];
		text += 1 + n;
		to++;
	}
	return (size_t)(to - start);
}

/* <0xNN>; anything else is what it is. */
static size_t
from_byte(const char *text, size_t n, char *to)
{
	char escape[3] = {'x', '0', '0'};

	if (n == 6 && memcmp(text, "<0x", 3) == 0 && text[5] == '>') {
		memcpy(escape + 1, text + 3, 2);
		if (pieces_unescape(escape, escape + 3, to) != 0)
			return 1;
	}
	return as_it_is(text, n, to);
}

static decode *
choose(const struct gguf *g)
{
	static const struct {
		const char *name;
		decode *call;
	} tokenizers[] = {{"llama", from_spm}, {"t5", from_spm},
	    {"gemma4", from_spm}, {"bert", from_spm}, {"gpt2", from_bpe},
	    {"rwkv", from_rwkv}};

	for (size_t i = 0; i < sizeof(tokenizers) / sizeof(tokenizers[0]); i++)
		if (g->tokenizer != NULL &&
		    strcmp(g->tokenizer, tokenizers[i].name) == 0)
			return tokenizers[i].call;
	message_note("tokenizer '%s' is not known: pieces are taken as they "
	             "stand in the file",
	    g->tokenizer != NULL ? g->tokenizer : "");
	return as_it_is;
}

/* As llama.cpp has it, what a model does not use has no bytes. */
static size_t
decode_token(
    enum token_type type, decode *normal, const char *text, size_t n, char *to)
{
	switch (type) {
	case TOKEN_NORMAL:
		return normal(text, n, to);
	case TOKEN_BYTE:
		return from_byte(text, n, to);
	case TOKEN_UNDEFINED:
	case TOKEN_UNUSED:
		return 0;
	default:
		return as_it_is(text, n, to);
	}
}

struct pieces *
decode_pieces(const struct gguf *g, struct error *err)
{
	struct pieces *p = pieces_new(err);
	decode *normal = choose(g);
	char piece[CURSOR_MOST];
	enum token_type type;
	const char *text;
	size_t n;

	if (p == NULL)
		return NULL;
	for (uint32_t id = 0; pieces_get(g->texts, id, &text, &n); id++) {
		type = gguf_type(g, id);
		n = decode_token(type, normal, text, n, piece);
		if (pieces_add(p, piece, n, type == TOKEN_CONTROL, err))
			continue;
		pieces_free(p);
		return NULL;
	}
	return p;
}
