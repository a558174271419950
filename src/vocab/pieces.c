/* SPDX-License-Identifier: MIT */
/* Token pieces: the bytes that each id stands for. */
#include "pieces.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../array.h"
#include "../hex.h"
#include "../input/slurp.h"

struct piece {
	size_t end; /* in all bytes: it begins where the one before ends */
	bool silent;
};

struct pieces {
	char *bytes; /* end to end */
	size_t used, bytes_room;
	struct piece *list;
	size_t count, room;
};

size_t
pieces_unescape(const char *from, const char *end, char *to)
{
	int byte;

	if (from == end)
		return 0;
	switch (*from) {
	case '\\':
		*to = '\\';
		return 1;
	case 'n':
		*to = '\n';
		return 1;
	case 'r':
		*to = '\r';
		return 1;
	case 't':
		*to = '\t';
		return 1;
	case 'x':
		byte = end - from < 3 ? -1 : hex_byte(from + 1);
		if (byte < 0)
			return 0;
		*to = (char)byte;
		return 3;
	default:
		return 0;
	}
}

struct pieces *
pieces_new(struct error *err)
{
	struct pieces *p = calloc(1, sizeof(*p));

	if (p == NULL)
		error_system(err, ENOMEM, "a list of pieces");
	return p;
}

/* A byte is always left, so that an empty piece has an address too. */
static bool
make_room(struct pieces *p, size_t n)
{
	return array_room(&p->list, &p->room, p->count + 1, sizeof(*p->list)) &&
	    array_room(&p->bytes, &p->bytes_room, p->used + n + 1, 1);
}

bool
pieces_add(struct pieces *p, const void *bytes, size_t n, bool silent,
    struct error *err)
{
	if (!make_room(p, n))
		return error_system(err, ENOMEM, "%zu pieces", p->count + 1);
	memcpy(p->bytes + p->used, bytes, n);
	p->used += n;
	p->list[p->count++] = (struct piece){p->used, silent};
	return true;
}

/*
 * Resolve the escapes of a line in its place.  Returns its new length, or
 * SIZE_MAX where a backslash begins none.
 */
static size_t
unescape(char *line, const char *end)
{
	const char *from = line;
	char *to = line;
	size_t length;

	for (; from < end; to++) {
		if (*from != '\\') {
			*to = *from++;
			continue;
		}
		length = pieces_unescape(from + 1, end, to);
		if (length == 0)
			return SIZE_MAX;
		from += 1 + length;
	}
	return (size_t)(to - line);
}

static bool
add_lines(struct pieces *p, char *text, size_t size, const char *file,
    struct error *err)
{
	char *end = text + size, *newline;
	size_t length;

	if (size == 0)
		return error_set(err, STATUS_FAILED,
		    "%s: no pieces: one a line is wanted", file);
	for (; text < end; text = newline + 1) {
		newline = memchr(text, '\n', (size_t)(end - text));
		if (newline == NULL)
			newline = end;
		length = unescape(text, newline);
		if (length == SIZE_MAX)
			return error_set(err, STATUS_FAILED,
			    "%s: line %zu: a backslash begins none of "
			    "\\\\ \\n \\r \\t \\xNN",
			    file, p->count + 1);
		if (!pieces_add(p, text, length, false, err))
			return false;
	}
	return true;
}

struct pieces *
pieces_read(const char *file, struct error *err)
{
	struct pieces *p;
	size_t size;
	char *text;
	bool good;

	text = slurp(file, &size, err);
	if (text == NULL)
		return NULL;
	p = pieces_new(err);
	good = p != NULL && add_lines(p, text, size, file, err);
	free(text);
	if (good)
		return p;
	pieces_free(p);
	return NULL;
}

void
pieces_free(struct pieces *p)
{
	if (p == NULL)
		return;
	free(p->bytes);
	free(p->list);
	free(p);
}

size_t
pieces_count(const struct pieces *p)
{
	return p->count;
}

bool
pieces_is_silent(const struct pieces *p, uint32_t id)
{
	return id < p->count && p->list[id].silent;
}

bool
pieces_get(const struct pieces *p, uint32_t id, const char **bytes, size_t *n)
{
	size_t start;

	if (id >= p->count)
		return false;
	start = id > 0 ? p->list[id - 1].end : 0;
	*bytes = p->bytes + start;
	*n = p->list[id].end - start;
	return true;
}
