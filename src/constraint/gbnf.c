/* SPDX-License-Identifier: MIT */
/* Grammars out of GBNF, the notation of llama.cpp. */
#include "gbnf.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../array.h"
#include "gbnf_token.h"
#include "rules.h"

enum { REPEAT_MAX = 2000, DEPTH_MAX = 200 };

/* A rule or a group that has begun. */
struct frame {
	const char *opened; /* its parenthesis */
	size_t start;       /* in the program */
	size_t alternative; /* where the present one begins */
	size_t last;        /* for grammar_alternative() */
};

struct parser {
	struct scan scan;
	struct grammar *g;
	struct gbnf_texts texts;
	struct rules rules;
	struct frame frames[1 + DEPTH_MAX];
	size_t depth;
	size_t item; /* what a repetition repeats begins here, or NO_ITEM */
	struct utf8_range *ranges; /* of a class */
	size_t ranges_room;
};

#define NO_ITEM SIZE_MAX

static bool
no_memory(struct parser *p)
{
	return error_system(p->scan.err, ENOMEM, "%s", p->scan.where);
}

static bool
no_room(struct parser *p, const char *at)
{
	if (!p->g->too_large)
		return no_memory(p);
	return scan_fail(&p->scan, at,
	    "too large: with its repetitions written out, a grammar may have "
	    "%d steps",
	    GRAMMAR_SIZE_MAX);
}

static bool
emit(struct parser *p, const char *at, enum op op, uint32_t a, uint32_t b)
{
	if (grammar_emit(p->g, op, a, b))
		return true;
	return no_room(p, at);
}

/* The bytes of a character, one step each. */
static bool
emit_character(struct parser *p, const char *at, uint32_t c)
{
	static const uint32_t limits[] = {0x80, 0x800, 0x10000, UINT32_MAX};
	static const uint32_t leads[] = {0, 0xc0, 0xe0, 0xf0};
	unsigned tails = 0;

	while (c >= limits[tails])
		tails++;
	if (!emit(p, at, OP_BYTE, leads[tails] | c >> (6 * tails), 0))
		return false;
	for (; tails > 0; tails--)
		if (!emit(p, at, OP_BYTE,
		        0x80 | (c >> (6 * (tails - 1)) & 0x3f), 0))
			return false;
	return true;
}

/* An empty one is nothing that could be repeated. */
static bool
parse_literal(struct parser *p)
{
	struct scan *s = &p->scan;
	const char *at = s->at++;
	uint32_t character;

	p->item = p->g->size;
	while (scan_peek(s, 0) != '"') {
		if (s->at == s->end)
			return scan_fail(s, s->at,
			    "a literal that is never closed: expecting \"");
		if (!scan_character(s, &character) ||
		    !emit_character(p, at, character))
			return false;
	}
	s->at++;
	if (p->item == p->g->size)
		p->item = NO_ITEM;
	return true;
}

static bool
emit_class(struct parser *p, const char *at, size_t n, bool others)
{
	uint16_t start;

	p->item = p->g->size;
	if (utf8_class_add(&p->g->classes, p->ranges, n, others, &start))
		return emit(p, at, OP_CLASS, start, 0);
	if (p->g->classes.states.count < UTF8_STATES_MAX)
		return no_memory(p);
	return scan_fail(&p->scan, at,
	    "too large: the classes of a grammar may come to %d states",
	    UTF8_STATES_MAX);
}

/* A character, or two with a hyphen between them. */
static bool
parse_range(struct parser *p, struct utf8_range *range)
{
	struct scan *s = &p->scan;
	const char *at = s->at;

	if (!scan_character(s, &range->first))
		return false;
	range->last = range->first;
	if (scan_peek(s, 0) != '-' || scan_peek(s, 1) == ']')
		return true;
	s->at++;
	if (s->at == s->end)
		return scan_fail(s, s->at, "a range with no upper end");
	if (!scan_character(s, &range->last))
		return false;
	if (range->last < range->first)
		return scan_fail(
		    s, at, "a range from high to low, which holds nothing");
	return true;
}

