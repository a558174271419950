/* SPDX-License-Identifier: MIT */
/* Schemas that refer to themselves: those that mean nothing, or never end. */
#include <errno.h>
#include <stdlib.h>

#include "schema_rules.h"

/* One array of numbers for each rule, or edge. */
struct notes {
	size_t *next;    /* the edge of each rule that is looked at next */
	size_t *stack;   /* rules */
	size_t *missing; /* how many rules each still needs to end */
	size_t *from;    /* where each rule's users begin in users */
	size_t *users;   /* rules that need it */
	unsigned char *seen;
};

static void
notes_free(struct notes *n)
{
	free(n->next);
	free(n->stack);
	free(n->missing);
	free(n->from);
	free(n->users);
	free(n->seen);
}

static bool
notes_new(struct notes *n, const struct schema *s)
{
	*n = (struct notes){
	    .next = calloc(s->n_rules, sizeof(size_t)),
	    .stack = calloc(s->n_rules, sizeof(size_t)),
	    .missing = calloc(s->n_rules, sizeof(size_t)),
	    .from = calloc(s->n_rules + 2, sizeof(size_t)),
	    .users = calloc(s->n_edges + 1, sizeof(size_t)),
	    .seen = calloc(s->n_rules, 1),
	};
	return n->next != NULL && n->stack != NULL && n->missing != NULL &&
	    n->from != NULL && n->users != NULL && n->seen != NULL;
}

/* Depth first from one rule, along edges that lead; seen is 1 on the way. */
static bool
search(struct schema *s, struct notes *n, size_t rule)
{
	const struct edge *e;
	size_t depth = 0;

	n->stack[depth++] = rule;
	n->seen[rule] = 1;
	while (depth > 0) {
		rule = n->stack[depth - 1];
		if (n->next[rule] == s->rules[rule].n_edges) {
			n->seen[rule] = 2;
			depth--;
			continue;
		}
		e = &s->edges[s->rules[rule].first_edge + n->next[rule]++];
		if (!e->leads || n->seen[e->to] == 2)
			continue;
		if (n->seen[e->to] == 1)
			return schema_refuse(s, s->rules[e->to].node,
			    "it means itself again, with nothing between");
		n->seen[e->to] = 1;
		n->stack[depth++] = e->to;
	}
	return true;
}

/* For each rule, the rules that need it. */
static void
list_users(const struct schema *s, struct notes *n)
{
	const struct rule *r;

	for (size_t i = 0; i < s->n_edges; i++)
		n->from[s->edges[i].to + 2]++;
	for (size_t i = 2; i < s->n_rules + 2; i++)
		n->from[i] += n->from[i - 1];
	for (size_t i = 0; i < s->n_rules; i++) {
		r = &s->rules[i];
		for (size_t e = 0; e < r->n_edges; e++)
			n->users[n->from[s->edges[r->first_edge + e].to +
			    1]++] = i;
	}
}

/* From the rules that need none, to those that need only such, and so on. */
static bool
check_ends(struct schema *s, struct notes *n)
{
	size_t depth = 0, done, user;

	list_users(s, n);
	for (size_t i = 0; i < s->n_rules; i++) {
		n->missing[i] = s->rules[i].n_edges;
		if (s->rules[i].any && n->missing[i] > 1)
			n->missing[i] = 1;
		if (n->missing[i] == 0)
			n->stack[depth++] = i;
	}
	while (depth > 0) {
		done = n->stack[--depth];
		for (size_t u = n->from[done]; u < n->from[done + 1]; u++) {
			user = n->users[u];
			if (n->missing[user] > 0 && --n->missing[user] == 0)
				n->stack[depth++] = user;
		}
	}
	for (size_t i = 0; i < s->n_rules; i++)
		if (n->missing[i] > 0)
			return schema_refuse(s, s->rules[i].node,
			    "every value of it has another one inside, "
			    "without end");
	return true;
}

bool
schema_check_rules(struct schema *s)
{
	struct notes n;
	bool done = true;

	if (!notes_new(&n, s)) {
		notes_free(&n);
		return error_system(s->err, ENOMEM, "%s", s->where);
	}
	for (size_t i = 0; i < s->n_rules && done; i++)
		if (n.seen[i] == 0)
			done = search(s, &n, i);
	done = done && check_ends(s, &n);
	notes_free(&n);
	return done;
}
