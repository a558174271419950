/* SPDX-License-Identifier: MIT */
/* Signals that end the program, put off until a row is done and all tidy. */
#include "signals.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static const int fatal[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE};

static volatile sig_atomic_t caught;

/* SIGUSR1 came: somebody wants to know how far we are. */
static volatile sig_atomic_t asked;

static void
nudge(int signal)
{
	(void)signal;
	alarm(1);
}

/*
 * A signal that comes between a look at the flag and a call that waits would
 * be slept over: every second from now on another one ends such a call.
 */
static void
note(int signal)
{
	struct sigaction again = {.sa_flags = 0}; /* wakes a read */

	caught = signal;
	again.sa_handler = nudge;
	sigemptyset(&again.sa_mask);
	sigaction(SIGALRM, &again, NULL);
	alarm(1);
}

void
signals_catch(void)
{
	struct sigaction old, catch = {.sa_flags = (int)SA_RESETHAND};
	struct sigaction standard = {.sa_flags = 0};

	catch.sa_handler = note;
	sigemptyset(&catch.sa_mask);
	for (size_t i = 0; i < sizeof(fatal) / sizeof(fatal[0]); i++) {
		sigaction(fatal[i], NULL, &old);
		if (old.sa_handler != SIG_IGN)
			sigaction(fatal[i], &catch, NULL);
	}
	standard.sa_handler = SIG_DFL;
	sigemptyset(&standard.sa_mask);
	sigaction(SIGCHLD, &standard, NULL);
}

int
signals_caught(void)
{
	return caught;
}

bool
signals_error(struct error *err)
{
	int signal = caught;

	return error_set(err, STATUS_FAILED, "ended by signal %d (%s)", signal,
	    strsignal(signal));
}

static void
note_asked(int signal)
{
	(void)signal;
	asked = 1;
}

void
signals_catch_usr1(void)
{
	struct sigaction old, catch = {.sa_flags = 0}; /* wakes a read */

	catch.sa_handler = note_asked;
	sigemptyset(&catch.sa_mask);
	sigaction(SIGUSR1, NULL, &old);
	if (old.sa_handler != SIG_IGN)
		sigaction(SIGUSR1, &catch, NULL);
}

bool
signals_asked(void)
{
	bool was = asked != 0;

	if (was)
		asked = 0;
	return was;
}

/*
 * SIGPIPE is ignored for the length of the write.  To block it and fetch it
 * afterwards takes as many calls and sigtimedwait(), which not all systems
 * have; MSG_NOSIGNAL takes a socket, and a program whose standard input is
 * one can't open /dev/stdin.
 */
ssize_t
signals_write(int fd, const void *bytes, size_t n)
{
	struct sigaction old, ignore = {.sa_flags = 0};
	ssize_t done;
	int saved;

	ignore.sa_handler = SIG_IGN;
	sigemptyset(&ignore.sa_mask);
	sigaction(SIGPIPE, &ignore, &old);
	done = write(fd, bytes, n);
	saved = errno;
	sigaction(SIGPIPE, &old, NULL);
	errno = saved;
	return done;
}

void
signals_die(void)
{
	struct sigaction standard = {.sa_flags = 0};
	sigset_t set;
	int signal = caught;

	if (signal == 0)
		return;
	standard.sa_handler = SIG_DFL;
	sigemptyset(&standard.sa_mask);
	sigaction(signal, &standard, NULL);
	sigemptyset(&set);
	sigaddset(&set, signal);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	raise(signal);
}
