/* SPDX-License-Identifier: MIT */
/* Arrays that grow. */
#ifndef TOKPICK_ARRAY_H
#define TOKPICK_ARRAY_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Make room for count elements of size bytes in *array, which is a pointer's
 * address; *room is how many it holds.  It grows by half at least.  False if
 * there is no memory: then nothing has changed.
 */
bool array_room(void *array, size_t *room, size_t count, size_t size);

/*
 * One of count elements of size bytes, not 0, that nobody has written: unlike
 * calloc(), so that a sanitizer sees who reads them first.  The caller's to
 * free(); NULL if there is no memory, or a size_t can't say how much.
 */
void *array_new(size_t count, size_t size);

#endif
