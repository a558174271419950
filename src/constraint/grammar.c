/* SPDX-License-Identifier: MIT */
/* A grammar as a program over bytes and tokens. */
#include "grammar.h"

#include <stdlib.h>
#include <string.h>

#include "../array.h"
#include "../fnv.h"

void
grammar_free(struct grammar *g)
{
	if (g == NULL)
		return;
	free(g->code);
	utf8_classes_free(&g->classes);
	free(g);
}

/* So many copies in all: those of `"a"****...` would never end. */
enum { COPIED_MAX = 64 * GRAMMAR_SIZE_MAX };

static bool
make_room(struct grammar *g, uint64_t more)
{
	g->too_large = more > GRAMMAR_SIZE_MAX - g->size ||
	    g->copied > COPIED_MAX;
	return !g->too_large &&
	    array_room(
	        &g->code, &g->room, g->size + (size_t)more, sizeof(*g->code));
}

/* Behind make_room(). */
static void
append(struct grammar *g, enum op op, uint32_t a, uint32_t b)
{
	g->code[g->size++] = (struct instruction){op, a, b};
}

static void
append_copy(struct grammar *g, const struct instruction *from, size_t n)
{
	memcpy(g->code + g->size, from, n * sizeof(*from));
	g->size += n;
}

bool
grammar_emit(struct grammar *g, enum op op, uint32_t a, uint32_t b)
{
	if (!make_room(g, 1))
		return false;
	append(g, op, a, b);
	return true;
}

/* Without a bound: a loop around it, or behind the last that must come. */
static bool
repeat_forever(
    struct grammar *g, const struct instruction *item, uint32_t n, uint32_t min)
{
	if (!make_room(g, (uint64_t)min * n + n + 2))
		return false;
	if (min == 0) {
		append(g, OP_SPLIT, 1, n + 2);
		append_copy(g, item, n);
		append(g, OP_JUMP, 0 - (n + 1), 0);
		return true;
	}
	for (uint32_t i = 0; i < min; i++)
		append_copy(g, item, n);
	append(g, OP_SPLIT, 0 - n, 1);
	return true;
}

/* Each that need not come may be the place to leave, for the end of all. */
static bool
repeat_bounded(struct grammar *g, const struct instruction *item, uint32_t n,
    uint32_t min, uint32_t max)
{
	if (!make_room(g, (uint64_t)max * n + (max - min)))
		return false;
	for (uint32_t i = 0; i < min; i++)
		append_copy(g, item, n);
	for (uint32_t i = min; i < max; i++) {
		append(g, OP_SPLIT, 1, (max - i) * (n + 1));
		append_copy(g, item, n);
	}
	return true;
}

bool
grammar_repeat(struct grammar *g, size_t start, uint32_t min, uint32_t max)
{
	const size_t n = g->size - start;
	struct instruction *item;
	bool done;

	if (n == 0)
		return true;
	item = malloc(n * sizeof(*item));
	if (item == NULL)
		return false;
	memcpy(item, g->code + start, n * sizeof(*item));
	g->size = start;
	g->copied += n;
	if (max == GRAMMAR_NO_BOUND)
		done = repeat_forever(g, item, (uint32_t)n, min);
	else
		done = repeat_bounded(g, item, (uint32_t)n, min, max);
	free(item);
	return done;
}

/*
 * A split before it leads to the next, and a jump behind it over all that
 * come.  Until it is known how far, a of the jump is the way back to the one
 * before, or 0.
 */
bool
grammar_alternative(struct grammar *g, size_t start, size_t *last)
{
	const size_t n = g->size - start;

	if (!make_room(g, 2))
		return false;
	memmove(g->code + start + 1, g->code + start, n * sizeof(*g->code));
	g->code[start] = (struct instruction){OP_SPLIT, 1, (uint32_t)n + 2};
	g->size++;
	append(g, OP_JUMP, *last == 0 ? 0 : (uint32_t)(g->size - *last), 0);
	*last = g->size - 1;
	return true;
}

void
grammar_join(struct grammar *g, size_t last)
{
	size_t back;

	for (; last != 0; last = back == 0 ? 0 : last - back) {
		back = g->code[last].a;
		g->code[last].a = (uint32_t)(g->size - last);
	}
}

uint64_t
grammar_hash(const struct grammar *g)
{
	uint64_t hash = fnv_number(FNV_BEGIN, g->start);
	const uint16_t *row;
	size_t n;

	for (size_t i = 0; i < g->size; i++) {
		hash = fnv_number(hash, (uint64_t)g->code[i].op);
		hash = fnv_number(hash, g->code[i].a);
		hash = fnv_number(hash, g->code[i].b);
	}
	for (uint32_t i = 0; i < g->classes.states.count; i++) {
		row = intern_get(&g->classes.states, i, &n);
		for (size_t byte = 0; byte < 256; byte++)
			hash = fnv_number(hash, row[byte]);
	}
	return hash;
}
