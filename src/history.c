/* SPDX-License-Identifier: MIT */
/* The conversation so far: its window, its length, when it ends. */
#include "history.h"

#include <inttypes.h>

const char *
stop_name(enum stop stop)
{
	static const char *const names[] = {
	    [STOP_NONE] = "none",
	    [STOP_EOS] = "eos",
	    [STOP_TOKEN_LIMIT] = "token-limit",
	    [STOP_CONTEXT_LIMIT] = "context-limit",
	    [STOP_DEAD_END] = "dead-end",
	    [STOP_LAST_ROW] = "last-row",
	    [STOP_END_OF_INPUT] = "end-of-input",
	    [STOP_ERROR] = "error",
	};

	return names[stop];
}

static bool
prompt_fits(const struct history *h, struct error *err)
{
	if (h->rules->context <= 0 || h->prompt <= (uint64_t)h->rules->context)
		return true;
	return error_set(err, STATUS_USAGE,
	    "--ctx-size: the prompt's %" PRIu64
	    " ids do not fit a context of %" PRId64,
	    h->prompt, h->rules->context);
}

bool
history_open(struct history *h, size_t vocab, int64_t last_n,
    const struct ids *prompt, const struct stop_rules *rules, struct error *err)
{
	*h = (struct history){.rules = rules, .prompt = prompt->size};
	if (!prompt_fits(h, err))
		return false;
	h->window = window_new(vocab, last_n, err);
	if (h->window == NULL)
		return false;
	for (size_t i = 0; i < prompt->size; i++)
		if (!window_add(h->window, prompt->list[i], err))
			return false;
	return true;
}

bool
history_go_on(
    struct history *h, uint64_t prompt, uint64_t tokens, struct error *err)
{
	h->prompt = prompt;
	h->tokens = tokens;
	return prompt_fits(h, err);
}

void
history_close(struct history *h)
{
	window_free(h->window);
	h->window = NULL;
}

static bool
all_below(
    const struct ids *ids, size_t vocab, const char *option, struct error *err)
{
	for (size_t i = 0; i < ids->size; i++)
		if (ids->list[i] >= vocab)
			return error_set(err, STATUS_USAGE,
			    "%s: token %" PRIu32
			    " is outside the vocabulary: ids are 0 to %zu",
			    option, ids->list[i], vocab - 1);
	return true;
}

bool
history_check_ids(const struct ids *prompt, const struct stop_rules *rules,
    size_t vocab, struct error *err)
{
	return all_below(prompt, vocab, "--prompt", err) &&
	    all_below(&rules->ends, vocab, "--eos", err);
}

static bool
is_end(const struct ids *ends, uint32_t id)
{
	for (size_t i = 0; i < ends->size; i++)
		if (ends->list[i] == id)
			return true;
	return false;
}

bool
history_enough(const struct history *h, uint64_t tokens)
{
	return h->rules->predict >= 0 && tokens >= (uint64_t)h->rules->predict;
}

static bool
tokens_spent(const struct history *h)
{
	return history_enough(h, h->tokens);
}

static bool
context_spent(const struct history *h)
{
	return h->rules->context > 0 &&
	    h->prompt + h->tokens > (uint64_t)h->rules->context;
}

enum stop
history_stop_before(const struct history *h)
{
	if (tokens_spent(h))
		return STOP_TOKEN_LIMIT;
	return context_spent(h) ? STOP_CONTEXT_LIMIT : STOP_NONE;
}

bool
history_check_next(const struct history *h, struct error *err)
{
	return window_make_room(h->window, err);
}

bool
history_add_before(struct history *h, uint32_t id, struct error *err)
{
	h->prompt++;
	return window_add(h->window, id, err);
}

enum stop
history_add(struct history *h, uint32_t drawn, uint32_t joins)
{
	h->tokens++;
	window_put(h->window, joins);
	if (is_end(&h->rules->ends, drawn))
		return STOP_EOS;
	return history_stop_before(h);
}
