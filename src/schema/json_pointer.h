/* SPDX-License-Identifier: MIT */
/* Places in a JSON text, as URI fragments: "#/properties/a~1b". */
#ifndef TOKPICK_JSON_POINTER_H
#define TOKPICK_JSON_POINTER_H

#include "json_tree.h"

/*
 * Where the node stands, cut where the room is full; a name's "%" and "#" stay
 * as they are.
 */
void json_pointer_print(char *to, size_t room, const struct json_node *);

/*
 * One step of a pointer: the child of node that is named from *at up to the
 * next '/' or end, once %XX, ~0 and ~1 are undone, which is done in place.
 * *at, which is on a '/', moves to the end of the name.  NULL if there is no
 * such child, or an escape is wrong.
 */
struct json_node *json_pointer_step(
    const struct json_node *, char **at, char *end);

#endif
