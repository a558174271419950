/* SPDX-License-Identifier: MIT */
/*
 * An allocator that fails: preloaded, or linked with ld's --wrap.
 *
 * The allocation whose number is FAULT_AT fails, and all behind it if
 * FAULT_MODE is "on".  The file FAULT_LOG gets the word "fault" then.  At the
 * exit it gets how many blocks were never freed, and the peak of resident
 * memory in KiB as the kernel has it.  The names behind are glibc's.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fault.h"

#ifdef FAULT_WRAP
#define OURS(name) __wrap_##name
#define THEIRS(name) __real_##name
#else
#define OURS(name) name
#define THEIRS(name) __libc_##name
#define __libc_aligned_alloc __libc_memalign
#define __libc_posix_memalign plain_posix_memalign
#endif

void *THEIRS(malloc)(size_t);
void *THEIRS(calloc)(size_t, size_t);
void *THEIRS(realloc)(void *, size_t);
void *THEIRS(aligned_alloc)(size_t, size_t);
int THEIRS(posix_memalign)(void **, size_t, size_t);
void THEIRS(free)(void *);

void *OURS(malloc)(size_t);
void *OURS(calloc)(size_t, size_t);
void *OURS(realloc)(void *, size_t);
void *OURS(aligned_alloc)(size_t, size_t);
int OURS(posix_memalign)(void **, size_t, size_t);
void OURS(free)(void *);

static atomic_long live;

/* Is this one to fail? */
static bool
fails(void)
{
	if (!fault_is_due())
		return false;
	errno = ENOMEM;
	return true;
}

static void *
count(void *block)
{
	if (block != NULL)
		atomic_fetch_add(&live, 1);
	return block;
}

void *
OURS(malloc)(size_t n)
{
	return fails() ? NULL : count(THEIRS(malloc)(n));
}

void *
OURS(calloc)(size_t n, size_t size)
{
	return fails() ? NULL : count(THEIRS(calloc)(n, size));
}

void *
OURS(realloc)(void *block, size_t n)
{
	void *moved;

	if (fails())
		return NULL;
	moved = THEIRS(realloc)(block, n);
	return block == NULL ? count(moved) : moved;
}

void *
OURS(aligned_alloc)(size_t alignment, size_t n)
{
	return fails() ? NULL : count(THEIRS(aligned_alloc)(alignment, n));
}

#ifndef FAULT_WRAP
int
plain_posix_memalign(void **block, size_t alignment, size_t n)
{
	*block = __libc_memalign(alignment, n);
	return *block == NULL ? ENOMEM : 0;
}
#endif

int
OURS(posix_memalign)(void **block, size_t alignment, size_t n)
{
	int errnum;

	if (fails())
		return ENOMEM;
	errnum = THEIRS(posix_memalign)(block, alignment, n);
	if (errnum == 0)
		count(*block);
	return errnum;
}

void
OURS(free)(void *block)
{
	if (block != NULL)
		atomic_fetch_sub(&live, 1);
	THEIRS(free)(block);
}

/* Where the kernel tells of the peak. */
static long status_fd;

__attribute__((constructor)) static void
begin(void)
{
	status_fd = fault_open("/proc/self/status", O_RDONLY);
}

static long
peak_kib(void)
{
	char text[4096], *line;
	long n = syscall(SYS_pread64, status_fd, text, sizeof(text) - 1, 0);

	text[n > 0 ? n : 0] = '\0';
	line = strstr(text, "VmHWM:");
	return line == NULL ? -1 : strtol(line + 6, NULL, 10);
}

__attribute__((destructor)) static void
tell(void)
{
	char text[80];
	int n = snprintf(text, sizeof(text), "live %ld\npeak %ld\n",
	    atomic_load(&live), peak_kib());

	fault_log(text, (size_t)n);
}
