/* SPDX-License-Identifier: MIT */
/* One value of a GGUF file: its type, and what it says. */
#ifndef TOKPICK_GGUF_VALUE_H
#define TOKPICK_GGUF_VALUE_H

#include "cursor.h"
#include "gguf.h"

/* As they are numbered in the file; a text is what it calls a string. */
enum gguf_type {
	GGUF_U8,
	GGUF_I8,
	GGUF_U16,
	GGUF_I16,
	GGUF_U32,
	GGUF_I32,
	GGUF_F32,
	GGUF_BOOL,
	GGUF_TEXT,
	GGUF_ARRAY,
	GGUF_U64,
	GGUF_I64,
	GGUF_F64,
	GGUF_TYPES,
};

/*
 * Each but value_text() begins at the type that stands before a value, and
 * refuses one that it has no use for.  NULL or false: the cursor's error
 * says why.
 */

/* A length and so many bytes, up to CURSOR_MOST, as cursor_take() has them. */
const unsigned char *value_text(struct cursor *, size_t *n);

/* A text, allocated, with a NUL behind it. */
bool value_copy(struct cursor *, char **);

/* The head of an array of items of that type, which follow it. */
bool value_array(struct cursor *, enum gguf_type item, uint64_t *n);

/* A finite number, which must be of a type for whole ones if so asked. */
bool value_number(struct cursor *, bool whole, struct gguf_value *);

/* Whatever it is, pass over it.  Arrays of arrays are refused. */
bool value_skip(struct cursor *);

#endif
