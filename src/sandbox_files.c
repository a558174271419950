/* SPDX-License-Identifier: MIT */
/* The sandbox by Landlock: no file can be opened but those that are named. */
#if !defined(_GNU_SOURCE)
#define _GNU_SOURCE /* O_PATH, syscall() */
#endif
#if !defined(_FILE_OFFSET_BITS) && !defined(__LP64__)
#define _FILE_OFFSET_BITS 64 /* files above 2 GiB on 32 bits */
#endif
#include "sandbox_parts.h"

#if defined(SANDBOX_HAS_LANDLOCK)

#include <errno.h>
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
 * opened too, be it only to learn that it has no rows.  Pipes and their like
 * by the names in /dev/fd can have no rule, and need none.
 */
static void
allow_open(int rules, int fd, uint64_t rights)
{
	struct landlock_path_beneath_attr rule = {
	    .allowed_access = rights, .parent_fd = fd};
	struct stat st;

	if (fstat(fd, &st) == 0 && S_ISDIR(st.st_mode))
		rule.allowed_access |= LANDLOCK_ACCESS_FS_READ_DIR;
	syscall(
	    SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
}

/*
 * The same by name; false if there is no way to what is behind it.  What is in
 * the way of a rule is in the way of opening the file, and told then.
 */
static bool
allow(int rules, const char *name, uint64_t rights)
{
	int fd;

	do
		fd = open(name, O_PATH | O_CLOEXEC);
	while (fd < 0 && errno == EINTR);
	if (fd < 0)
		return false;
	allow_open(rules, fd, rights);
	close(fd);
	return true;
}

/* The same for the folder where whole_file_write() would make a file. */
static void
allow_folder(int rules, const char *file, uint64_t rights)
{
	struct error ignored;
	char *folder = whole_file_folder(file, &ignored);

	if (folder != NULL)
		allow(rules, folder, rights);
	free(folder);
}

/*
 * A file that isn't there yet may be when its turn comes, and then has a
 * name in its folder.
 */
static void
allow_reading(int rules, const char *name)
{
	const uint64_t rights = LANDLOCK_ACCESS_FS_READ_FILE;

	if (strcmp(name, "-") != 0 && !allow(rules, name, rights) &&
	    errno == ENOENT)
		allow_folder(rules, name, rights);
}

const char *
sandbox_files(const struct sandbox *s)
{
	struct landlock_ruleset_attr denied = {0};
	const char *missing;
	long version;
	int rules;

	version = syscall(SYS_landlock_create_ruleset, NULL, 0,
	    LANDLOCK_CREATE_RULESET_VERSION);
	if (version < 0)
		return strerror(errno);
	denied.handled_access_fs = to_deny(version);
	rules = (int)syscall(
	    SYS_landlock_create_ruleset, &denied, sizeof(denied), 0);
	if (rules < 0)
		return strerror(errno);
	for (size_t i = 0; i < s->n_to_read; i++)
		allow_reading(rules, s->to_read[i]);
	if (s->mask != NULL)
		allow_reading(rules, s->mask);
	for (size_t i = 0; i < sizeof(s->to_write) / sizeof(*s->to_write); i++)
		if (s->to_write[i] != NULL)
			allow_folder(rules, s->to_write[i], WRITE_RIGHTS);
	missing = syscall(SYS_landlock_restrict_self, rules, 0) == 0
	    ? NULL
	    : strerror(errno);
	close(rules);
	return missing;
}

#else

const char *
sandbox_files(const struct sandbox *s)
{
	(void)s;
	return SANDBOX_NOT_BUILT;
}

#endif
