/* SPDX-License-Identifier: MIT */
/* Tokens in a grammar: <[id]>, or <text>. */
#include "gbnf_token.h"

#include <string.h>

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

/* From an id on, the first token with exactly this text. */
static bool
find_text(const struct pieces *pieces, const char *text, size_t n, uint32_t *id)
{
	const char *bytes;
	size_t length;

	for (; pieces_get(pieces, *id, &bytes, &length); ++*id)
		if (length == n && memcmp(bytes, text, n) == 0)
			return true;
	return false;
}

/* With its angle brackets. */
static bool
token_by_text(struct scan *s, const struct pieces *pieces, uint32_t *id)
{
	const char *text = s->at;
	uint32_t another;
	size_t n;

	while (!scan_at_line_end(s) && *s->at != '>')
		s->at++;
	if (scan_at_line_end(s))
		return scan_fail(
		    s, s->at, "a token that is never closed: expecting >");
	n = (size_t)(++s->at - text);
	if (pieces == NULL)
		return scan_fail(s, text,
		    "%.*s: a token by its text needs the pieces of all tokens; "
		    "by its id it is <[id]>",
		    scan_shown(n), text);
	*id = 0;
	if (!find_text(pieces, text, n, id))
		return scan_fail(
		    s, text, "no token is %.*s", scan_shown(n), text);
	another = *id + 1;
	if (find_text(pieces, text, n, &another))
		return scan_fail(s, text,
		    "both tokens %u and %u are %.*s: name one by its id, "
		    "<[%u]>",
		    *id, another, scan_shown(n), text, *id);
	return true;
}

bool
gbnf_token(struct scan *s, const struct pieces *pieces, uint32_t *id)
{
	if (scan_peek(s, 0) != '<')
		return scan_fail(s, s->at, "expecting a token behind !");
	if (scan_peek(s, 1) != '[')
		return token_by_text(s, pieces, id);
	s->at += 2;
	return token_by_id(s, pieces, id);
}
