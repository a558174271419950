/* SPDX-License-Identifier: MIT */
/*
 * The one table of options.  The parser, both helps and the completions are
 * made from it, and the tests hold the manual against it.
 */
#ifndef TOKPICK_TABLE_H
#define TOKPICK_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../message.h"

struct options;
struct pairs;

/* The order in which --help shows them. */
enum group {
	GROUP_INPUT,
	GROUP_DRAW,
	GROUP_LLAMA,
	GROUP_CONVERSATION,
	GROUP_OUTPUT,
	GROUP_COUNT,
};
extern const char *const group_titles[GROUP_COUNT];

/* How an argument is parsed, and what the target is. */
enum kind {
	KIND_FLAG,   /* no argument; bool */
	KIND_ACTION, /* no argument, no target */
	KIND_INT,    /* int64_t within low..high */
	KIND_FLOAT,  /* float within low..high, parsed as one */
	KIND_SEED,   /* uint64_t, or "random" */
	KIND_CHOICE, /* int, an index in words */
	KIND_TEXT,   /* char * */
	KIND_LIST,   /* struct texts, one text each time it is given */
};

/* What an argument names, for completions. */
enum operand { OPERAND_PLAIN, OPERAND_FILE, OPERAND_AT_FILE };

/* One for each of policies[], in its order; and a bit for each. */
enum {
	POLICY_GOLEM,
	POLICY_STRICT,
	POLICY_LLAMA,
	POLICY_LLAMA_2026_07,
	POLICY_LLAMA_2026_05,
	POLICIES
};
enum {
	FOR_GOLEM = 1 << POLICY_GOLEM,
	FOR_LLAMA = 1 << POLICY_LLAMA | 1 << POLICY_LLAMA_2026_07 |
	    1 << POLICY_LLAMA_2026_05,
};

struct option_row {
	const char *name; /* long, without dashes */
	char letter;      /* short, or 0 */
	enum group group;
	bool brief; /* does -h show it too? */
	enum kind kind;
	enum operand operand;
	int value;        /* enum action that ends the parsing, or 0 */
	size_t target;    /* offset in struct options */
	double low, high; /* inclusive; both 0: whatever the type holds */
	const char *const *words; /* KIND_CHOICE's, NULL last */
	const char *argument;     /* its name in helps, NULL without one */
	const char *help;         /* one sentence, no full stop */
	/*
	 * Its value, under each policy, when it isn't given; NULL where the
	 * zero of struct options will do.
	 */
	const char *fallback[POLICIES];
	unsigned policies; /* bits of those that take it, 0: every one */
	const char *off;   /* its value under --no-defaults, if another */
	const char *stage; /* the stage it is for, NULL: not for one */

	/* Does it decide ids, so that a state keeps its value? */
	bool saved;
	bool of_rows; /* so does it, but other rows may have another */

	/*
	 * Where its value is more than its argument, as a text's or a list's
	 * always is; NULL: by its kind.
	 */
	bool (*print)(const struct options *, const char *name, struct pairs *,
	    struct error *);
};

extern const struct option_row option_table[];
extern const size_t option_count;

/* The row of that long name, or NULL. */
const struct option_row *option_find(const char *name);

/* Is it an option of this policy, an index in policies[]? */
bool option_is_taken(const struct option_row *, int policy);

#endif
