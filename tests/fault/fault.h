/* SPDX-License-Identifier: MIT */
/*
 * When a fault is due, for the shims; each is one C file that includes this.
 *
 * FAULT_AT is the number of the call that fails, from 1 on; FAULT_MODE is
 * "once", "on" for all behind it as well, or "storm" for half of those.
 * FAULT_LOG is the file that gets the word "fault" when there was one.
 *
 * Nothing here may allocate or go through a call that a shim has replaced.
 */
#ifndef TOKPICK_FAULT_H
#define TOKPICK_FAULT_H

#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static long fault_at; /* 0: never */
static char fault_mode = 'o';
static long fault_log_fd = -1;
static atomic_long fault_calls;
static atomic_bool fault_was;

static inline void
fault_log(const char *text, size_t n)
{
	syscall(SYS_write, fault_log_fd, text, n);
}

/* Open a file where it is in nobody's way; the program may lose the right. */
static inline long
fault_open(const char *name, int flags)
{
	const long above = 200;
	long fd = syscall(SYS_openat, AT_FDCWD, name, flags | O_CLOEXEC, 0666);
	long high = syscall(SYS_fcntl, fd, F_DUPFD_CLOEXEC, above);

	syscall(SYS_close, fd);
	return high;
}

/* Half of the calls, without a pattern that loops could fall in step with. */
static inline bool
fault_storms(long call)
{
	return ((unsigned long)call * 2654435761 >> 13 & 1) != 0;
}

static inline bool
fault_is_due(void)
{
	long call;

	if (fault_at == 0)
		return false;
	call = atomic_fetch_add(&fault_calls, 1) + 1;
	if (call < fault_at || (fault_mode == 'o' && call > fault_at) ||
	    (fault_mode == 's' && !fault_storms(call)))
		return false;
	if (!atomic_exchange(&fault_was, true))
		fault_log("fault\n", 6);
	return true;
}

/* No more of them; called where a recorder of coverage ends the program. */
void fault_end(void);
void
fault_end(void)
{
	fault_at = 0;
}

/* What a model that the program runs does is its own. */
__attribute__((constructor)) static void
fault_begin(void)
{
	const char *name = getenv("FAULT_LOG"), *mode = getenv("FAULT_MODE");
	const char *number = getenv("FAULT_AT");

	if (name != NULL)
		fault_log_fd = fault_open(name, O_WRONLY | O_CREAT | O_APPEND);
	if (mode != NULL)
		fault_mode = strcmp(mode, "on") == 0 ? 'n' : mode[0];
	unsetenv("LD_PRELOAD");
	unsetenv("FAULT_LOG");
	fault_at = number != NULL ? atol(number) : 0;
}

#endif
