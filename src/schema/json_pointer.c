/* SPDX-License-Identifier: MIT */
/* Places in a JSON text, as URI fragments. */
#include "json_pointer.h"

#include <stdio.h>
#include <string.h>

#include "../hex.h"

/* Room for a text, which is cut where that ends. */
struct line {
	char *at, *end;
};

static void
add(struct line *l, const char *bytes, size_t n)
{
	size_t room = (size_t)(l->end - l->at);

	n = n < room ? n : room;
	memcpy(l->at, bytes, n);
	l->at += n;
}

static void
add_name(struct line *l, const struct json_node *node)
{
	char number[24];

	if (node->parent->kind == JSON_ARRAY) {
		snprintf(number, sizeof(number), "%zu", node->index);
		add(l, number, strlen(number));
		return;
	}
	for (size_t i = 0; i < node->key_size; i++) {
		if (node->key[i] == '~')
			add(l, "~0", 2);
		else if (node->key[i] == '/')
			add(l, "~1", 2);
		else if (node->key[i] == '\0')
			add(l, "%00", 3);
		else
			add(l, &node->key[i], 1);
	}
}

void
json_pointer_print(char *to, size_t room, const struct json_node *node)
{
	const struct json_node *path[JSON_DEPTH + 1];
	struct line line;
	size_t n = 0;

	line.at = to;
	line.end = to + room - 1;
	for (; node->parent != NULL; node = node->parent)
		path[n++] = node;
	add(&line, "#", 1);
	while (n-- > 0) {
		add(&line, "/", 1);
		add_name(&line, path[n]);
	}
	*line.at = '\0';
}

/* Undo %XX in place, then ~0 and ~1; false where an escape is wrong. */
static bool
unescape(char *name, size_t *size)
{
	size_t n = 0;
	int byte;

	for (size_t i = 0; i < *size; i++) {
		name[n] = name[i];
		if (name[i] == '%') {
			byte = *size - i < 3 ? -1 : hex_byte(name + i + 1);
			if (byte < 0)
				return false;
			name[n] = (char)byte;
			i += 2;
		}
		n++;
	}
	*size = n;
	n = 0;
	for (size_t i = 0; i < *size; i++) {
		name[n] = name[i];
		if (name[i] == '~') {
			if (++i == *size || (name[i] != '0' && name[i] != '1'))
				return false;
			name[n] = name[i] == '0' ? '~' : '/';
		}
		n++;
	}
	*size = n;
	return true;
}

/* An array's child by its decimal number, without zeros before it. */
static struct json_node *
child_at(const struct json_node *array, const char *name, size_t size)
{
	size_t index = 0;

	if (size == 0 || size > 9 || (size > 1 && name[0] == '0'))
		return NULL;
	for (size_t i = 0; i < size; i++) {
		if (name[i] < '0' || name[i] > '9')
			return NULL;
		index = 10 * index + (size_t)(name[i] - '0');
	}
	return index < array->count ? array->children[index] : NULL;
}

struct json_node *
json_pointer_step(const struct json_node *node, char **at, char *end)
{
	char *name = *at + 1;
	size_t size;

	*at = memchr(name, '/', (size_t)(end - name));
	if (*at == NULL)
		*at = end;
	size = (size_t)(*at - name);
	if (!unescape(name, &size))
		return NULL;
	if (node->kind == JSON_ARRAY)
		return child_at(node, name, size);
	return json_node_get(node, name, size);
}
