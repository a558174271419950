/* SPDX-License-Identifier: MIT */
/* Arrays that grow. */
#include "array.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

bool
array_room(void *array, size_t *room, size_t count, size_t size)
{
	size_t larger = *room + *room / 2 + 16;
	void *memory, *moved;

	if (count <= *room)
		return true;
	if (larger < count)
		larger = count;
	if (larger > SIZE_MAX / 2 / size)
		return false;
	/* Through memcpy: the array is a pointer of some other type. */
	memcpy(&memory, array, sizeof(memory));
	moved = realloc(memory, larger * size);
	if (moved == NULL)
		return false;
	memcpy(array, &moved, sizeof(moved));
	*room = larger;
	return true;
}

void *
array_new(size_t count, size_t size)
{
	return count <= SIZE_MAX / size ? malloc(count * size) : NULL;
}
