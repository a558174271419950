/* SPDX-License-Identifier: MIT */
/* What an automaton keeps when its room is full. */
#include <stdlib.h>
#include <string.h>

#include "../array.h"
#include "automaton.h"

static void
mark_states(const struct automaton *a, const uint32_t *states, size_t n,
    uint32_t *numbers)
{
	const uint64_t *threads;
	size_t count;

	for (size_t i = 0; i < n; i++) {
		threads = automaton_threads(a, states[i], &count);
		for (size_t j = 0; j < count; j++)
			numbers[thread_node(threads[j])] = 0;
	}
}

/* From the top down: a node has a larger number than any below it. */
static void
mark_below(const struct automaton *a, uint32_t *numbers)
{
	const uint32_t *key;
	size_t n;

	for (uint32_t i = (uint32_t)a->nodes.count; i-- > 1;) {
		if (numbers[i] == AUTOMATON_UNKNOWN)
			continue;
		key = intern_get(&a->nodes, i, &n);
		for (size_t j = 1; j < n / sizeof(*key); j++)
			numbers[key[j]] = 0;
	}
}

uint32_t *
automaton_renumber(const struct automaton *a, const uint32_t *states, size_t n)
{
	uint32_t *numbers = calloc(a->nodes.count, sizeof(*numbers)), used = 0;

	if (numbers == NULL)
		return NULL;
	memset(numbers, 0xff, a->nodes.count * sizeof(*numbers));
	numbers[AUTOMATON_BOTTOM] = 0;
	mark_states(a, states, n, numbers);
	mark_below(a, numbers);
	for (size_t i = 0; i < a->nodes.count; i++)
		if (numbers[i] != AUTOMATON_UNKNOWN)
			numbers[i] = used++;
	return numbers;
}

static bool
copy_nodes(
    const struct automaton *from, const uint32_t *numbers, struct automaton *to)
{
	uint32_t *copy = NULL;
	const uint32_t *key;
	size_t n, room = 0;
	bool fine = true;

	for (uint32_t i = 1; i < from->nodes.count && fine; i++) {
		if (numbers[i] == AUTOMATON_UNKNOWN)
			continue;
		key = intern_get(&from->nodes, i, &n);
		n /= sizeof(*key);
		fine = array_room(&copy, &room, n, sizeof(*copy));
		if (!fine)
			break;
		copy[0] = key[0];
		for (size_t j = 1; j < n; j++)
			copy[j] = numbers[key[j]];
		fine = intern_add(&to->nodes, copy, n * sizeof(*copy)) !=
		    INTERN_NONE;
	}
	free(copy);
	return fine;
}

static bool
copy_state(const struct automaton *from, const uint32_t *numbers,
    uint32_t state, struct automaton *to, uint32_t *number)
{
	const uint64_t *threads;
	uint64_t *copy;
	size_t n;

	threads = automaton_threads(from, state, &n);
	copy = calloc(n + 1, sizeof(*copy));
	if (copy == NULL)
		return false;
	copy[0] = automaton_complete(from, state);
	for (size_t i = 0; i < n; i++)
		copy[1 + i] = thread_pack(thread_place(threads[i]),
		    thread_class(threads[i]), numbers[thread_node(threads[i])]);
	*number = automaton_state(to, copy, n + 1);
	free(copy);
	return *number != AUTOMATON_UNKNOWN;
}

bool
automaton_forget(struct automaton *a, struct error *err)
{
	const uint32_t kept[] = {a->at, a->probe};
	uint32_t *numbers = automaton_renumber(a, kept, 2), at, probe;
	struct automaton copy = {0};
	bool fine;

	fine = numbers != NULL && automaton_clear(&copy) &&
	    copy_nodes(a, numbers, &copy) &&
	    copy_state(a, numbers, a->at, &copy, &at) &&
	    copy_state(a, numbers, a->probe, &copy, &probe);
	free(numbers);
	if (fine) {
		automaton_take(a, &copy);
		a->at = at;
		a->probe = probe;
	}
	automaton_drop(&copy);
	if (!fine)
		return automaton_no_memory(err);
	if (automaton_size(a) > AUTOMATON_ROOM / 2)
		return automaton_too_large(err);
	return true;
}
