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

int
posix_spawn(pid_t *pid, const char *path,
    const posix_spawn_file_actions_t *actions,
    const posix_spawnattr_t *attributes, char *const argv[], char *const env[])
{
	if (fails("fork"))
		return errno;
	return NEXT(posix_spawn)(pid, path, actions, attributes, argv, env);
}

int
pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
    void *(*start)(void *), void *context)
{
	if (fails("thread"))
		return errno;
	return NEXT(pthread_create)(thread, attributes, start, context);
}

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
