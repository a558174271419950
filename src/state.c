/* SPDX-License-Identifier: MIT */
/* Sampler and history to a file and back. */
#include "state.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fnv.h"
#include "input/slurp.h"
#include "whole_file.h"

/* Ids on a line. */
enum { LINE_IDS = 16 };

struct state *
state_new(const char *file, struct error *err)
{
	struct state *s = calloc(1, sizeof(*s));

	if (s != NULL && (s->file = strdup(file)) != NULL)
		return s;
	free(s);
	error_system(err, ENOMEM, "%s", file);
	return NULL;
}

void
state_free(struct state *s)
{
	if (s == NULL)
		return;
	pairs_free(&s->settings);
	pairs_free(&s->memory);
	free(s->file);
	free(s->ids);
	free(s->counts);
	free(s);
}

/* --- Out of a run ------------------------------------------------------ */

static int
compare_ids(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

static bool
take_counts(struct state *s, const struct window *w)
{
	const uint32_t *distinct;

	s->counted = true;
	s->n_ids = window_distinct(w, &distinct);
	s->ids = malloc((s->n_ids + 1) * sizeof(*s->ids));
	s->counts = malloc((s->n_ids + 1) * sizeof(*s->counts));
	if (s->ids == NULL || s->counts == NULL)
		return false;
	if (s->n_ids > 0)
		memcpy(s->ids, distinct, s->n_ids * sizeof(*s->ids));
	qsort(s->ids, s->n_ids, sizeof(*s->ids), compare_ids);
	for (size_t i = 0; i < s->n_ids; i++)
		s->counts[i] = window_count(w, s->ids[i]);
	return true;
}

static bool
take_ids(struct state *s, const struct window *w)
{
	s->n_ids = window_size(w);
	s->ids = malloc((s->n_ids + 1) * sizeof(*s->ids));
	if (s->ids == NULL)
		return false;
	for (size_t i = 0; i < s->n_ids; i++)
		s->ids[i] = window_at(w, i);
	return true;
}

struct state *
state_take(const char *file, const struct sampler *sampler,
    const struct history *h, uint64_t rows, struct error *err)
{
	struct state *s = state_new(file, err);

	if (s == NULL)
		return NULL;
	s->prompt = h->prompt;
	s->tokens = h->tokens;
	s->rows = rows;
	if (!(window_limit(h->window) < 0 ? take_counts(s, h->window)
	                                  : take_ids(s, h->window)))
		error_system(err, ENOMEM, "a state of %zu ids", s->n_ids);
	else if (sampler_remember(sampler, &s->memory, err))
		return s;
	state_free(s);
	return NULL;
}

/* --- To a file --------------------------------------------------------- */

/* The first failure is remembered: callers check once, at the end. */
struct writer {
	const struct state *state;
	const char *version;
	struct buffer *buffer;
	struct error *err;
	bool failed;
	uint64_t sum;
	uint64_t size; /* bytes so far */
};

static void
put(struct writer *w, const char *text, size_t n)
{
	w->sum = fnv_bytes(w->sum, text, n);
	w->size += n;
	if (!w->failed)
		w->failed = !buffer_add(w->buffer, text, n, w->err);
}

static void
put_text(struct writer *w, const char *text)
{
	put(w, text, strlen(text));
}

static void
put_number(struct writer *w, const char *before, uint64_t number)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRIu64, number);
	put_text(w, before);
	put_text(w, text);
}

/* A value may hold any byte, a line may not. */
static void
put_escaped(struct writer *w, const char *text)
{
	char code[5];
	size_t n;

	while (*text != '\0') {
		for (n = 0; (unsigned char)text[n] >= 0x20 && text[n] != 0x7f &&
		     text[n] != '\\';)
			n++;
		put(w, text, n);
		text += n;
		if (*text == '\0')
			break;
		snprintf(code, sizeof(code), "\\x%02x", (unsigned char)*text++);
		put_text(w, code);
	}
}

static void
put_pairs(struct writer *w, const char *key, const struct pairs *p)
{
	for (size_t i = 0; i < p->size; i++) {
		put_text(w, key);
		put_text(w, " ");
		put_text(w, p->list[i].name);
		put_text(w, " ");
		put_escaped(w, p->list[i].value);
		put_text(w, "\n");
	}
}

