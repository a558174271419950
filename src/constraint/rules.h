/* SPDX-License-Identifier: MIT */
/* The rules of a grammar that is being read, by name. */
#ifndef TOKPICK_RULES_H
#define TOKPICK_RULES_H

#include "grammar.h"
#include "scan.h"

/* A rule's number is that of its name, which is taken when it is first met. */
struct rules {
	struct intern names;
	uint32_t *start; /* in the program, [names.count]; or RULE_UNKNOWN */
	size_t room;
};

#define RULE_UNKNOWN UINT32_MAX

/* False if there is no memory. */
bool rules_find(struct rules *, const char *name, size_t n, uint32_t *number);

/*
 * Tie a program together, once all of it is there: calls lead to rules, and
 * jumps to places.  Refused are rules that are named, but never defined, and
 * those that come back to themselves with nothing matched: following them
 * would never end.  scan is for the messages.
 */
bool rules_link(
    const struct rules *, struct grammar *, const struct scan *scan);

void rules_free(struct rules *);

#endif