static bool
parse_class(struct parser *p)
{
	struct scan *s = &p->scan;
	const char *at = s->at++;
	const bool others = scan_peek(s, 0) == '^';
	size_t n = 0;

	s->at += others;
	while (scan_peek(s, 0) != ']') {
		if (s->at == s->end)
			return scan_fail(s, s->at,
			    "a class that is never closed: expecting ]");
		if (!array_room(
		        &p->ranges, &p->ranges_room, n + 1, sizeof(*p->ranges)))
			return no_memory(p);
		if (!parse_range(p, &p->ranges[n++]))
			return false;
	}
	s->at++;
	return emit_class(p, at, n, others);
}

static bool
parse_any(struct parser *p)
{
	return emit_class(p, p->scan.at++, 0, true);
}

static bool
parse_bound(struct parser *p, uint32_t *bound)
{
	struct scan *s = &p->scan;
	const char *at = s->at;

	if (!scan_number(s, bound))
		return false;
	if (*bound > REPEAT_MAX)
		return scan_fail(s, at,
		    "too many repetitions: a bound may be %d at most",
		    REPEAT_MAX);
	scan_space(s, p->depth > 0);
	return true;
}

/* From one brace to the other, where it stops. */
static bool
parse_bounds(struct parser *p, uint32_t *min, uint32_t *max)
{
	struct scan *s = &p->scan;
	const char *open = s->at++;

	scan_space(s, p->depth > 0);
	if (!parse_bound(p, min))
		return false;
	*max = *min;
	if (scan_peek(s, 0) == ',') {
		s->at++;
		scan_space(s, p->depth > 0);
		*max = GRAMMAR_NO_BOUND;
		if (scan_peek(s, 0) != '}' && !parse_bound(p, max))
			return false;
	}
	if (scan_peek(s, 0) != '}')
		return scan_fail(s, s->at, "expecting }");
	if (*min > *max)
		return scan_fail(s, open,
		    "at least %u repetitions and at most %u: "
		    "expecting the smaller bound first",
		    *min, *max);
	return true;
}

static bool
parse_repetition(struct parser *p)
{
	struct scan *s = &p->scan;
	const char *at = s->at;
	uint32_t min = *at == '+' ? 1 : 0;
	uint32_t max = *at == '?' ? 1 : GRAMMAR_NO_BOUND;

	if (p->item == NO_ITEM)
		return scan_fail(
		    s, at, "a repetition with nothing in front of it");
	if (*at == '{' && !parse_bounds(p, &min, &max))
		return false;
	s->at++;
	if (grammar_repeat(p->g, p->item, min, max))
		return true;
	return no_room(p, at);
}

static void
begin(struct parser *p, const char *opened)
{
	p->frames[p->depth] = (struct frame){opened, p->g->size, p->g->size, 0};
	p->item = NO_ITEM;
}

static bool
parse_open(struct parser *p)
{
	struct scan *s = &p->scan;

	if (p->depth == DEPTH_MAX)
		return scan_fail(s, s->at,
		    "too deep: no more than %d groups inside each other",
		    DEPTH_MAX);
	p->depth++;
	begin(p, s->at++);
	return true;
}

static bool
parse_close(struct parser *p)
{
	const struct frame *f = &p->frames[p->depth--];

	grammar_join(p->g, f->last);
	p->item = f->start;
	p->scan.at++;
	return true;
}

static bool
parse_bar(struct parser *p)
{
	struct frame *f = &p->frames[p->depth];
	const char *at = p->scan.at++;

	if (!grammar_alternative(p->g, f->alternative, &f->last))
		return no_room(p, at);
	f->alternative = p->g->size;
	p->item = NO_ITEM;
	scan_space(&p->scan, true);
	return true;
}

static bool
parse_reference(struct parser *p, size_t n)
{
	const char *at = p->scan.at;
	uint32_t rule;

	if (!rules_find(&p->rules, at, n, &rule))
		return no_memory(p);
	p->scan.at += n;
	p->item = p->g->size;
	return emit(p, at, OP_CALL, rule, (uint32_t)(at - p->scan.text));
}

