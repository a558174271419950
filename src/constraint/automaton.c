/* SPDX-License-Identifier: MIT */
/* A grammar run over bytes, as a deterministic automaton made on the way. */
#include "automaton.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../array.h"
#include "threads.h"

bool
automaton_no_memory(struct error *err)
{
	return error_system(err, ENOMEM, "the states of a grammar");
}

bool
automaton_too_large(struct error *err)
{
	return error_set(err, STATUS_FAILED,
	    "the text is too deep in the grammar, or this too ambiguous: it "
	    "needs more than %d MiB here",
	    AUTOMATON_ROOM / 2 >> 20);
}

static bool
too_long(struct error *err)
{
	return error_set(err, STATUS_FAILED,
	    "the grammar is too ambiguous, or too large for these pieces: "
	    "what may come next takes more than %d steps to tell",
	    AUTOMATON_STEPS);
}

size_t
automaton_size(const struct automaton *a)
{
	return intern_size(&a->nodes) + intern_size(&a->states) +
	    a->states.count * sizeof(*a->next);
}

uint32_t
automaton_state(struct automaton *a, const uint64_t *state, size_t n)
{
	const size_t known = a->states.count;
	uint32_t number;

	if (!array_room(&a->next, &a->next_room, known + 1, sizeof(*a->next)))
		return AUTOMATON_UNKNOWN;
	number = intern_add(&a->states, state, n * sizeof(*state));
	if (number == known)
		memset(a->next[known], number == AUTOMATON_DEAD ? 0 : 0xff,
		    sizeof(*a->next));
	return number;
}

bool
automaton_clear(struct automaton *a)
{
	static const uint32_t bottom[] = {UINT32_MAX};
	static const uint64_t dead[] = {false};

	intern_clear(&a->nodes);
	intern_clear(&a->states);
	return intern_add(&a->nodes, bottom, sizeof(bottom)) != INTERN_NONE &&
	    automaton_state(a, dead, 1) != AUTOMATON_UNKNOWN;
}

struct automaton *
automaton_new(const struct grammar *g, struct error *err)
{
	struct automaton *a = calloc(1, sizeof(*a));

	if (a == NULL) {
		automaton_no_memory(err);
		return NULL;
	}
	a->grammar = g;
	automaton_begin_row(a);
	a->threads = threads_new();
	if (a->threads == NULL || !automaton_clear(a)) {
		automaton_no_memory(err);
		goto failed;
	}
	threads_begin(a->threads);
	if (!threads_add(a->threads, (uint32_t)g->start, AUTOMATON_BOTTOM)) {
		automaton_no_memory(err);
		goto failed;
	}
	if (threads_finish(a->threads, a, &a->at, err))
		return a;
failed:
	automaton_free(a);
	return NULL;
}

void
automaton_drop(struct automaton *a)
{
	intern_free(&a->nodes);
	intern_free(&a->states);
	free(a->next);
	a->next = NULL;
	a->next_room = 0;
}

void
automaton_free(struct automaton *a)
{
	if (a == NULL)
		return;
	automaton_drop(a);
	threads_free(a->threads);
	free(a);
}

void
automaton_take(struct automaton *a, struct automaton *other)
{
	automaton_drop(a);
	a->nodes = other->nodes;
	a->states = other->states;
	a->next = other->next;
	a->next_room = other->next_room;
	other->nodes = other->states = (struct intern){0};
	other->next = NULL;
	other->next_room = 0;
	a->forgotten++;
}

const uint64_t *
automaton_threads(const struct automaton *a, uint32_t state, size_t *n)
{
	const uint64_t *key = intern_get(&a->states, state, n);

	*n = *n / sizeof(*key) - 1;
	return key + 1;
}

bool
automaton_complete(const struct automaton *a, uint32_t state)
{
	size_t n;

	return automaton_threads(a, state, &n)[-1];
}

void
automaton_begin_row(struct automaton *a)
{
	a->steps = AUTOMATON_STEPS;
}

