/* SPDX-License-Identifier: MIT */
/* Rights that are given up once all is open; tokpick(1), SANDBOX. */
#ifndef TOKPICK_SANDBOX_H
#define TOKPICK_SANDBOX_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Sanitizers open files of their own, some at the very end, and are recognised;
 * a build with another tool that does so says it.
 */
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer) || \
    __has_feature(thread_sanitizer)
#define TOKPICK_NO_SANDBOX 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#undef TOKPICK_NO_SANDBOX
#define TOKPICK_NO_SANDBOX 1
#endif

/* What is still to be done once all is open. */
struct sandbox {
	char *const *to_read; /* files that are opened later; "-" is open */
	size_t n_to_read;
	const char *mask;        /* another; NULL: none */
	const char *to_write[2]; /* by whole_file_write(); NULL: nothing */
	bool child;              /* one that runs is waited for and ended */
};

/*
 * Give up what the rest of the run does not need.  Nothing depends on it, so
 * where the system refuses or can't, a note with -v is all that comes of it.
 * Threads and children that are there already keep what they have; threads
 * that are made later have no more than this one.
 */
void sandbox_enter(const struct sandbox *);

#endif
