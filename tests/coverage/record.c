/* SPDX-License-Identifier: MIT */
/*
 * What would keep a build that records coverage from writing its record,
 * which it does at the exit; raise() and syscall() come here by ld's --wrap.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/syscall.h>

void __gcov_dump(void);
int __real_raise(int signal);
int __wrap_raise(int signal);
long __real_syscall(long number, ...);
long __wrap_syscall(long number, ...);

/* A shim that puts faults into the program leaves the recorder alone. */
__attribute__((destructor)) static void
end_faults(void)
{
	void (*end)(void) = (__extension__(void (*)(void))
	        dlsym(RTLD_DEFAULT, "fault_end"));

	if (end != NULL)
		end();
}

/* A program that ends by a signal has no exit. */
int
__wrap_raise(int signal)
{
	end_faults();
	__gcov_dump();
	return __real_raise(signal);
}

/* Refused for nothing but that what it should put in force isn't there. */
static long
as_if(long result, int errnum)
{
	return result != 0 && errno == errnum ? 0 : result;
}

/*
 * The right to open files is not given up: the two calls that would do so are
 * made with nothing behind them, so that all else that they may come to is
 * still seen.  Those that lead to them are made as they are.
 */
long
__wrap_syscall(long number, ...)
{
	long argument[4];
	va_list args;

	va_start(args, number);
	for (size_t i = 0; i < sizeof(argument) / sizeof(*argument); i++)
		argument[i] = va_arg(args, long);
	va_end(args);
	if (number == SYS_landlock_restrict_self)
		return as_if(__real_syscall(number, -1, 0), EBADF);
	if (number == SYS_seccomp)
		return as_if(
		    __real_syscall(number, SECCOMP_SET_MODE_FILTER, 0, NULL),
		    EFAULT);
	return __real_syscall(
	    number, argument[0], argument[1], argument[2], argument[3]);
}
