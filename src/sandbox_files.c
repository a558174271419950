/* SPDX-License-Identifier: MIT */
/* The sandbox by Landlock: no file can be opened but those that are named. */
#if !defined(_GNU_SOURCE)
#define _GNU_SOURCE /* O_PATH, syscall() */
#endif
#if !defined(_FILE_OFFSET_BITS) && !defined(__LP64__)
#define _FILE_OFFSET_BITS 64 /* files above 2 GiB on 32 bits */
#endif
#include "sandbox_parts.h"

#include <errno.h>

#if defined(SANDBOX_HAS_LANDLOCK)

#include <fcntl.h>
#include <linux/landlock.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "message.h"
#include "whole_file.h"

/* The headers may be older than the kernel. */
#if !defined(LANDLOCK_ACCESS_FS_TRUNCATE)
#define LANDLOCK_ACCESS_FS_TRUNCATE (UINT64_C(1) << 14)
#endif

/* The rights that the first version knew, which are numbered up to this. */
#define FIRST_RIGHTS ((LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1)

/* What whole_file_write() does in a folder. */
#define WRITE_RIGHTS                                                    \
	(LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE | \
	    LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_REMOVE_FILE)

/*
 * What is denied, as far as this version of Landlock goes.  Moving a file
 * between folders always is; ioctl() on devices is not, as it tells which
 * of them are terminals.
 */
static uint64_t
to_deny(long version)
{
	return FIRST_RIGHTS | (version >= 3 ? LANDLOCK_ACCESS_FS_TRUNCATE : 0);
}

/*
 * Allow some rights to a file, or to what is in a folder.  A folder may be
 * opened too, be it only to learn that it has no rows.  EBADFD is for pipes
 * and their like by the names in /dev/fd, which need no leave.
 */
static bool
allow_open(int rules, int fd, uint64_t rights)
{
	struct landlock_path_beneath_attr rule = {
	    .allowed_access = rights, .parent_fd = fd};
	struct stat st;

	if (fstat(fd, &st) != 0)
		return false;
	if (S_ISDIR(st.st_mode))
		rule.allowed_access |= LANDLOCK_ACCESS_FS_READ_DIR;
	return syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH,
	           &rule, 0) == 0 ||
	    errno == EBADFD;
}

/* The same by name, which may have nothing behind it: then errno tells. */
static bool
allow(int rules, const char *name, uint64_t rights)
{
	bool good;
	int fd;

	do
		fd = open(name, O_PATH | O_CLOEXEC);
	while (fd < 0 && errno == EINTR);
	if (fd < 0)
		return false;
	good = allow_open(rules, fd, rights);
	close(fd);
	return good;
}

/* The same for the folder where whole_file_write() would make a file. */
static bool
allow_folder(int rules, const char *file, uint64_t rights)
{
	struct error ignored;
	char *folder = whole_file_folder(file, &ignored);
	bool good = folder != NULL && allow(rules, folder, rights);

	free(folder);
	return good;
}

/*
 * A file that isn't there yet may be when its turn comes, and then has a
 * name in its folder.  What else there is in the way of a rule is in the
 * way of reading the file, and told then.
 */
static void
allow_reading(int rules, const char *name)
{
	if (strcmp(name, "-") != 0 &&
	    !allow(rules, name, LANDLOCK_ACCESS_FS_READ_FILE) &&
	    errno == ENOENT)
		allow_folder(rules, name, LANDLOCK_ACCESS_FS_READ_FILE);
}

bool
sandbox_files(const struct sandbox *s)
{
	struct landlock_ruleset_attr denied = {0};
	long version;
	int rules;
	bool good;

	version = syscall(SYS_landlock_create_ruleset, NULL, 0,
	    LANDLOCK_CREATE_RULESET_VERSION);
	if (version < 0)
		return false;
	denied.handled_access_fs = to_deny(version);
	rules = (int)syscall(
	    SYS_landlock_create_ruleset, &denied, sizeof(denied), 0);
	if (rules < 0)
		return false;
	for (size_t i = 0; i < s->n_to_read; i++)
		allow_reading(rules, s->to_read[i]);
	if (s->mask != NULL)
		allow_reading(rules, s->mask);
	for (size_t i = 0; i < sizeof(s->to_write) / sizeof(*s->to_write); i++)
		if (s->to_write[i] != NULL)
			allow_folder(rules, s->to_write[i], WRITE_RIGHTS);
	good = syscall(SYS_landlock_restrict_self, rules, 0) == 0;
	close(rules);
	return good;
}

#else

bool
sandbox_files(const struct sandbox *s)
{
	(void)s;
	errno = 0;
	return false;
}

#endif
