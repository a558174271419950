/* SPDX-License-Identifier: MIT */
/* A grammar run over bytes, as a deterministic automaton made on the way. */
#ifndef TOKPICK_AUTOMATON_H
#define TOKPICK_AUTOMATON_H

#include "../message.h"
#include "grammar.h"

/*
 * All ways through the program are followed at once.  Each is a thread: an
 * instruction that matches something, and a stack of the places to which the
 * rules that are open return.
 *
 * Stacks share what they have in common.  A node is a place to return to and
 * the set of the nodes that may lie below it; node 0 is the bottom.  Calls
 * of one step that return to the same place make one node together, so there
 * are never more new nodes in a step than the program has calls, however
 * many ways lead there.  A node is made after those below it, and the same
 * one is never made twice.
 *
 * A state is a set of threads.  The same one is never made twice either, and
 * where a byte leads from it is worked out once, when it is first asked for.
 *
 * Whenever nodes and states take more than AUTOMATON_ROOM bytes, all are
 * forgotten but those that are needed to go on.
 *
 * A byte may take as many threads as memory allows, and a vocabulary has many
 * bytes: what is worked out for one row has a bound too, AUTOMATON_STEPS.
 */
struct automaton {
	const struct grammar *grammar;
	struct intern nodes;   /* uint32_t: place, nodes below, ascending */
	struct intern states;  /* uint64_t: 1 if complete, threads, ascending */
	uint32_t (*next)[256]; /* [states] by byte, or AUTOMATON_UNKNOWN */
	size_t next_room;
	uint32_t at;             /* the state of what has been accepted */
	uint32_t probe;          /* the state of what is being asked */
	unsigned long forgotten; /* how often states were forgotten */
	uint64_t steps;          /* by a byte, that this row may take yet */
	struct threads *threads;
};

/* The state in which nothing may follow and no text ends. */
#define AUTOMATON_DEAD 0
#define AUTOMATON_UNKNOWN UINT32_MAX
#define AUTOMATON_BOTTOM 0

enum { AUTOMATON_ROOM = 64 << 20, AUTOMATON_STEPS = 1 << 28 };

/* At the beginning of a text.  NULL and err if there is no memory. */
struct automaton *automaton_new(const struct grammar *, struct error *);
void automaton_free(struct automaton *);

/* A new row: it may take AUTOMATON_STEPS. */
void automaton_begin_row(struct automaton *);

/*
 * Move probe on by a byte whose way is not known yet.  States may be
 * forgotten, and all but at and probe are then other numbers.  False and err
 * if there is no memory, or more than the half of AUTOMATON_ROOM is needed,
 * or the row has taken its steps.
 */
bool automaton_step(struct automaton *, unsigned char byte, struct error *);

/* Set probe to where n bytes lead from at. */
bool automaton_walk(
    struct automaton *, const char *bytes, size_t n, struct error *);

/* May a text end at this state? */
bool automaton_complete(const struct automaton *, uint32_t state);

/* The threads of a state. */
const uint64_t *automaton_threads(
    const struct automaton *, uint32_t state, size_t *n);

/*
 * Accept what led to probe, and a token: go on at probe and behind those
 * instructions of at that match the token whole.
 */
bool automaton_accept(struct automaton *, uint32_t id, struct error *);

/* Does an instruction of at match this token whole? */
bool automaton_matches_token(const struct automaton *, uint32_t id);

/*
 * A thread as a number: the instruction, where in a character its class is,
 * and its stack.
 */
enum { PLACE_BITS = 20, CLASS_BITS = 16, NODE_BITS = 28 };

static inline uint64_t
thread_pack(uint32_t place, uint32_t class, uint32_t node)
{
	return (uint64_t)place << (CLASS_BITS + NODE_BITS) |
	    (uint64_t) class << NODE_BITS | node;
}

static inline uint32_t
thread_place(uint64_t thread)
{
	return (uint32_t)(thread >> (CLASS_BITS + NODE_BITS));
}

static inline uint16_t
thread_class(uint64_t thread)
{
	return (uint16_t)(thread >> NODE_BITS & ((1U << CLASS_BITS) - 1));
}

static inline uint32_t
thread_node(uint64_t thread)
{
	return (uint32_t)(thread & ((1U << NODE_BITS) - 1));
}

/* For the files of the automaton only. */

/* How much nodes and states take. */
size_t automaton_size(const struct automaton *);

/* With the bottom and the dead state alone; false if there is no memory. */
bool automaton_clear(struct automaton *);

/* Give the memory of nodes and states back. */
void automaton_drop(struct automaton *);

/* Take the nodes and states of another, which is left empty. */
void automaton_take(struct automaton *, struct automaton *other);

/* The number of a state, which is made if it is new; or AUTOMATON_UNKNOWN. */
uint32_t automaton_state(struct automaton *, const uint64_t *state, size_t n);

/* Forget all that at and probe don't need. */
bool automaton_forget(struct automaton *, struct error *);

/*
 * New numbers, in the same order, for the nodes that some states need:
 * numbers[old] is the new one, or AUTOMATON_UNKNOWN if it is not needed.
 * Allocated, the caller's to free; NULL if there is no memory.
 */
uint32_t *automaton_renumber(
    const struct automaton *, const uint32_t *states, size_t n);

/* What went wrong; both return false. */
bool automaton_no_memory(struct error *);
bool automaton_too_large(struct error *);

#endif
