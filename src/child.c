/* SPDX-License-Identifier: MIT */
/* A command run by the shell, with pipes to and from it. */
#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "signals.h"

extern char **environ;

/* The longest sleep between two looks whether it has ended. */
enum { LOOK_MS = 16 };

static void
close_end(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/* Neither end may be open in the child under its number here. */
static bool
make_pipe(int ends[2], struct error *err)
{
	if (pipe(ends) != 0)
		return error_system(err, errno, "--exec: a pipe");
	for (int i = 0; i < 2; i++)
		if (fcntl(ends[i], F_SETFD, FD_CLOEXEC) != 0)
			return error_system(err, errno, "--exec: a pipe");
	return true;
}

/* Start the shell with its standard input and output on two descriptors. */
static int
spawn_shell(pid_t *pid, const char *command, int in, int out)
{
	char sh[] = "sh", dash_c[] = "-c";
	char *argv[] = {sh, dash_c, (char *)(uintptr_t)command, NULL};
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	int errnum;

	if ((errnum = posix_spawn_file_actions_init(&actions)) != 0)
		return errnum;
	if ((errnum = posix_spawnattr_init(&attributes)) != 0)
		goto out;
	if ((errnum = posix_spawn_file_actions_adddup2(&actions, in, 0)) == 0 &&
	    (errnum = posix_spawn_file_actions_adddup2(&actions, out, 1)) ==
	        0 &&
	    (errnum = posix_spawnattr_setflags(
	         &attributes, POSIX_SPAWN_SETPGROUP)) == 0 &&
	    (errnum = posix_spawnattr_setpgroup(&attributes, 0)) == 0)
		errnum = posix_spawn(
		    pid, "/bin/sh", &actions, &attributes, argv, environ);
	posix_spawnattr_destroy(&attributes);
out:
	posix_spawn_file_actions_destroy(&actions);
	return errnum;
}

bool
child_start(struct child *c, const char *command, struct error *err)
{
	int in[2] = {-1, -1}, out[2] = {-1, -1}, errnum;
	bool good = false;

	*c = (struct child){.in = -1, .out = -1};
	if (!make_pipe(in, err) || !make_pipe(out, err))
		goto close_pipes;
	if (fcntl(in[1], F_SETFL, O_NONBLOCK) != 0) {
		error_system(err, errno, "--exec: a pipe");
		goto close_pipes;
	}
	errnum = spawn_shell(&c->pid, command, in[0], out[1]);
	if (errnum != 0) {
		error_system(err, errnum, "--exec: /bin/sh");
		goto close_pipes;
	}
	c->in = in[1];
	c->out = out[0];
	in[1] = out[0] = -1;
	good = true;
close_pipes:
	for (int i = 0; i < 2; i++) {
		close_end(&in[i]);
		close_end(&out[i]);
	}
	return good;
}

void
child_close_input(struct child *c)
{
	close_end(&c->in);
}

/*
 * Has it ended?  It is looked at and left a zombie: its process group can
 * still be signalled, as nothing else can come to have its number.
 */
static bool
look(struct child *c)
{
	siginfo_t info = {.si_pid = 0};
	int result;

	if (c->ended)
		return true;
	do
		result = waitid(
		    P_PID, (id_t)c->pid, &info, WEXITED | WNOHANG | WNOWAIT);
	while (result != 0 && errno == EINTR);
	if (result == 0 && info.si_pid == 0)
		return false;
	c->ended = true;
	c->killed = info.si_code != CLD_EXITED;
	c->status = info.si_status;
	return true;
}

/* Looks at growing intervals: no signal can slip through between them. */
bool
child_wait(struct child *c, int ms)
{
	int slept = 0, next = 1;
	struct timespec interval = {0};

	while (!look(c)) {
		if (ms >= 0 ? slept >= ms : signals_caught() != 0)
			return false;
		interval.tv_nsec = next * 1000000L;
		nanosleep(&interval, NULL);
		slept += ms >= 0 ? next : 0;
		next = next < LOOK_MS ? 2 * next : LOOK_MS;
	}
	return true;
}

void
child_describe(const struct child *c, char *text, size_t room)
{
	if (c->killed)
		snprintf(text, room, "was killed by signal %d (%s)", c->status,
		    strsignal(c->status));
	else
		snprintf(text, room, "exited with status %d", c->status);
}

void
child_reap(struct child *c)
{
	close_end(&c->in);
	close_end(&c->out);
	while (waitpid(c->pid, NULL, 0) < 0 && errno == EINTR)
		continue;
	c->pid = 0;
}

void
child_end(struct child *c, int signal)
{
	bool ended;

	if (signal != 0)
		kill(-c->pid, signal);
	close_end(&c->in);
	close_end(&c->out);
	ended = child_wait(c, CHILD_MOMENT_MS);
	kill(-c->pid, SIGTERM);
	if (!ended && !child_wait(c, CHILD_MOMENT_MS))
		kill(-c->pid, SIGKILL);
	child_reap(c);
}