/* Behind a byte is early enough to count: memory bounds what one can take. */
static void
pay(struct automaton *a, size_t looked_at)
{
	const uint64_t steps = looked_at + threads_added(a->threads);

	a->steps -= steps < a->steps ? steps : a->steps;
}

/* What becomes of a thread when a byte comes. */
static bool
match(struct automaton *a, uint64_t thread, unsigned char byte)
{
	const uint32_t place = thread_place(thread), node = thread_node(thread);
	const struct instruction *in = &a->grammar->code[place];
	uint16_t class;

	if (in->op == OP_BYTE && in->a == byte)
		return threads_add(a->threads, place + 1, node);
	if (in->op != OP_CLASS)
		return true;
	class = utf8_class_step(
	    &a->grammar->classes, thread_class(thread), byte);
	if (class == UTF8_REFUSED)
		return true;
	if (class == UTF8_MATCHED)
		return threads_add(a->threads, place + 1, node);
	return threads_keep(a->threads, thread_pack(place, class, node));
}

bool
automaton_step(struct automaton *a, unsigned char byte, struct error *err)
{
	const uint64_t *threads;
	uint32_t next;
	size_t n;

	if (a->steps == 0)
		return too_long(err);
	if (automaton_size(a) > AUTOMATON_ROOM && !automaton_forget(a, err))
		return false;
	threads_begin(a->threads);
	threads = automaton_threads(a, a->probe, &n);
	for (size_t i = 0; i < n; i++)
		if (!match(a, threads[i], byte))
			return threads_failed(a->threads, err);
	if (!threads_finish(a->threads, a, &next, err))
		return false;
	pay(a, n);
	a->next[a->probe][byte] = next;
	a->probe = next;
	return true;
}

bool
automaton_walk(
    struct automaton *a, const char *bytes, size_t n, struct error *err)
{
	uint32_t next;
	unsigned char byte;

	a->probe = a->at;
	for (size_t i = 0; i < n && a->probe != AUTOMATON_DEAD; i++) {
		byte = (unsigned char)bytes[i];
		next = a->next[a->probe][byte];
		if (next != AUTOMATON_UNKNOWN)
			a->probe = next;
		else if (!automaton_step(a, byte, err))
			return false;
	}
	return true;
}

static bool
matches_token(const struct automaton *a, uint64_t thread, uint32_t id)
{
	const struct instruction *in = &a->grammar->code[thread_place(thread)];

	return (in->op == OP_TOKEN && in->a == id) ||
	    (in->op == OP_TOKEN_NOT && in->a != id);
}

bool
automaton_matches_token(const struct automaton *a, uint32_t id)
{
	const uint64_t *threads;
	size_t n;

	threads = automaton_threads(a, a->at, &n);
	for (size_t i = 0; i < n; i++)
		if (matches_token(a, threads[i], id))
			return true;
	return false;
}

/* The threads of probe, and those of at that the token moves on. */
static bool
join(struct automaton *a, uint32_t id)
{
	const uint64_t *threads;
	size_t n;

	threads_begin(a->threads);
	if (automaton_complete(a, a->probe))
		threads_complete(a->threads);
	threads = automaton_threads(a, a->probe, &n);
	for (size_t i = 0; i < n; i++)
		if (!threads_keep(a->threads, threads[i]))
			return false;
	threads = automaton_threads(a, a->at, &n);
	for (size_t i = 0; i < n; i++)
		if (matches_token(a, threads[i], id) &&
		    !threads_add(a->threads, thread_place(threads[i]) + 1,
		        thread_node(threads[i])))
			return false;
	return true;
}

bool
automaton_accept(struct automaton *a, uint32_t id, struct error *err)
{
	if (!automaton_matches_token(a, id)) {
		a->at = a->probe;
		return true;
	}
	if (automaton_size(a) > AUTOMATON_ROOM && !automaton_forget(a, err))
		return false;
	if (!join(a, id))
		return threads_failed(a->threads, err);
	return threads_finish(a->threads, a, &a->at, err);
}
