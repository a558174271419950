/* SPDX-License-Identifier: MIT */
/* The sandbox by seccomp: system calls that are not needed fail. */
#if !defined(_GNU_SOURCE)
#define _GNU_SOURCE /* syscall() */
#endif
#include "sandbox_parts.h"

#if defined(SANDBOX_HAS_SECCOMP)

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#else
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#define FIELD(name) ((uint32_t)offsetof(struct seccomp_data, name))
#define LENGTH(array) (sizeof(array) / sizeof(*(array)))

/* The lower half of an argument, on a little-endian machine: all of an int. */
#define ARGUMENT(i) (FIELD(args) + 8 * (uint32_t)(i))

/* Who needs a call. */
enum need { ALWAYS, TO_READ, TO_WRITE, WITH_CHILD };

/* What is asked of one of its arguments. */
enum test { NOTHING, EQUAL, SOME_BIT, NO_BIT, OURSELVES };

struct rule {
	uint32_t call;
	enum need need;
	enum test test;
	uint32_t argument;
	uint32_t value;
};

/* Opening for more than to read. */
#define CHANGES (O_WRONLY | O_RDWR | O_CREAT | O_TRUNC)

/* TCGETS2, which asks the same as TCGETS and is in no header beside it. */
#define TERMINAL_GET 0x802c542a

/*
 * What we and the C library ask for, be it glibc or musl, the most frequent
 * calls first.  A call may have several rules: one that holds will do.
 */
static const struct rule rules[] = {
    {.call = SYS_read},
    {.call = SYS_write},
    {.call = SYS_pread64},
    {.call = SYS_futex},
    {.call = SYS_ppoll},
#if defined(SYS_poll)
    {.call = SYS_poll},
#endif
    {.call = SYS_writev},
    {.call = SYS_lseek},
    {.call = SYS_close},
    {.call = SYS_fcntl},
    {.call = SYS_fstat},
    {.call = SYS_newfstatat},
    {.call = SYS_statx},
#if defined(SYS_stat)
    {.call = SYS_stat},
    {.call = SYS_lstat},
#endif

    /* Is it a terminal, how wide is it, and whose is it now? */
    {SYS_ioctl, ALWAYS, EQUAL, 1, TCGETS},
    {SYS_ioctl, ALWAYS, EQUAL, 1, TERMINAL_GET},
    {SYS_ioctl, ALWAYS, EQUAL, 1, TIOCGWINSZ},
    {SYS_ioctl, ALWAYS, EQUAL, 1, TIOCGPGRP},
    {.call = SYS_getpgid},
#if defined(SYS_getpgrp)
    {.call = SYS_getpgrp},
#endif

    /* Memory, none of it to be run. */
    {.call = SYS_brk},
    {SYS_mmap, ALWAYS, NO_BIT, 2, PROT_EXEC},
    {SYS_mprotect, ALWAYS, NO_BIT, 2, PROT_EXEC},
    {.call = SYS_munmap},
    {.call = SYS_mremap},
    {.call = SYS_madvise},
    {.call = SYS_sysinfo}, /* qsort() of older glibc */

    /* Threads, no processes. */
    {SYS_clone, ALWAYS, SOME_BIT, 0, CLONE_THREAD},
    {.call = SYS_set_robust_list},
    {.call = SYS_rseq},
    {.call = SYS_sched_getaffinity},
    {.call = SYS_sched_yield},
    {.call = SYS_gettid},
    {.call = SYS_getpid},
    {.call = SYS_exit},
    {.call = SYS_exit_group},

    /* Time, and random names. */
    {.call = SYS_clock_gettime},
    {.call = SYS_gettimeofday},
    {.call = SYS_nanosleep},
    {.call = SYS_clock_nanosleep},
    {.call = SYS_getrandom},

    /* Signals; raise(), and abort(), of our main thread with tkill(). */
    {.call = SYS_rt_sigaction},
    {.call = SYS_rt_sigprocmask},
    {.call = SYS_rt_sigreturn},
    {.call = SYS_restart_syscall},
    {.call = SYS_setitimer}, /* alarm(), as is … */
#if defined(SYS_alarm)
    {.call = SYS_alarm}, /* … this */
#endif
    {SYS_tgkill, ALWAYS, OURSELVES, 0, 0},
    {SYS_tkill, ALWAYS, OURSELVES, 0, 0},

    /* Files that are read later, … */
    {SYS_openat, TO_READ, NO_BIT, 2, CHANGES},
#if defined(SYS_open)
    {SYS_open, TO_READ, NO_BIT, 1, CHANGES},
#endif

    /* … or written whole. */
    {.call = SYS_openat, .need = TO_WRITE},
    {.call = SYS_getcwd, .need = TO_WRITE},
    {.call = SYS_readlinkat, .need = TO_WRITE},
    {.call = SYS_fsync, .need = TO_WRITE},
    {.call = SYS_renameat, .need = TO_WRITE},
    {.call = SYS_renameat2, .need = TO_WRITE},
    {.call = SYS_unlinkat, .need = TO_WRITE},
#if defined(SYS_open)
    {.call = SYS_open, .need = TO_WRITE},
    {.call = SYS_readlink, .need = TO_WRITE},
    {.call = SYS_rename, .need = TO_WRITE},
    {.call = SYS_unlink, .need = TO_WRITE},
#endif

    /* The model. */
    {.call = SYS_kill, .need = WITH_CHILD},
    {.call = SYS_wait4, .need = WITH_CHILD},
    {.call = SYS_waitid, .need = WITH_CHILD},
};