static bool
parse_token(struct parser *p)
{
	const char *at = p->scan.at;
	uint32_t id;
	enum op op = *at == '!' ? OP_TOKEN_NOT : OP_TOKEN;

	p->scan.at += op == OP_TOKEN_NOT;
	if (!gbnf_token(&p->scan, &p->texts, &id))
		return false;
	p->item = p->g->size;
	return emit(p, at, op, id, 0);
}

static bool
parse_unknown(struct parser *p)
{
	const struct scan *s = &p->scan;
	size_t line, column;

	if (p->depth == 0)
		return scan_fail(
		    s, s->at, "expecting a newline or the end of the grammar");
	scan_place(s, p->frames[p->depth].opened, &line, &column);
	return scan_fail(s, s->at,
	    "expecting ) for the group of line %zu, column %zu", line, column);
}

/* One thing in a rule, whatever it is. */
static bool
parse_element(struct parser *p)
{
	const size_t name = scan_name(&p->scan);

	if (name > 0)
		return parse_reference(p, name);
	switch (scan_peek(&p->scan, 0)) {
	case '"':
		return parse_literal(p);
	case '[':
		return parse_class(p);
	case '.':
		return parse_any(p);
	case '*':
	case '+':
	case '?':
	case '{':
		return parse_repetition(p);
	case '(':
		return parse_open(p);
	case '|':
		return parse_bar(p);
	case '<':
	case '!':
		return parse_token(p);
	case ')':
		if (p->depth > 0)
			return parse_close(p);
		/* FALLTHROUGH */
	default:
		return parse_unknown(p);
	}
}

static bool
parse_rule(struct parser *p)
{
	struct scan *s = &p->scan;
	const char *name = s->at;
	const size_t n = scan_name(s);
	uint32_t rule;

	if (n == 0)
		return scan_fail(s, s->at, "expecting the name of a rule");
	s->at += n;
	scan_space(s, false);
	if (s->end - s->at < 3 || memcmp(s->at, "::=", 3) != 0)
		return scan_fail(s, s->at, "expecting ::=");
	s->at += 3;
	scan_space(s, true);
	if (!rules_find(&p->rules, name, n, &rule))
		return no_memory(p);
	p->rules.start[rule] = (uint32_t)p->g->size;
	begin(p, NULL);
	while (!scan_at_line_end(s) || (p->depth > 0)) {
		if (!parse_element(p))
			return false;
		scan_space(s, p->depth > 0);
	}
	grammar_join(p->g, p->frames[0].last);
	return emit(p, name, OP_END, rule, 0);
}

static bool
parse_all(struct parser *p, const char *root)
{
	struct scan *s = &p->scan;
	uint32_t rule;

	for (scan_space(s, true); s->at < s->end; scan_space(s, true))
		if (!parse_rule(p))
			return false;
	if (!rules_find(&p->rules, root, strlen(root), &rule))
		return no_memory(p);
	if (p->rules.start[rule] == RULE_UNKNOWN)
		return error_set(s->err, STATUS_USAGE,
		    "%s: no rule named '%s', where matching begins", s->where,
		    root);
	p->g->start = p->rules.start[rule];
	return rules_link(&p->rules, p->g, s);
}

struct grammar *
gbnf_parse(const char *text, size_t size, const char *where, const char *root,
    const struct pieces *pieces, struct error *err)
{
	struct grammar *g = calloc(1, sizeof(*g));
	struct parser p = {.scan = {text, text + size, text, where, err},
	    .g = g,
	    .texts = {.pieces = pieces}};
	bool done;

	done = g != NULL ? parse_all(&p, root) : no_memory(&p);
	rules_free(&p.rules);
	gbnf_texts_free(&p.texts);
	free(p.ranges);
	if (done)
		return g;
	grammar_free(g);
	return NULL;
}
