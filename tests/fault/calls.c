/* SPDX-License-Identifier: MIT */
/*
 * System calls that fail, or do less than they could: preloaded.
 *
 * FAULT_CALL names the calls, commas between; fault.h says which one fails.
 * FAULT_KIND is how: an error's number, or for calls that move n bytes "0", "1"
 * or "n-1" with a '+' before it, which are done as far as that.  A write to
 * standard error counts as the call write2.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "fault.h"

static char calls[256], kind[16]; /* calls with a comma at each end */

__attribute__((constructor)) static void
begin(void)
{
	const char *name = getenv("FAULT_CALL"), *how = getenv("FAULT_KIND");

	if (name != NULL && how != NULL) {
		snprintf(calls, sizeof(calls), ",%s,", name);
		snprintf(kind, sizeof(kind), "%s", how);
	}
}

/* Is it among them, and its number due? */
static bool
is_due(const char *name)
{
	char among[32];

	snprintf(among, sizeof(among), ",%s,", name);
	return strstr(calls, among) != NULL && fault_is_due();
}

/* Is this call to fail, with errno set? */
static bool
fails(const char *name)
{
	if (kind[0] == '+' || !is_due(name))
		return false;
	errno = atoi(kind);
	return true;
}

/* How many of n bytes are to be moved. */
static size_t
portion(const char *name, size_t n)
{
	if (kind[0] != '+' || n == 0 || !is_due(name))
		return n;
	if (kind[1] == 'n')
		return n > 1 ? n - 1 : 1;
	return kind[1] == '0' ? 0 : 1;
}

/* The function of that name that would have been called. */
#define NEXT(name) (__extension__(__typeof__(&name)) dlsym(RTLD_NEXT, #name))

ssize_t
read(int fd, void *to, size_t n)
{
	if (fails("read"))
		return -1;
	n = portion("read", n);
	return n == 0 ? 0 : NEXT(read)(fd, to, n);
}

ssize_t
pread(int fd, void *to, size_t n, off_t at)
{
	if (fails("pread"))
		return -1;
	n = portion("pread", n);
	return n == 0 ? 0 : NEXT(pread)(fd, to, n, at);
}

ssize_t
write(int fd, const void *bytes, size_t n)
{
	const char *name = fd == STDERR_FILENO ? "write2" : "write";

	if (fails(name))
		return -1;
	n = portion(name, n);
	return n == 0 ? 0 : NEXT(write)(fd, bytes, n);
}

int
open(const char *name, int flags, ...)
{
	unsigned mode = 0;
	va_list args;

	if (fails("open"))
		return -1;
	if ((flags & O_CREAT) != 0) {
		va_start(args, flags);
		mode = va_arg(args, unsigned);
		va_end(args);
	}
	return NEXT(open)(name, flags, mode);
}

/* The same in a hardened program, where flags are no constant. */
int __open_2(const char *name, int flags);

int
__open_2(const char *name, int flags)
{
	return open(name, flags);
}

/* Linux has closed it whatever it returns. */
int
close(int fd)
{
	bool failing = fails("close");
	int errnum = errno, result = NEXT(close)(fd);

	if (!failing)
		return result;
	errno = errnum;
	return -1;
}

/* Those that return the error's number. */
#define RETURNING(name, counted, parameters, arguments)               \
	int name parameters                                           \
	{                                                             \
		return fails(counted) ? errno : NEXT(name) arguments; \
	}

RETURNING(pthread_create, "thread",
    (pthread_t * thread, const pthread_attr_t *attributes,
        void *(*start)(void *), void *context),
    (thread, attributes, start, context))
RETURNING(posix_spawn, "fork",
    (pid_t * pid, const char *path, const posix_spawn_file_actions_t *actions,
        const posix_spawnattr_t *attributes, char *const argv[],
        char *const env[]),
    (pid, path, actions, attributes, argv, env))

/* What leads to it. */
RETURNING(posix_spawn_file_actions_init, "fork",
    (posix_spawn_file_actions_t * actions), (actions))
RETURNING(posix_spawn_file_actions_adddup2, "fork",
    (posix_spawn_file_actions_t * actions, int fd, int as), (actions, fd, as))
RETURNING(posix_spawnattr_init, "fork", (posix_spawnattr_t * attributes),
    (attributes))
RETURNING(posix_spawnattr_setflags, "fork",
    (posix_spawnattr_t * attributes, short flags), (attributes, flags))
RETURNING(posix_spawnattr_setpgroup, "fork",
    (posix_spawnattr_t * attributes, pid_t group), (attributes, group))

void *
mmap(void *where, size_t n, int protection, int flags, int fd, off_t at)
{
	if (fails("mmap"))
		return MAP_FAILED;
	return NEXT(mmap)(where, n, protection, flags, fd, at);
}

int
fcntl(int fd, int command, ...)
{
	va_list args;
	long value;

	va_start(args, command);
	value = va_arg(args, long);
	va_end(args);
	if (fails("fcntl"))
		return -1;
	return NEXT(fcntl)(fd, command, value);
}

/* Those that have no name of their own are made for the sandbox alone. */
static bool
is_for_sandbox(long number)
{
	return number == SYS_landlock_create_ruleset ||
	    number == SYS_landlock_add_rule ||
	    number == SYS_landlock_restrict_self || number == SYS_seccomp;
}

long
syscall(long number, ...)
{
	long value[6];
	va_list args;

	va_start(args, number);
	for (size_t i = 0; i < sizeof(value) / sizeof(*value); i++)
		value[i] = va_arg(args, long);
	va_end(args);
	if (is_for_sandbox(number) && fails("sandbox"))
		return -1;
	return NEXT(syscall)(
	    number, value[0], value[1], value[2], value[3], value[4], value[5]);
}

int
prctl(int option, ...)
{
	unsigned long value[4];
	va_list args;

	va_start(args, option);
	for (size_t i = 0; i < sizeof(value) / sizeof(*value); i++)
		value[i] = va_arg(args, unsigned long);
	va_end(args);
	if (fails("sandbox"))
		return -1;
	return NEXT(prctl)(option, value[0], value[1], value[2], value[3]);
}

/* Those whose failing is all there is to them. */
#define FAILING(name, parameters, arguments) \
	int name parameters                  \
	{                                    \
		if (fails(#name))            \
			return -1;           \
		return NEXT(name) arguments; \
	}

FAILING(poll, (struct pollfd * fds, nfds_t n, int ms), (fds, n, ms))
FAILING(fsync, (int fd), (fd))
FAILING(getentropy, (void *to, size_t n), (to, n))
FAILING(rename, (const char *from, const char *to), (from, to))
FAILING(pipe, (int ends[2]), (ends))
FAILING(access, (const char *name, int mode), (name, mode))
FAILING(mkstemp, (char *name), (name))
FAILING(stat, (const char *name, struct stat *status), (name, status))
FAILING(fstat, (int fd, struct stat *status), (fd, status))
FAILING(waitid, (idtype_t type, id_t id, siginfo_t *info, int options),
    (type, id, info, options))
FAILING(waitpid, (pid_t pid, int *status, int options), (pid, status, options))

off_t
lseek(int fd, off_t offset, int from)
{
	if (fails("lseek"))
		return -1;
	return NEXT(lseek)(fd, offset, from);
}