/* The number of clone3(), which headers may not have yet. */
enum { CLONE3 = 435 };

/* Those of a rule, at most, and those around them all. */
enum { RULE_ROOM = 5, FILTER_ROOM = RULE_ROOM * LENGTH(rules) + 9 };

struct filter {
	struct sock_filter list[FILTER_ROOM];
	unsigned short size;
};

static void
load(struct filter *f, uint32_t field)
{
	f->list[f->size++] = (struct sock_filter)BPF_STMT(
	    BPF_LD | BPF_W | BPF_ABS, field);
}

/* Where a comparison leads to: how many instructions are skipped. */
static void
jump(struct filter *f, unsigned comparison, uint32_t value, uint8_t if_so,
    uint8_t if_not)
{
	f->list[f->size++] = (struct sock_filter)BPF_JUMP(
	    (uint16_t)(BPF_JMP | BPF_K | comparison), value, if_so, if_not);
}

static void
answer(struct filter *f, uint32_t what)
{
	f->list[f->size++] = (struct sock_filter)BPF_STMT(
	    BPF_RET | BPF_K, what);
}

/* The number of the call is loaded before a rule, and after it. */
static void
add_rule(struct filter *f, const struct rule *r)
{
	bool unlike = r->test == NO_BIT;
	uint32_t value = r->value;

	if (r->test == NOTHING) {
		jump(f, BPF_JEQ, r->call, 0, 1);
		answer(f, SECCOMP_RET_ALLOW);
		return;
	}
	if (r->test == OURSELVES)
		value = (uint32_t)getpid();
	jump(f, BPF_JEQ, r->call, 0, 4);
	load(f, ARGUMENT(r->argument));
	jump(f, r->test == SOME_BIT || unlike ? BPF_JSET : BPF_JEQ, value,
	    unlike ? 1 : 0, unlike ? 0 : 1);
	answer(f, SECCOMP_RET_ALLOW);
	load(f, FIELD(nr));
}

static bool
needs(const struct sandbox *s, enum need need)
{
	switch (need) {
	case TO_READ:
		return sandbox_reads(s);
	case TO_WRITE:
		return sandbox_writes(s);
	case WITH_CHILD:
		return s->child;
	default:
		return true;
	}
}

/*
 * From clone3() on the calls are younger than what they better.  A C library
 * that is told that there is no such call turns to the older one, whose
 * arguments can be looked at; told that it may not, it would fail.
 */
static void
make_filter(struct filter *f, const struct sandbox *s)
{
	f->size = 0;
	load(f, FIELD(arch));
	jump(f, BPF_JEQ, ARCHITECTURE, 1, 0);
	answer(f, SECCOMP_RET_ERRNO | EPERM);
	load(f, FIELD(nr));
	for (size_t i = 0; i < LENGTH(rules); i++)
		if (needs(s, rules[i].need))
			add_rule(f, &rules[i]);
	jump(f, BPF_JGE, CLONE3, 0, 1);
	answer(f, SECCOMP_RET_ERRNO | ENOSYS);
	answer(f, SECCOMP_RET_ERRNO | EPERM);
}

/*
 * The filter does not keep speculation from us, as it would by default on
 * some kernels: that is for programs that run what others wrote, and costs
 * much.
 */
const char *
sandbox_calls(const struct sandbox *s)
{
	struct filter filter;
	struct sock_fprog program = {.filter = filter.list};

	make_filter(&filter, s);
	program.len = filter.size;
	if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
	        SECCOMP_FILTER_FLAG_SPEC_ALLOW, &program) != 0)
		return strerror(errno);
	return NULL;
}

#else

const char *
sandbox_calls(const struct sandbox *s)
{
	(void)s;
	return SANDBOX_NOT_BUILT;
}

#endif