static void
put_window(struct writer *w)
{
	const struct state *s = w->state;

	put_number(w, s->counted ? "window counts " : "window ids ", s->n_ids);
	for (size_t i = 0; i < s->n_ids; i++) {
		if (i % LINE_IDS == 0)
			put_text(w, s->counted ? "\ncounts" : "\nids");
		put_number(w, " ", s->ids[i]);
		if (s->counted)
			put_number(w, ":", s->counts[i]);
	}
	put_text(w, "\n");
}

bool
state_fits(const char *file, uint64_t size, struct error *err)
{
	if (size <= SLURP_MAX)
		return true;
	return error_set(err, STATUS_FAILED,
	    "%s: the state has more than %d bytes: it could not be read again",
	    file, SLURP_MAX);
}

static bool
fill(void *context, struct buffer *buffer, struct error *err)
{
	struct writer *w = context;
	const struct state *s = w->state;
	char sum[24];

	w->buffer = buffer;
	w->err = err;
	put_text(w, "tokpick state " STATE_FORMAT "\nversion ");
	put_escaped(w, w->version);
	put_text(w, "\n");
	put_pairs(w, "setting", &s->settings);
	put_pairs(w, "sampler", &s->memory);
	put_number(w, "prompt ", s->prompt);
	put_number(w, "\ntokens ", s->tokens);
	put_number(w, "\nrows ", s->rows);
	put_text(w, "\n");
	put_window(w);
	snprintf(sum, sizeof(sum), "end %016" PRIx64 "\n", w->sum);
	put_text(w, sum);
	if (w->failed)
		return false;
	return state_fits(s->file, w->size, err);
}

bool
state_write(const struct state *s, const char *version, struct error *err)
{
	struct writer w = {.state = s, .version = version, .sum = FNV_BEGIN};

	return whole_file_write(s->file, fill, &w, err);
}

/* --- Into a run -------------------------------------------------------- */

static bool
recall(const struct state *s, struct sampler *sampler, const struct pair *p,
    bool reseeded, struct error *err)
{
	struct error inner;

	if (sampler_recall(sampler, p, reseeded, &inner))
		return true;
	return error_set(err, inner.status, "%s: line %zu: sampler %s: %s",
	    s->file, p->line, p->name, inner.text);
}

/* What is needed to go on is not what was needed before. */
static bool
is_another(const struct state *s, const struct pair *p, struct error *err)
{
	bool saved = p->line > 0;

	if (strcmp(p->name, "grammar") != 0 && saved)
		return error_set(err, STATUS_FAILED,
		    "%s: line %zu: a sampler with these settings has no '%s'",
		    s->file, p->line, p->name);
	if (strcmp(p->name, "grammar") != 0)
		return error_set(err, STATUS_FAILED,
		    "%s: there is no line 'sampler %s'", s->file, p->name);
	return error_set(err, STATUS_USAGE,
	    saved ? "%s was saved inside a grammar: give it again"
	          : "%s was not saved inside a grammar",
	    s->file);
}

bool
state_resume_sampler(const struct state *s, struct sampler *sampler,
    bool reseeded, bool forced, struct error *err)
{
	struct pairs fresh = {0};
	const struct pair *p;
	bool good = sampler_remember(sampler, &fresh, err);

	for (size_t i = 0; good && i < fresh.size; i++)
		if (!forced &&
		    pairs_find(&s->memory, fresh.list[i].name) == NULL)
			good = is_another(s, &fresh.list[i], err);
	for (size_t i = 0; good && i < s->memory.size; i++) {
		p = &s->memory.list[i];
		if (pairs_find(&fresh, p->name) != NULL)
			good = recall(s, sampler, p, reseeded, err);
		else if (!forced)
			good = is_another(s, p, err);
	}
	pairs_free(&fresh);
	return good;
}

static bool
resume_window(const struct state *s, struct window *w, struct error *err)
{
	int64_t limit = window_limit(w);

	if (!s->counted) {
		for (size_t i = 0; i < s->n_ids; i++)
			if (!window_add(w, s->ids[i], err))
				return false;
		return true;
	}
	if (limit > 0)
		return error_set(err, STATUS_USAGE,
		    "--repeat-last-n: %" PRId64 ": %s counts the ids of the "
		    "whole conversation, without their order: -1 goes on",
		    limit, s->file);
	for (size_t i = 0; limit < 0 && i < s->n_ids; i++)
		if (!window_add_times(w, s->ids[i], s->counts[i], err))
			return false;
	return true;
}

bool
state_resume_history(
    const struct state *s, struct history *h, struct error *err)
{
	return history_go_on(h, s->prompt, s->tokens, err) &&
	    resume_window(s, h->window, err);
}
