/* SPDX-License-Identifier: MIT */
/*
 * Memory that runs out, and a count of the blocks that are not given back.
 * For tests that are linked with FAILING_WRAPS of the Makefile.
 */
#ifndef TOKPICK_TEST_FAILING_H
#define TOKPICK_TEST_FAILING_H

#include "helper.h"

static size_t failing_in = SIZE_MAX; /* so many succeed, and one fails */
static size_t failing_live;          /* blocks */

void *__real_malloc(size_t);
void *__real_calloc(size_t, size_t);
void *__real_realloc(void *, size_t);
void __real_free(void *);
void *__wrap_malloc(size_t);
void *__wrap_calloc(size_t, size_t);
void *__wrap_realloc(void *, size_t);
void __wrap_free(void *);

static inline bool
failing_now(void)
{
	return failing_in != SIZE_MAX && failing_in-- == 0;
}

static inline void *
failing_count(void *block)
{
	failing_live += block != NULL;
	return block;
}

void *
__wrap_malloc(size_t n)
{
	return failing_now() ? NULL : failing_count(__real_malloc(n));
}

void *
__wrap_calloc(size_t count, size_t n)
{
	return failing_now() ? NULL : failing_count(__real_calloc(count, n));
}

void *
__wrap_realloc(void *block, size_t n)
{
	if (failing_now())
		return NULL;
	failing_live -= block != NULL;
	return failing_count(__real_realloc(block, n));
}

void
__wrap_free(void *block)
{
	failing_live -= block != NULL;
	__real_free(block);
}

#endif
