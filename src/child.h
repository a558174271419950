/* SPDX-License-Identifier: MIT */
/* A command run by the shell, with pipes to and from it. */
#ifndef TOKPICK_CHILD_H
#define TOKPICK_CHILD_H

#include <stddef.h>
#include <sys/types.h>

#include "message.h"

/* How long a child that is asked to go may take: a moment. */
enum { CHILD_MOMENT_MS = 1000 };

struct child {
	pid_t pid; /* and its process group */
	int in;    /* its standard input; does not block; -1 once closed */
	int out;   /* its standard output; -1 once closed */
	bool ended;
	bool killed; /* by the signal in status; else status is its exit's */
	int status;
};

/*
 * Run a command with /bin/sh -c, in a process group of its own, so that
 * signals reach all of it and none from the terminal go past us.  Standard
 * error is shared.  Descriptors 0 to 2 must be open.
 */
bool child_start(struct child *, const char *command, struct error *);

void child_close_input(struct child *);

/*
 * Wait until it has ended, for so many milliseconds at most; negative: until
 * a signal is caught.  True if it has, which leaves its process group's id
 * in use until child_end().
 */
bool child_wait(struct child *, int ms);

/* Of one that has ended: "exited with status 1" and the like. */
void child_describe(const struct child *, char *text, size_t room);

/*
 * Close its pipes and see it gone.  Its group is sent the signal, if that is
 * not 0; if it is there after a moment, SIGTERM; and after another, SIGKILL.
 * What it may have left running in its group is sent SIGTERM.
 */
void child_end(struct child *, int signal);

/* It has ended by itself: close its pipes and reap it. */
void child_reap(struct child *);

#endif
