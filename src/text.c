/* SPDX-License-Identifier: MIT */
/* A text that grows, up to a cap. */
#include "text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "array.h"

static bool
make_room(struct text *t, size_t n)
{
	if (t->full || t->lost)
		return false;
	if (n > (t->cap > 0 ? t->cap : TEXT_CAP) - t->size) {
		t->full = true;
		return false;
	}
	t->lost = !array_room(&t->bytes, &t->room, t->size + n + 1, 1);
	return !t->lost;
}

void
text_add(struct text *t, const char *bytes, size_t n)
{
	if (!make_room(t, n))
		return;
	if (n > 0)
		memcpy(t->bytes + t->size, bytes, n);
	t->size += n;
	t->bytes[t->size] = '\0';
}

void
text_print(struct text *t, const char *format, ...)
{
	char part[201];
	va_list args;

	va_start(args, format);
	vsnprintf(part, sizeof(part), format, args);
	va_end(args);
	text_add(t, part, strlen(part));
}
