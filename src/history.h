/* SPDX-License-Identifier: MIT */
/* The conversation so far: its window, its length, when it ends. */
#ifndef TOKPICK_HISTORY_H
#define TOKPICK_HISTORY_H

#include <stddef.h>
#include <stdint.h>

#include "window.h"

/* A list of token ids, as --prompt and --eos give them. */
struct ids {
	uint32_t *list;
	size_t size;
};

/* When to stop; tokpick(1), "Stop rules". */
struct stop_rules {
	struct ids ends; /* end-of-text ids */
	int64_t predict; /* tokens to write, negative: no limit */
	int64_t context; /* prompt and tokens together, 0: no limit */
};

enum stop {
	STOP_NONE,
	STOP_EOS,
	STOP_TOKEN_LIMIT,
	STOP_CONTEXT_LIMIT,
	STOP_DEAD_END,
	STOP_LAST_ROW,
	STOP_END_OF_INPUT,
	STOP_ERROR,
};

/* The name that summaries use: "eos", "token-limit", … */
const char *stop_name(enum stop);

struct history {
	struct window *window;
	const struct stop_rules *rules;
	uint64_t prompt; /* ids in the prompt */
	uint64_t tokens; /* drawn since, in earlier runs too */
};

/*
 * Begin with a prompt.  rules must outlive the history; last_n is the
 * window's limit.  Refuses a prompt longer than the context.
 */
bool history_open(struct history *, size_t vocab, int64_t last_n,
    const struct ids *prompt, const struct stop_rules *rules, struct error *);
void history_close(struct history *);

/*
 * Before the first row: go on where an earlier run ended, after so many ids
 * of a prompt and tokens.  The window is the caller's to fill.
 */
bool history_go_on(
    struct history *, uint64_t prompt, uint64_t tokens, struct error *);

/* Before the first row: one more id of the prompt. */
bool history_add_before(struct history *, uint32_t id, struct error *);

/* Refuses ids in the prompt or among the ends that the vocabulary lacks. */
bool history_check_ids(const struct ids *prompt, const struct stop_rules *,
    size_t vocab, struct error *);

/* Is that many as many tokens as may be drawn?  Rows, where none is. */
bool history_enough(const struct history *, uint64_t tokens);

/* Is it over before another row is read?  STOP_NONE if not. */
enum stop history_stop_before(const struct history *);

/*
 * Can another token be added?  Refuses, before it is drawn, one for which
 * memory runs out.
 */
bool history_check_next(const struct history *, struct error *);

/*
 * A token that could be was drawn and written: it joins, or the one recorded in
 * its place does.  Returns which rule ends the conversation with it, if one
 * does.
 */
enum stop history_add(struct history *, uint32_t drawn, uint32_t joins);

#endif
