/* SPDX-License-Identifier: MIT */
/* Names with values, in order: what goes to a state file and comes back. */
#ifndef TOKPICK_PAIRS_H
#define TOKPICK_PAIRS_H

#include <stddef.h>

#include "message.h"

struct pair {
	char *name;
	char *value;
	size_t line; /* of the file it came from, from 1; 0: from none */
};

/* All zero is a list of none. */
struct pairs {
	struct pair *list;
	size_t size;
	size_t room;
};

/* Add copies of both texts.  False and err if memory runs out. */
bool pairs_add(struct pairs *, const char *name, const char *value, size_t line,
    struct error *);

/* The first of that name, or NULL. */
const struct pair *pairs_find(const struct pairs *, const char *name);

void pairs_free(struct pairs *);

#endif
