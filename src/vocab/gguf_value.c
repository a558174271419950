/* SPDX-License-Identifier: MIT */
/* One value of a GGUF file: its type, and what it says. */
#include "gguf_value.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The size of a value; 0 where its beginning tells. */
static const struct {
	const char *name;
	unsigned char size;
} types[GGUF_TYPES] = {{"u8", 1}, {"i8", 1}, {"u16", 2}, {"i16", 2}, {"u32", 4},
    {"i32", 4}, {"f32", 4}, {"bool", 1}, {"string", 0}, {"array", 0},
    {"u64", 8}, {"i64", 8}, {"f64", 8}};

/* What an item takes at least: a text or an array begins with a length. */
static size_t
least_size(enum gguf_type type)
{
	return types[type].size > 0 ? types[type].size : 8;
}

static bool
read_type(struct cursor *c, enum gguf_type *type)
{
	uint64_t number;

	*type = GGUF_TYPES;
	if (!cursor_number(c, 4, &number))
		return false;
	if (number >= GGUF_TYPES)
		return cursor_bad(c, c->at - 4,
		    "%" PRIu64 " is no type of a value: 0 to %d are", number,
		    GGUF_TYPES - 1);
	*type = (enum gguf_type)number;
	return true;
}

static bool
expect_type(struct cursor *c, enum gguf_type wanted, const char *of)
{
	enum gguf_type type = wanted;

	if (!read_type(c, &type))
		return false;
	if (type == wanted)
		return true;
	return cursor_bad(c, c->at - 4, "of type %s%s: %s%s is wanted", of,
	    types[type].name, of, types[wanted].name);
}

const unsigned char *
value_text(struct cursor *c, size_t *n)
{
	uint64_t length;

	if (!cursor_number(c, 8, &length) ||
	    !cursor_check(c, length, 1, "bytes of a text"))
		return NULL;
	if (length > CURSOR_MOST) {
		cursor_bad(c, c->at - 8,
		    "a text of %" PRIu64 " bytes: at most %d are wanted here",
		    length, CURSOR_MOST);
		return NULL;
	}
	*n = (size_t)length;
	return cursor_take(c, *n);
}

bool
value_copy(struct cursor *c, char **copy)
{
	const unsigned char *text;
	size_t n;

	if (!expect_type(c, GGUF_TEXT, ""))
		return false;
	text = value_text(c, &n);
	if (text == NULL)
		return false;
	*copy = malloc(n + 1);
	if (*copy == NULL)
		return error_system(c->error, ENOMEM, "%s", c->key);
	memcpy(*copy, text, n);
	(*copy)[n] = '\0';
	return true;
}

bool
value_array(struct cursor *c, enum gguf_type item, uint64_t *n)
{
	return expect_type(c, GGUF_ARRAY, "") &&
	    expect_type(c, item, "array of ") && cursor_number(c, 8, n) &&
	    cursor_check(c, *n, least_size(item), "items");
}

/* The number as it stands in the file, in its type. */
static void
set_whole(struct gguf_value *v, uint64_t bits, enum gguf_type type)
{
	const unsigned unused = 64 - 8U * types[type].size;
	bool is_signed = type == GGUF_I8 || type == GGUF_I16 ||
	    type == GGUF_I32 || type == GGUF_I64;
	bool negative = is_signed && (bits << unused) >> 63 != 0;

	if (negative) /* its size, without a step out of the type */
		bits = (~bits << unused >> unused) + 1;
	v->number = negative ? -(double)bits : (double)bits;
	snprintf(v->text, 32, "%s%" PRIu64, negative ? "-" : "", bits);
}

/* 17 digits tell every double apart; a float is one, too. */
static bool
set_real(struct gguf_value *v, uint64_t bits, enum gguf_type type)
{
	uint32_t narrow_bits = (uint32_t)bits;
	float narrow;

	v->single = type == GGUF_F32;
	memcpy(&narrow, &narrow_bits, sizeof(narrow));
	memcpy(&v->number, &bits, sizeof(bits));
	if (v->single)
		v->number = (double)narrow;
	snprintf(v->text, 32, "%.17g", v->number);
	return isfinite(v->number);
}

bool
value_number(struct cursor *c, bool whole, struct gguf_value *v)
{
	enum gguf_type type;
	uint64_t bits;
	bool real;

	if (!read_type(c, &type))
		return false;
	real = type == GGUF_F32 || type == GGUF_F64;
	if (types[type].size == 0 || type == GGUF_BOOL || (real && whole))
		return cursor_bad(c, c->at - 4,
		    "of type %s: a %snumber is wanted", types[type].name,
		    whole ? "whole " : "");
	v->at = c->at;
	if (!cursor_number(c, types[type].size, &bits))
		return false;
	v->text = malloc(32);
	if (v->text == NULL)
		return error_system(c->error, ENOMEM, "%s", c->key);
	if (!real)
		set_whole(v, bits, type);
	else if (!set_real(v, bits, type))
		return cursor_bad(
		    c, v->at, "%s: a finite number is wanted", v->text);
	return true;
}

static bool
skip_texts(struct cursor *c, uint64_t n)
{
	uint64_t length;

	for (; n > 0; n--)
		if (!cursor_number(c, 8, &length) ||
		    !cursor_check(c, length, 1, "bytes of a text") ||
		    !cursor_skip(c, length))
			return false;
	return true;
}

static bool
skip_array(struct cursor *c)
{
	enum gguf_type item;
	uint64_t n;

	if (!read_type(c, &item))
		return false;
	if (item == GGUF_ARRAY)
		return cursor_bad(
		    c, c->at - 4, "an array of arrays: none is wanted");
	if (!cursor_number(c, 8, &n) ||
	    !cursor_check(c, n, least_size(item), "items"))
		return false;
	return item == GGUF_TEXT ? skip_texts(c, n)
	                         : cursor_skip(c, n * types[item].size);
}

bool
value_skip(struct cursor *c)
{
	enum gguf_type type;

	if (!read_type(c, &type))
		return false;
	if (type == GGUF_TEXT)
		return skip_texts(c, 1);
	return type == GGUF_ARRAY ? skip_array(c)
	                          : cursor_skip(c, types[type].size);
}
