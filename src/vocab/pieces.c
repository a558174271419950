/* SPDX-License-Identifier: MIT */
/* Token pieces: the bytes that each id stands for. */
#include "pieces.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../input/slurp.h"

/* The pieces' bytes stand end to end; piece i ends where i + 1 begins. */
struct pieces {
	char *bytes;
	size_t *start; /* [count + 1] */
	size_t count;
};

static int
hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return -1;
}

size_t
pieces_unescape(const char *from, const char *end, char *to)
{
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
		if (end - from < 3 || hex_digit(from[1]) < 0 ||
		    hex_digit(from[2]) < 0)
			return 0;
		*to = (char)(hex_digit(from[1]) * 16 + hex_digit(from[2]));
		return 3;
	default:
		return 0;
	}
}

/*
 * Take one line, from up to end, to the end of the bytes; what is written
 * never overtakes what is read, so both may share memory.
 */
static bool
add_line(struct pieces *p, size_t *used, const char *from, const char *end)
{
	size_t length;

	while (from < end) {
		if (*from != '\\') {
			p->bytes[(*used)++] = *from++;
			continue;
		}
		length = pieces_unescape(from + 1, end, p->bytes + *used);
		if (length == 0)
			return false;
		from += 1 + length;
		(*used)++;
	}
	p->start[++p->count] = *used;
	return true;
}

static bool
split(struct pieces *p, size_t size, const char *file, struct error *err)
{
	const char *from = p->bytes, *end = from + size, *newline;
	size_t used = 0;

	while (from < end) {
		newline = memchr(from, '\n', (size_t)(end - from));
		if (newline == NULL)
			newline = end;
		if (!add_line(p, &used, from, newline))
			return error_set(err, STATUS_FAILED,
			    "%s: line %zu: a backslash begins none of "
			    "\\\\ \\n \\r \\t \\xNN",
			    file, p->count + 1);
		from = newline + 1;
	}
	return true;
}

static size_t
count_lines(const char *text, size_t size)
{
	size_t lines = size > 0 && text[size - 1] != '\n';

	for (size_t i = 0; i < size; i++)
		lines += text[i] == '\n';
	return lines;
}

struct pieces *
pieces_read(const char *file, struct error *err)
{
	struct pieces *p = calloc(1, sizeof(*p));
	size_t size, lines;

	if (p == NULL) {
		error_system(err, ENOMEM, "%s", file);
		return NULL;
	}
	p->bytes = slurp(file, &size, err);
	if (p->bytes == NULL)
		goto failed;
	lines = count_lines(p->bytes, size);
	p->start = calloc(lines + 1, sizeof(*p->start));
	if (p->start == NULL) {
		error_system(err, ENOMEM, "%s: %zu pieces", file, lines);
		goto failed;
	}
	if (lines == 0) {
		error_set(err, STATUS_FAILED,
		    "%s: no pieces: one a line is wanted", file);
		goto failed;
	}
	if (split(p, size, file, err))
		return p;
failed:
	pieces_free(p);
	return NULL;
}

void
pieces_free(struct pieces *p)
{
	if (p == NULL)
		return;
	free(p->bytes);
	free(p->start);
	free(p);
}

size_t
pieces_count(const struct pieces *p)
{
	return p->count;
}

bool
pieces_get(const struct pieces *p, uint32_t id, const char **bytes, size_t *n)
{
	if (id >= p->count)
		return false;
	*bytes = p->bytes + p->start[id];
	*n = p->start[id + 1] - p->start[id];
	return true;
}
