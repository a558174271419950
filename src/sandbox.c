/* SPDX-License-Identifier: MIT */
/* Rights that are given up once all is open: pledge(), or both of Linux. */
#if defined(__OpenBSD__)
#define _BSD_SOURCE /* pledge() */
#endif
#include "sandbox.h"

#include <errno.h>
#include <string.h>
#if defined(__linux__)
#include <sys/prctl.h>
#elif defined(__OpenBSD__)
#include <stdio.h>
#include <unistd.h>
#endif

#include "message.h"
#include "sandbox_parts.h"

bool
sandbox_reads(const struct sandbox *s)
{
	for (size_t i = 0; i < s->n_to_read; i++)
		if (strcmp(s->to_read[i], "-") != 0)
			return true;
	return s->mask != NULL && strcmp(s->mask, "-") != 0;
}

bool
sandbox_writes(const struct sandbox *s)
{
	return s->to_write[0] != NULL || s->to_write[1] != NULL;
}

#if defined(TOKPICK_NO_SANDBOX)

void
sandbox_enter(const struct sandbox *s)
{
	(void)s;
	message_note("sandbox: left out of this build");
}

#elif defined(__linux__)

static void
note(const char *part, const char *missing)
{
	if (missing != NULL)
		message_note("sandbox: %s: %s", part, missing);
}

void
sandbox_enter(const struct sandbox *s)
{
	/* Without that the other two take a privilege. */
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) {
		note("no_new_privs", strerror(errno));
		return;
	}
	/* In this order: the filter leaves no call that Landlock takes. */
	note("Landlock", sandbox_files(s));
	note("seccomp", sandbox_calls(s));
}

#elif defined(__OpenBSD__)

void
sandbox_enter(const struct sandbox *s)
{
	bool writes = sandbox_writes(s);
	char promises[40];

	snprintf(promises, sizeof(promises), "stdio tty%s%s%s",
	    sandbox_reads(s) || writes ? " rpath" : "",
	    writes ? " wpath cpath" : "", s->child ? " proc" : "");
	if (pledge(promises, NULL) != 0)
		message_note("sandbox: pledge: %s", strerror(errno));
}

#else

void
sandbox_enter(const struct sandbox *s)
{
	(void)s;
	message_note("sandbox: none on this system");
}

#endif
