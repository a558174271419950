/* SPDX-License-Identifier: MIT */
/* Tokens in a grammar: <[id]>, or <text>. */
#include "gbnf_token.h"

#include <errno.h>
#include <stdlib.h>

#include "../array.h"

/* Behind "<[". */
static bool
token_by_id(struct scan *s, const struct pieces *pieces, uint32_t *id)
{
	const char *at = s->at;

	if (!scan_number(s, id))
		return false;
	if (scan_peek(s, 0) != ']' || scan_peek(s, 1) != '>')
		return scan_fail(s, s->at, "expecting ]>");
	s->at += 2;
	if (*id == UINT32_MAX)
		return scan_fail(s, at, "no token has so large an id");
	if (pieces != NULL && *id >= pieces_count(pieces))
		return scan_fail(s, at,
		    "no token has the id %u: there are %zu pieces", *id,
		    pieces_count(pieces));
	return true;
}

void
gbnf_texts_free(struct gbnf_texts *t)
{
	intern_free(&t->texts);
	free(t->ids);
}

/* The number of a text; one that was not there is that of no token. */
static bool
find(struct gbnf_texts *t, const char *text, size_t n, uint32_t *number)
{
	const size_t known = t->texts.count;

	if (!array_room(&t->ids, &t->room, known + 1, sizeof(*t->ids)))
		return false;
	*number = intern_add(&t->texts, text, n);
	if (*number == known)
		t->ids[known][0] = t->ids[known][1] = NO_TOKEN;
	return *number != INTERN_NONE;
}

static bool
make(struct gbnf_texts *t)
{
	uint32_t number, *ids;
	const char *bytes;
	size_t n;

	for (uint32_t id = 0; pieces_get(t->pieces, id, &bytes, &n); id++) {
		if (!find(t, bytes, n, &number))
			return false;
		ids = t->ids[number];
		if (ids[1] == NO_TOKEN)
			ids[ids[0] != NO_TOKEN] = id;
	}
	return true;
}

/* With its angle brackets. */
static bool
token_by_text(struct scan *s, struct gbnf_texts *t, uint32_t *id)
{
	const char *text = s->at;
	uint32_t number, another;
	size_t n;

	while (!scan_at_line_end(s) && *s->at != '>')
		s->at++;
	if (scan_at_line_end(s))
		return scan_fail(
		    s, s->at, "a token that is never closed: expecting >");
	n = (size_t)(++s->at - text);
	if (t->pieces == NULL)
		return scan_fail(s, text,
		    "%.*s: a token by its text needs the pieces of all tokens; "
		    "by its id it is <[id]>",
		    scan_shown(n), text);
	if ((t->texts.count == 0 && !make(t)) || !find(t, text, n, &number))
		return error_system(s->err, ENOMEM, "%s", s->where);
	*id = t->ids[number][0];
	another = t->ids[number][1];
	if (*id == NO_TOKEN)
		return scan_fail(
		    s, text, "no token is %.*s", scan_shown(n), text);
	if (another != NO_TOKEN)
		return scan_fail(s, text,
		    "both tokens %u and %u are %.*s: name one by its id, "
		    "<[%u]>",
		    *id, another, scan_shown(n), text, *id);
	return true;
}

bool
gbnf_token(struct scan *s, struct gbnf_texts *t, uint32_t *id)
{
	if (scan_peek(s, 0) != '<')
		return scan_fail(s, s->at, "expecting a token behind !");
	if (scan_peek(s, 1) != '[')
		return token_by_text(s, t, id);
	s->at += 2;
	return token_by_id(s, t->pieces, id);
}
