/* SPDX-License-Identifier: MIT */
/* Signals that end the program, put off until a row is done and all tidy. */
#ifndef TOKPICK_SIGNALS_H
#define TOKPICK_SIGNALS_H

#include <stddef.h>
#include <sys/types.h>

#include "message.h"

/*
 * From now on SIGHUP, SIGINT, SIGQUIT, SIGTERM and SIGPIPE are noted rather
 * than died of, save those that were ignored before.  Only the first of
 * each: a second one kills at once, should the clean-up hang.  SIGCHLD gets
 * its default action, so that the status of a child is not lost.  A call that
 * waits is interrupted, if not at once then within a second.
 */
void signals_catch(void);

/* The signal noted last, or 0. */
int signals_caught(void);

/* Fill an error that says which signal was noted; returns false. */
bool signals_error(struct error *);

/*
 * From now on SIGUSR1 asks how far we are, and kills nobody.  It interrupts
 * calls that wait, which are begun again after a look at signals_asked().
 */
void signals_catch_usr1(void);

/* Did it come since the last time this was called? */
bool signals_asked(void);

/* Write as write(2) does, but without a SIGPIPE where nobody reads. */
ssize_t signals_write(int fd, const void *bytes, size_t n);

/* Die of the signal that was noted; returns if there was none. */
void signals_die(void);

#endif
