/* SPDX-License-Identifier: MIT */
/* Where an automaton is, as a text and back. */
#include "automaton_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../array.h"
#include "../fnv.h"
#include "../text.h"

static void
put(struct text *t, uint64_t number, char behind)
{
	text_print(t, "%" PRIx64 "%c", number, behind);
}

static void
print_nodes(const struct automaton *a, const uint32_t *numbers, struct text *t)
{
	const uint32_t *key;
	size_t n;

	for (uint32_t i = 1; i < a->nodes.count; i++) {
		if (numbers[i] == AUTOMATON_UNKNOWN)
			continue;
		key = intern_get(&a->nodes, i, &n);
		n /= sizeof(*key);
		put(t, key[0], ',');
		for (size_t j = 1; j < n; j++)
			put(t, numbers[key[j]], j + 1 < n ? ',' : ';');
	}
}

static void
print_threads(
    const struct automaton *a, const uint32_t *numbers, struct text *t)
{
	const uint64_t *threads;
	size_t n;

	threads = automaton_threads(a, a->at, &n);
	for (size_t i = 0; i < n; i++) {
		put(t, thread_place(threads[i]), ',');
		put(t, thread_class(threads[i]), ',');
		put(t, numbers[thread_node(threads[i])], ';');
	}
}

/* Lists end with a 0 of their own; a node's or a thread's never begin so. */
char *
automaton_print(const struct automaton *a, struct error *err)
{
	uint32_t *numbers = automaton_renumber(a, &a->at, 1);
	struct text t = {.cap = SIZE_MAX};

	if (numbers == NULL) {
		automaton_no_memory(err);
		return NULL;
	}
	put(&t, grammar_hash(a->grammar), ':');
	put(&t, automaton_complete(a, a->at), ':');
	print_nodes(a, numbers, &t);
	put(&t, 0, ':');
	print_threads(a, numbers, &t);
	put(&t, 0, ':');
	free(numbers);
	if (!t.lost)
		put(&t, fnv_bytes(FNV_BEGIN, t.bytes, t.size), '.');
	if (!t.lost)
		return t.bytes;
	free(t.bytes);
	automaton_no_memory(err);
	return NULL;
}

/* A number and what stands behind it; false if there is none so. */
static bool
take(const char **from, uint64_t *number, char *behind)
{
	static const char digits[] = "0123456789abcdef";
	const char *found;
	int n = 0;

	*number = 0;
	for (; **from != '\0'; ++*from, n++) {
		found = strchr(digits, **from);
		if (found == NULL)
			break;
		if (n == 16)
			return false;
		*number = *number << 4 | (uint64_t)(found - digits);
	}
	*behind = **from;
	*from += *behind != '\0';
	return n > 0;
}

static bool
is_place(const struct automaton *a, uint64_t place)
{
	return place < a->grammar->size;
}

/* Nodes in order: each has at least one below, and each of these is there. */
static bool
parse_node(struct automaton *a, const char **from, uint32_t **key, size_t *room)
{
	const size_t known = a->nodes.count;
	uint64_t number;
	size_t n = 1;
	char behind;

	do {
		if (!take(from, &number, &behind) || number >= known ||
		    (n > 1 && number <= (*key)[n - 1]) ||
		    !array_room(key, room, n + 1, sizeof(**key)))
			return false;
		(*key)[n++] = (uint32_t)number;
	} while (behind == ',');
	return behind == ';' &&
	    intern_add(&a->nodes, *key, n * sizeof(**key)) == known;
}

static bool
parse_nodes(struct automaton *a, const char **from)
{
	uint32_t *key = NULL;
	size_t room = 0;
	uint64_t place;
	char behind;
	bool fine;

	while ((fine = take(from, &place, &behind)) && behind == ',') {
		fine = is_place(a, place) &&
		    array_room(&key, &room, 1, sizeof(*key));
		if (!fine)
			break;
		key[0] = (uint32_t)place;
		fine = parse_node(a, from, &key, &room);
		if (!fine)
			break;
	}
	free(key);
	return fine && behind == ':' && place == 0;
}

/* The rest of a thread, which must be one that a step could make. */
static bool
parse_thread(const struct automaton *a, const char **from, uint64_t place,
    uint64_t *thread)
{
	const struct instruction *in = &a->grammar->code[place];
	uint64_t class, node;
	char behind;

	if (!op_matches(in->op) || !take(from, &class, &behind) ||
	    behind != ',' || !take(from, &node, &behind) || behind != ';')
		return false;
	if (in->op != OP_CLASS && class != 0)
		return false;
	if (in->op == OP_CLASS &&
	    (class == UTF8_MATCHED ||
	        class >= a->grammar->classes.states.count))
		return false;
	if (node >= a->nodes.count)
		return false;
	*thread = thread_pack(
	    (uint32_t)place, (uint32_t) class, (uint32_t)node);
	return true;
}

static bool
parse_threads(struct automaton *a, const char **from, bool complete)
{
	uint64_t *state = NULL, place;
	size_t n = 1, room = 0;
	char behind;
	bool fine = array_room(&state, &room, 1, sizeof(*state));

	while (fine && (fine = take(from, &place, &behind)) && behind == ',') {
		fine = is_place(a, place) &&
		    array_room(&state, &room, n + 1, sizeof(*state)) &&
		    parse_thread(a, from, place, &state[n]) &&
		    (n == 1 || state[n] > state[n - 1]);
		n++;
	}
	fine = fine && behind == ':' && place == 0;
	if (fine) {
		state[0] = complete;
		a->at = automaton_state(a, state, n);
		fine = a->at != AUTOMATON_UNKNOWN;
	}
	free(state);
	return fine;
}

/* The hash at the end must be that of what comes before. */
static bool
is_whole(const char *text)
{
	const char *last = strrchr(text, ':');
	uint64_t hash, whole;
	char behind;

	if (last == NULL)
		return false;
	last++;
	whole = fnv_bytes(FNV_BEGIN, text, (size_t)(last - text));
	return take(&last, &hash, &behind) && behind == '.' && *last == '\0' &&
	    hash == whole;
}

bool
automaton_parse(struct automaton *a, const char *text, struct error *err)
{
	struct automaton copy = {.grammar = a->grammar};
	uint64_t hash, complete;
	char behind;
	bool fine;

	if (!is_whole(text) || !take(&text, &hash, &behind) || behind != ':')
		return error_set(
		    err, STATUS_FAILED, "where the grammar stands is damaged");
	if (hash != grammar_hash(a->grammar))
		return error_set(err, STATUS_USAGE,
		    "the state is one inside another grammar: give the one "
		    "that it was saved in");
	fine = automaton_clear(&copy) && take(&text, &complete, &behind) &&
	    behind == ':' && complete <= 1 && parse_nodes(&copy, &text) &&
	    parse_threads(&copy, &text, complete) && strchr(text, ':') == NULL;
	if (fine) {
		automaton_take(a, &copy);
		a->at = a->probe = copy.at;
		return true;
	}
	automaton_drop(&copy);
	return error_set(err, STATUS_FAILED,
	    "where the grammar stands is damaged, or there is no memory for "
	    "it");
}
