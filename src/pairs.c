/* SPDX-License-Identifier: MIT */
/* Names with values, in order. */
#include "pairs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"

bool
pairs_add(struct pairs *p, const char *name, const char *value, size_t line,
    struct error *err)
{
	struct pair pair = {strdup(name), strdup(value), line};

	if (pair.name != NULL && pair.value != NULL &&
	    array_room(&p->list, &p->room, p->size + 1, sizeof(*p->list))) {
		p->list[p->size++] = pair;
		return true;
	}
	free(pair.name);
	free(pair.value);
	return error_system(err, ENOMEM, "%s", name);
}

const struct pair *
pairs_find(const struct pairs *p, const char *name)
{
	for (size_t i = 0; i < p->size; i++)
		if (strcmp(p->list[i].name, name) == 0)
			return &p->list[i];
	return NULL;
}

void
pairs_free(struct pairs *p)
{
	for (size_t i = 0; i < p->size; i++) {
		free(p->list[i].name);
		free(p->list[i].value);
	}
	free(p->list);
	*p = (struct pairs){0};
}
