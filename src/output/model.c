/* SPDX-License-Identifier: MIT */
/* What a model file says, for people. */
#include "model.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "excerpt.h"
#include "pen.h"
#include "shortest.h"

/* Where the values stand. */
enum { COLUMN = 26, EXCERPT_WIDTH = 80 };

/* A text out of the file, which may hold anything: quoted. */
static void
put_quoted(struct pen *p, const char *text, size_t n)
{
	struct excerpt e;

	excerpt_make(&e, text, n, EXCERPT_WIDTH, p->terminal.unicode);
	pen_text(p, e.text, e.size, e.columns);
}

static void
put_text(struct pen *p, const char *what, const char *text)
{
	pen_left(p, what, COLUMN);
	if (text != NULL)
		put_quoted(p, text, strlen(text));
	else
		pen_left(p, "none", 0);
	pen_line(p);
}

static void
put_count(struct pen *p, const char *what, uint64_t n)
{
	char number[32];

	snprintf(number, sizeof(number), "%" PRIu64, n);
	pen_left(p, what, COLUMN);
	pen_left(p, number, 0);
	pen_line(p);
}

static void
put_tokens(struct pen *p, const struct gguf *g)
{
	uint64_t counts[TOKEN_TYPES] = {0};
	size_t tokens = gguf_tokens(g);
	char what[COLUMN];

	put_count(p, "tokens", tokens);
	for (size_t id = 0; id < tokens; id++)
		counts[gguf_type(g, (uint32_t)id)]++;
	for (size_t type = 0; type < TOKEN_TYPES; type++) {
		snprintf(what, sizeof(what), "  %s", token_type_names[type]);
		if (counts[type] > 0)
			put_count(p, what, counts[type]);
	}
}

static void
put_ends(struct pen *p, const struct gguf *g)
{
	const char *text = "";
	char number[16];
	size_t n = 0;

	for (size_t i = 0; i < g->n_ends; i++) {
		snprintf(number, sizeof(number), "%" PRIu32, g->ends[i]);
		pen_left(p, "end of text", COLUMN);
		pen_left(p, number, 0);
		if (g->texts != NULL) { /* they are among the tokens */
			pieces_get(g->texts, g->ends[i], &text, &n);
			pen_blanks(p, 1);
			put_quoted(p, text, n);
		}
		pen_line(p);
	}
}

/* The sequence is a text; a float is told by as few digits as will do. */
static void
put_setting(struct pen *p, const char *key, const struct gguf_value *v)
{
	char what[COLUMN], number[SHORTEST];

	if (v->text == NULL)
		return;
	snprintf(what, sizeof(what), "sampling.%s", key);
	pen_left(p, what, COLUMN);
	if (v->single)
		shortest_float(number, (float)v->number);
	if (key == gguf_setting_keys[0])
		put_quoted(p, v->text, strlen(v->text));
	else
		pen_left(p, v->single ? number : v->text, 0);
	pen_line(p);
}

bool
model_write(
    struct buffer *b, const struct gguf *g, const char *file, struct error *err)
{
	struct pen p;

	pen_begin(&p, b, terminal_look(b->fd), err);
	put_text(&p, "file", file);
	put_count(&p, "GGUF version", g->version);
	put_count(&p, "keys", g->keys);
	put_count(&p, "bytes read", g->bytes);
	put_text(&p, "architecture", g->architecture);
	put_text(&p, "name", g->name);
	put_text(&p, "tokenizer", g->tokenizer);
	put_tokens(&p, g);
	put_ends(&p, g);
	for (size_t i = 0; i < GGUF_SETTINGS; i++)
		put_setting(&p, gguf_setting_keys[i], &g->settings[i]);
	return pen_end(&p);
}
