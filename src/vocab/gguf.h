/* SPDX-License-Identifier: MIT */
/* What the metadata of a GGUF model file says that concerns sampling. */
#ifndef TOKPICK_GGUF_H
#define TOKPICK_GGUF_H

#include "pieces.h"

/* As they are numbered in the file. */
enum token_type {
	TOKEN_UNDEFINED,
	TOKEN_NORMAL,
	TOKEN_UNKNOWN,
	TOKEN_CONTROL,
	TOKEN_USER_DEFINED,
	TOKEN_UNUSED,
	TOKEN_BYTE,
	TOKEN_TYPES,
};
extern const char *const token_type_names[TOKEN_TYPES];

/* A value of the file; all zero where it has none of that key. */
struct gguf_value {
	char *text;    /* a number so that it reads back exactly */
	double number; /* unless the value is a text */
	bool single;   /* the number is of 32 bits and has a fraction */
	uint64_t at;   /* the byte where it stands */
};

/* Ids that may end a text, and keys below "general.sampling.". */
enum { GGUF_ENDS = 3, GGUF_SETTINGS = 12 };
extern const char *const gguf_end_keys[GGUF_ENDS];
extern const char *const gguf_setting_keys[GGUF_SETTINGS];

struct gguf {
	uint32_t version;
	uint64_t keys;
	uint64_t bytes;     /* of the metadata */
	char *architecture; /* texts are NULL where there are none */
	char *name;
	char *tokenizer;
	struct pieces *texts; /* of the tokens as they stand, NULL: none */
	unsigned char *types; /* one for each token; NULL: all are normal */
	size_t n_types;
	struct gguf_value end_ids[GGUF_ENDS];
	struct gguf_value settings[GGUF_SETTINGS];
	uint32_t *ends; /* all the ids that end a text, ascending */
	size_t n_ends;
};

/*
 * Read the metadata of a file, or of standard input for "-", and nothing
 * behind it: a pipe will do.  Memory grows with what was read, never by a
 * number that the file claims.  NULL and err on failure, with the byte, the
 * key and what would be right.
 */
struct gguf *gguf_read(const char *file, struct error *);
void gguf_free(struct gguf *);

/* How many tokens there are; 0 where the file does not tell. */
size_t gguf_tokens(const struct gguf *);
enum token_type gguf_type(const struct gguf *, uint32_t id);

#endif
