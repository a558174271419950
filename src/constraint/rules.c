/* SPDX-License-Identifier: MIT */
/* The rules of a grammar that is being read, by name. */
#include "rules.h"

#include <errno.h>
#include <stdlib.h>

#include "../array.h"
#include "left.h"

bool
rules_find(struct rules *rules, const char *name, size_t n, uint32_t *number)
{
	const size_t known = rules->names.count;

	if (!array_room(
	        &rules->start, &rules->room, known + 1, sizeof(*rules->start)))
		return false;
	*number = intern_add(&rules->names, name, n);
	if (*number == known)
		rules->start[known] = RULE_UNKNOWN;
	return *number != INTERN_NONE;
}

void
rules_free(struct rules *rules)
{
	intern_free(&rules->names);
	free(rules->start);
}

/* The rule in which a call stands: its end comes next. */
static uint32_t
rule_around(const struct grammar *g, size_t call)
{
	while (g->code[call].op != OP_END)
		call++;
	return g->code[call].a;
}

static bool
refuse_unknown(const struct rules *rules, const struct grammar *g, size_t call,
    const struct scan *scan)
{
	size_t n, m;
	const char *name = intern_get(&rules->names, g->code[call].a, &n);
	const char *around = intern_get(
	    &rules->names, rule_around(g, call), &m);

	return scan_fail(scan, scan->text + g->code[call].b,
	    "rule \"%.*s\" refers to \"%.*s\", which is never defined",
	    scan_shown(m), around, scan_shown(n), name);
}

static bool
check_known(
    const struct rules *rules, const struct grammar *g, const struct scan *scan)
{
	for (size_t i = 0; i < g->size; i++)
		if (g->code[i].op == OP_CALL &&
		    rules->start[g->code[i].a] == RULE_UNKNOWN)
			return refuse_unknown(rules, g, i, scan);
	return true;
}

static bool
ends_behind(const struct grammar *g, size_t at)
{
	while (g->code[at].op == OP_JUMP)
		at = g->code[at].a;
	return g->code[at].op == OP_END;
}

/* Jumps by address first: they are followed for what stands behind calls. */
static void
settle(const struct rules *rules, struct grammar *g)
{
	struct instruction *in;

	for (size_t i = 0; i < g->size; i++) {
		in = &g->code[i];
		if (in->op == OP_JUMP || in->op == OP_SPLIT)
			in->a += (uint32_t)i;
		if (in->op == OP_SPLIT)
			in->b += (uint32_t)i;
	}
	for (size_t i = 0; i < g->size; i++) {
		in = &g->code[i];
		if (in->op == OP_END)
			in->a = 0;
		if (in->op != OP_CALL)
			continue;
		*in = (struct instruction){OP_CALL, rules->start[in->a], 0};
		if (ends_behind(g, i + 1))
			in->op = OP_CALL_LAST;
	}
}

bool
rules_link(
    const struct rules *rules, struct grammar *g, const struct scan *scan)
{
	if (!check_known(rules, g, scan) || !left_check(rules, g, scan))
		return false;
	settle(rules, g);
	return true;
}
