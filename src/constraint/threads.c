/* SPDX-License-Identifier: MIT */
/* One step of all threads: from what they matched to what comes next. */
#include "threads.h"

#include <stdlib.h>

#include "../array.h"

/* A node that is made in this step. */
struct fresh {
	uint32_t place;  /* to return to */
	uint32_t below;  /* the edge that came last, or NOTHING */
	uint32_t node;   /* its number in the automaton, once it has one */
	bool returned;   /* its rule has ended already */
	bool descending; /* those below are being numbered */
};

#define NOTHING UINT32_MAX

/* Marks the numbers of fresh nodes, where others may stand too. */
#define FRESH (UINT32_C(1) << 31)

struct threads {
	struct intern todo;  /* uint32_t: place, node; in order of arrival */
	uint64_t added;      /* to it, the same ones too */
	struct intern calls; /* uint32_t: places to return to */
	struct fresh *fresh; /* [calls] */
	size_t fresh_room;
	struct intern edges; /* uint32_t: fresh node, node below */
	uint32_t *edge_next; /* [edges] the one before of the same node */
	size_t edge_room;
	uint64_t *state; /* the state that is made: whether complete, threads */
	size_t n, room;
	uint32_t *stack; /* fresh nodes that wait for a number */
	size_t stack_room;
	uint32_t *key; /* a node that is made: place, nodes below */
	size_t key_room;
};

static bool
push(struct threads *t, uint64_t value)
{
	if (!array_room(&t->state, &t->room, t->n + 1, sizeof(*t->state)))
		return false;
	t->state[t->n++] = value;
	return true;
}

struct threads *
threads_new(void)
{
	struct threads *t = calloc(1, sizeof(*t));

	if (t != NULL && push(t, false))
		return t;
	free(t);
	return NULL;
}

void
threads_free(struct threads *t)
{
	if (t == NULL)
		return;
	intern_free(&t->todo);
	intern_free(&t->calls);
	intern_free(&t->edges);
	free(t->fresh);
	free(t->edge_next);
	free(t->state);
	free(t->stack);
	free(t->key);
	free(t);
}

void
threads_begin(struct threads *t)
{
	intern_clear(&t->todo);
	intern_clear(&t->calls);
	intern_clear(&t->edges);
	t->added = 0;
	t->state[0] = false;
	t->n = 1;
}

uint64_t
threads_added(const struct threads *t)
{
	return t->added;
}

void
threads_complete(struct threads *t)
{
	t->state[0] = true;
}

bool
threads_keep(struct threads *t, uint64_t thread)
{
	return push(t, thread);
}

static bool
too_many(const struct threads *t)
{
	return intern_size(&t->todo) + intern_size(&t->edges) >
	    AUTOMATON_ROOM / 2;
}

bool
threads_add(struct threads *t, uint32_t place, uint32_t node)
{
	const uint32_t item[] = {place, node};

	t->added++;
	return !too_many(t) &&
	    intern_add(&t->todo, item, sizeof(item)) != INTERN_NONE;
}

/* Set *number to that of the fresh node with this place to return to. */
static bool
find_fresh(struct threads *t, uint32_t place, uint32_t *number)
{
	const size_t known = t->calls.count;

	if (!array_room(
	        &t->fresh, &t->fresh_room, known + 1, sizeof(*t->fresh)))
		return false;
	*number = intern_add(&t->calls, &place, sizeof(place));
	if (*number == known)
		t->fresh[known] = (struct fresh){
		    place, NOTHING, NOTHING, false, false};
	return *number != INTERN_NONE;
}

/*
 * A rule is entered once, for all that call it from this place.  If it has
 * ended already with nothing matched, then for this caller too.
 */
static bool
call(struct threads *t, uint32_t place, uint32_t rule, uint32_t node)
{
	const size_t known = t->edges.count;
	uint32_t number, added, edge[2];

	if (!find_fresh(t, place, &number) ||
	    !array_room(
	        &t->edge_next, &t->edge_room, known + 1, sizeof(*t->edge_next)))
		return false;
	edge[0] = number;
	edge[1] = node;
	added = intern_add(&t->edges, edge, sizeof(edge));
	if (added != known)
		return added != INTERN_NONE;
	t->edge_next[added] = t->fresh[number].below;
	t->fresh[number].below = added;
	if (t->fresh[number].returned && !threads_add(t, place, node))
		return false;
	return threads_add(t, rule, FRESH | number);
}

/* The node that an edge leads to. */
static uint32_t
edge_below(const struct threads *t, uint32_t edge)
{
	size_t n;
	const uint32_t *ends = intern_get(&t->edges, edge, &n);

	return ends[1];
}

static bool
return_fresh(struct threads *t, struct fresh *f)
{
	f->returned = true;
	for (uint32_t e = f->below; e != NOTHING; e = t->edge_next[e])
		if (!threads_add(t, f->place, edge_below(t, e)))
			return false;
	return true;
}

