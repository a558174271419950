/* SPDX-License-Identifier: MIT */
/* A small file, read whole. */
#include "slurp.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "bytes.h"

enum { FIRST_SIZE = 64 * 1024 };

/* Make room for at least one more byte and the NUL. */
static bool
make_room(char **text, size_t size, size_t *room)
{
	char *larger;

	if (*room - size > 1)
		return true;
	larger = realloc(*text, 2 * *room);
	if (larger == NULL)
		return false;
	*text = larger;
	*room *= 2;
	return true;
}

static char *
read_all(struct bytes *b, size_t *size, struct error *err)
{
	size_t room = FIRST_SIZE, got = 1;
	char *text = NULL;

	*size = 0;
	while (got > 0) {
		if (text == NULL ? (text = malloc(room)) == NULL
		                 : !make_room(&text, *size, &room)) {
			error_system(err, ENOMEM, "%s", b->name);
			goto failed;
		}
		if (!bytes_read(b, text + *size, room - *size - 1, &got, err))
			goto failed;
		*size += got;
		if (*size > SLURP_MAX) {
			error_set(err, STATUS_FAILED,
			    "%s: more than %d bytes: such a list is not read",
			    b->name, SLURP_MAX);
			goto failed;
		}
	}
	text[*size] = '\0';
	return text;
failed:
	free(text);
	return NULL;
}

char *
slurp(const char *file, size_t *size, struct error *err)
{
	struct bytes b;
	char *text;

	if (strcmp(file, "-") == 0) {
		error_set(err, STATUS_USAGE,
		    "-: standard input is for rows; name a file");
		return NULL;
	}
	if (!bytes_open(&b, file, NULL, err))
		return NULL;
	text = read_all(&b, size, err);
	bytes_close(&b);
	return text;
}
