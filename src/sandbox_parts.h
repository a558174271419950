/* SPDX-License-Identifier: MIT */
/* What the sandbox is made of, on Linux two halves that last to the end. */
#ifndef TOKPICK_SANDBOX_PARTS_H
#define TOKPICK_SANDBOX_PARTS_H

#include "sandbox.h"

/*
 * Headers of the kernel are not everywhere where there is a C library.  What
 * system calls are numbered, and where their arguments are, was looked at
 * for two processors.
 */
#if defined(__linux__) && defined(__has_include)
#if __has_include(<linux/landlock.h>)
#define SANDBOX_HAS_LANDLOCK
#endif
#if __has_include(<linux/seccomp.h>) && defined(__LP64__) && \
    (defined(__x86_64__) || \
        (defined(__aarch64__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__))
#define SANDBOX_HAS_SECCOMP
#endif
#endif

/* Is any file yet to be opened to be read, any to be written? */
bool sandbox_reads(const struct sandbox *);
bool sandbox_writes(const struct sandbox *);

/*
 * Each returns NULL, or why it is not in force.  For both of them
 * prctl(PR_SET_NO_NEW_PRIVS) comes first.
 */
#define SANDBOX_NOT_BUILT "not in this build"

/* By Landlock: no file can be opened but those that are named. */
const char *sandbox_files(const struct sandbox *);

/* By a seccomp filter: system calls that are not needed fail with EPERM. */
const char *sandbox_calls(const struct sandbox *);

#endif
