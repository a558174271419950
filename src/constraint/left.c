/* SPDX-License-Identifier: MIT */
/* Left recursion: rules that come back to themselves with nothing matched. */
#include "left.h"

#include <errno.h>
#include <stdlib.h>

/*
 * What can be reached from the beginning of its rule without matching
 * anything is marked, and each place is so once: a call to a rule that
 * may match nothing, as far as is known, goes on behind it; other calls wait
 * in case that rule's end is reached later.  The calls that are marked in the
 * end are those that rules may begin with.
 */
struct left {
	const struct rules *rules;
	const struct grammar *g;
	bool *reached;  /* [size + 1] */
	uint32_t *todo; /* [size] places that are reached, to go on from */
	size_t n_todo;
	uint32_t *waiting; /* [size] the next call that waits for a rule */
	uint32_t *first;   /* [rules] the first that waits, or NOTHING */
	bool *empty;       /* [rules] may match nothing */
	struct step *path; /* [rules] from each to the next that it calls */
	enum { NEW, OPEN, DONE } * seen; /* [rules] */
};

#define NOTHING UINT32_MAX

struct step {
	uint32_t rule, call; /* the call that is looked at next */
};

static void
reach(struct left *l, uint32_t at)
{
	if (l->reached[at])
		return;
	l->reached[at] = true;
	l->todo[l->n_todo++] = at;
}

/* Once for each rule: it has one end. */
static void
reach_end(struct left *l, uint32_t rule)
{
	l->empty[rule] = true;
	for (uint32_t call = l->first[rule]; call != NOTHING;
	     call = l->waiting[call])
		reach(l, call + 1);
}

static void
go_on(struct left *l, uint32_t at)
{
	const struct instruction *in = &l->g->code[at];

	switch (in->op) {
	case OP_SPLIT:
		reach(l, at + in->b);
		/* FALLTHROUGH */
	case OP_JUMP:
		reach(l, at + in->a);
		break;
	case OP_CALL:
	case OP_CALL_LAST:
		if (l->empty[in->a])
			reach(l, at + 1);
		l->waiting[at] = l->first[in->a];
		l->first[in->a] = at;
		break;
	case OP_END:
		reach_end(l, in->a);
		break;
	default: /* it matches something */
		break;
	}
}

static void
find_beginnings(struct left *l)
{
	const size_t n_rules = l->rules->names.count;

	for (size_t i = 0; i < n_rules; i++)
		l->first[i] = NOTHING;
	for (size_t i = 0; i < n_rules; i++)
		if (l->rules->start[i] != RULE_UNKNOWN)
			reach(l, l->rules->start[i]);
	while (l->n_todo > 0)
		go_on(l, l->todo[--l->n_todo]);
}

static bool
refuse(
    const struct left *l, uint32_t call, uint32_t rule, const struct scan *scan)
{
	const struct instruction *in = &l->g->code[call];
	size_t n, m;
	const char *name = intern_get(&l->rules->names, in->a, &n);
	const char *around = intern_get(&l->rules->names, rule, &m);

	if (in->a == rule)
		return scan_fail(scan, scan->text + in->b,
		    "left recursion: rule \"%.*s\" comes back to itself with "
		    "nothing matched",
		    scan_shown(n), name);
	return scan_fail(scan, scan->text + in->b,
	    "left recursion: rule \"%.*s\" comes to \"%.*s\" and back with "
	    "nothing matched",
	    scan_shown(n), name, scan_shown(m), around);
}

/* The next call in this rule that it may begin with. */
static uint32_t
next_call(const struct left *l, uint32_t at)
{
	for (; l->g->code[at].op != OP_END; at++)
		if (l->reached[at] && l->g->code[at].op == OP_CALL)
			return at;
	return NOTHING;
}

/* Depth first, on a path of its own: a text can make it as long as it is. */
static bool
visit(struct left *l, uint32_t rule, const struct scan *scan)
{
	const uint32_t *start = l->rules->start;
	size_t depth = 0;
	struct step *top;
	uint32_t call, callee;

	l->seen[rule] = OPEN;
	l->path[depth++] = (struct step){rule, next_call(l, start[rule])};
	while (depth > 0) {
		top = &l->path[depth - 1];
		call = top->call;
		if (call == NOTHING) {
			l->seen[top->rule] = DONE;
			depth--;
			continue;
		}
		top->call = next_call(l, call + 1);
		callee = l->g->code[call].a;
		if (l->seen[callee] == OPEN)
			return refuse(l, call, top->rule, scan);
		if (l->seen[callee] == DONE)
			continue;
		l->seen[callee] = OPEN;
		l->path[depth++] = (struct step){
		    callee, next_call(l, start[callee])};
	}
	return true;
}

static bool
find_cycle(struct left *l, const struct scan *scan)
{
	for (uint32_t i = 0; i < l->rules->names.count; i++)
		if (l->rules->start[i] != RULE_UNKNOWN && l->seen[i] == NEW &&
		    !visit(l, i, scan))
			return false;
	return true;
}

bool
left_check(
    const struct rules *rules, const struct grammar *g, const struct scan *scan)
{
	const size_t n = g->size, m = rules->names.count;
	struct left l = {
	    .rules = rules,
	    .g = g,
	    .reached = calloc(n + 1, sizeof(*l.reached)),
	    .todo = calloc(n, sizeof(*l.todo)),
	    .waiting = calloc(n, sizeof(*l.waiting)),
	    .first = calloc(m, sizeof(*l.first)),
	    .empty = calloc(m, sizeof(*l.empty)),
	    .path = calloc(m, sizeof(*l.path)),
	    .seen = calloc(m, sizeof(*l.seen)),
	};
	bool fine = l.reached != NULL && l.todo != NULL && l.waiting != NULL &&
	    l.first != NULL && l.empty != NULL && l.path != NULL &&
	    l.seen != NULL;

	if (fine) {
		find_beginnings(&l);
		fine = find_cycle(&l, scan);
	} else {
		error_system(scan->err, ENOMEM, "%s", scan->where);
	}
	free(l.reached);
	free(l.todo);
	free(l.waiting);
	free(l.first);
	free(l.empty);
	free(l.path);
	free(l.seen);
	return fine;
}
