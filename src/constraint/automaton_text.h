/* SPDX-License-Identifier: MIT */
/* Where an automaton is, as a text and back. */
#ifndef TOKPICK_AUTOMATON_TEXT_H
#define TOKPICK_AUTOMATON_TEXT_H

#include "automaton.h"

/*
 * The state at as printable ASCII without blanks: the hash of the grammar,
 * whether it is complete, nodes from the bottom up, threads, and the hash of
 * all that, between colons.  Allocated; NULL and err if there is no memory.
 */
char *automaton_print(const struct automaton *, struct error *);

/* Be at the state of such a text; on failure nothing has changed. */
bool automaton_parse(struct automaton *, const char *text, struct error *);

#endif
