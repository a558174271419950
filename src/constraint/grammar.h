/* SPDX-License-Identifier: MIT */
/* A grammar as a program over bytes and tokens. */
#ifndef TOKPICK_GRAMMAR_H
#define TOKPICK_GRAMMAR_H

#include "utf8_class.h"

/*
 * The program matches from its start on, one instruction after the other
 * unless said otherwise; where ways part, all are followed.
 */
enum op {
	OP_BYTE,      /* the byte a */
	OP_CLASS,     /* a character; a: where its class begins */
	OP_TOKEN,     /* the token a, whole */
	OP_TOKEN_NOT, /* any token but a, whole */
	OP_JUMP,      /* goes on at a */
	OP_SPLIT,     /* goes on at a and at b */
	OP_CALL,      /* the rule at a, then what follows */
	OP_CALL_LAST, /* the rule at a, behind which this one ends */
	OP_END,       /* of a rule */
};

/* Is it one that matches something? */
static inline bool
op_matches(enum op op)
{
	return op <= OP_TOKEN_NOT;
}

/*
 * While a grammar is built, a and b of jumps and splits count from their own
 * instruction, so that pieces of program can be copied; a of a call and of an
 * end is the number of its rule, and b of a call says where in the text it is
 * written.
 */
struct instruction {
	enum op op;
	uint32_t a, b;
};

/* No longer program than this, with all repetitions written out. */
enum { GRAMMAR_SIZE_MAX = 1 << 20 };

struct grammar {
	struct instruction *code;
	size_t size, room;
	size_t start;
	struct utf8_classes classes;
	size_t copied;  /* instructions, by repetitions of repetitions */
	bool too_large; /* the reason why there was no room */
};

void grammar_free(struct grammar *);

/* The building blocks; all are false if there is no memory or no room. */

bool grammar_emit(struct grammar *, enum op, uint32_t a, uint32_t b);

/*
 * What stands from start to the end, from min to max times; max may be
 * GRAMMAR_NO_BOUND.
 */
#define GRAMMAR_NO_BOUND UINT32_MAX
bool grammar_repeat(struct grammar *, size_t start, uint32_t min, uint32_t max);

/*
 * What stands from start to the end is one of several alternatives, and the
 * next is emitted after it.  *last, 0 at first, ties them together until
 * grammar_join() is called behind the last.
 */
bool grammar_alternative(struct grammar *, size_t start, size_t *last);
void grammar_join(struct grammar *, size_t last);

/* A number that differs, most likely, for grammars that do. */
uint64_t grammar_hash(const struct grammar *);

#endif