/* A rule ends: all that may lie below go on behind their calls. */
static bool
return_from(struct threads *t, const struct automaton *a, uint32_t node)
{
	const uint32_t *key;
	size_t n;

	if (node == AUTOMATON_BOTTOM) {
		threads_complete(t);
		return true;
	}
	if (node & FRESH)
		return return_fresh(t, &t->fresh[node & ~FRESH]);
	key = intern_get(&a->nodes, node, &n);
	for (size_t i = 1; i < n / sizeof(*key); i++)
		if (!threads_add(t, key[0], key[i]))
			return false;
	return true;
}

static bool
follow(
    struct threads *t, const struct automaton *a, uint32_t place, uint32_t node)
{
	const struct instruction *in = &a->grammar->code[place];

	switch (in->op) {
	case OP_JUMP:
	case OP_CALL_LAST:
		return threads_add(t, in->a, node);
	case OP_SPLIT:
		return threads_add(t, in->a, node) &&
		    threads_add(t, in->b, node);
	case OP_CALL:
		return call(t, place + 1, in->a, node);
	case OP_END:
		return return_from(t, a, node);
	default: /* it matches something: see collect() */
		return true;
	}
}

static bool
follow_all(struct threads *t, const struct automaton *a)
{
	const uint32_t *item;
	size_t n;

	for (uint32_t i = 0; i < t->todo.count; i++) {
		item = intern_get(&t->todo, i, &n);
		if (!follow(t, a, item[0], item[1]))
			return false;
	}
	return true;
}

static int
by_number(const void *a, const void *b)
{
	const uint32_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static int
by_thread(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* Once all fresh nodes below it have their numbers. */
static bool
make_node(struct threads *t, struct automaton *a, struct fresh *f)
{
	uint32_t below;
	size_t n = 1;

	for (uint32_t e = f->below; e != NOTHING; e = t->edge_next[e]) {
		if (!array_room(&t->key, &t->key_room, n + 1, sizeof(*t->key)))
			return false;
		below = edge_below(t, e);
		t->key[n++] = below & FRESH ? t->fresh[below & ~FRESH].node
		                            : below;
	}
	t->key[0] = f->place;
	qsort(t->key + 1, n - 1, sizeof(*t->key), by_number);
	f->node = intern_add(&a->nodes, t->key, n * sizeof(*t->key));
	return f->node != INTERN_NONE;
}

static bool
push_fresh(struct threads *t, size_t *depth, uint32_t number)
{
	if (!array_room(
	        &t->stack, &t->stack_room, *depth + 1, sizeof(*t->stack)))
		return false;
	t->stack[(*depth)++] = number;
	return true;
}

/* Those fresh nodes below that have no number yet come first. */
static bool
descend(struct threads *t, const struct fresh *f, size_t *depth)
{
	uint32_t below;

	for (uint32_t e = f->below; e != NOTHING; e = t->edge_next[e]) {
		below = edge_below(t, e);
		if (below & FRESH && t->fresh[below & ~FRESH].node == NOTHING &&
		    !push_fresh(t, depth, below & ~FRESH))
			return false;
	}
	return true;
}

/*
 * Give a fresh node and those below it their numbers.  None is below
 * itself: that would be left recursion.
 */
static bool
number_fresh(struct threads *t, struct automaton *a, uint32_t number)
{
	struct fresh *f;
	size_t depth = 0;

	if (!push_fresh(t, &depth, number))
		return false;
	while (depth > 0) {
		f = &t->fresh[t->stack[depth - 1]];
		if (f->node == NOTHING && !f->descending) {
			f->descending = true;
			if (!descend(t, f, &depth))
				return false;
			continue;
		}
		if (f->node == NOTHING && !make_node(t, a, f))
			return false;
		depth--;
	}
	return true;
}

/* What is left is what matches something: the threads of the next state. */
static bool
collect(struct threads *t, struct automaton *a)
{
	const struct instruction *in;
	const uint32_t *item;
	uint32_t node;
	size_t n;

	for (uint32_t i = 0; i < t->todo.count; i++) {
		item = intern_get(&t->todo, i, &n);
		in = &a->grammar->code[item[0]];
		if (!op_matches(in->op))
			continue;
		node = item[1];
		if (node & FRESH) {
			if (!number_fresh(t, a, node & ~FRESH))
				return false;
			node = t->fresh[node & ~FRESH].node;
		}
		if (!push(t,
		        thread_pack(
		            item[0], in->op == OP_CLASS ? in->a : 0, node)))
			return false;
	}
	return true;
}

static size_t
sort_threads(uint64_t *threads, size_t n)
{
	size_t kept = 0;

	qsort(threads, n, sizeof(*threads), by_thread);
	for (size_t i = 0; i < n; i++)
		if (kept == 0 || threads[i] != threads[kept - 1])
			threads[kept++] = threads[i];
	return kept;
}

bool
threads_finish(
    struct threads *t, struct automaton *a, uint32_t *state, struct error *err)
{
	if (follow_all(t, a) && collect(t, a)) {
		t->n = 1 + sort_threads(t->state + 1, t->n - 1);
		*state = automaton_state(a, t->state, t->n);
		if (*state != AUTOMATON_UNKNOWN)
			return true;
	}
	return threads_failed(t, err);
}

bool
threads_failed(const struct threads *t, struct error *err)
{
	if (!too_many(t))
		return automaton_no_memory(err);
	return automaton_too_large(err);
}
