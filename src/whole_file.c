/* SPDX-License-Identifier: MIT */
/* A file that is written whole or not at all. */
#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE 1 /* realpath() */
#endif
#if !defined(_FILE_OFFSET_BITS) && !defined(__LP64__)
#define _FILE_OFFSET_BITS 64 /* files above 2 GiB on 32 bits */
#endif
#include "whole_file.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Short, and apart from the file's own name, which may be as long as any. */
static const char temporary[] = ".tokpick-XXXXXX";

/* A place to write to; the texts are freed by free_place(). */
struct place {
	const char *name; /* as it was given, for messages; not owned */
	char *file;       /* what is replaced, no link */
	char *folder;     /* where it is */
	char *beside;     /* the temporary file's name */
};

static void
free_place(struct place *p)
{
	free(p->file);
	free(p->folder);
	free(p->beside);
}

/*
 * The file that a name leads to, so that a link stays one.  A device or a
 * pipe must not be replaced by a file.
 */
static char *
follow(const char *file, struct error *err)
{
	size_t length = strlen(file);
	struct stat st;
	char *real = NULL;

	if (stat(file, &st) == 0) {
		if (!S_ISREG(st.st_mode))
			error_set(err, STATUS_FAILED,
			    "%s is no regular file: it would be replaced by "
			    "one",
			    file);
		else if ((real = realpath(file, NULL)) == NULL)
			error_system(err, errno, "%s", file);
	} else if (length == 0 || file[length - 1] == '/') {
		error_set(
		    err, STATUS_FAILED, "'%s' is no name of a file", file);
	} else if (errno != ENOENT) {
		error_system(err, errno, "%s", file);
	} else if (lstat(file, &st) == 0) {
		error_set(err, STATUS_FAILED,
		    "%s is a symbolic link that leads nowhere", file);
	} else if ((real = strdup(file)) == NULL) {
		error_system(err, ENOMEM, "%s", file);
	}
	return real;
}

/* "a/b" is in "a", "/b" in "/", "b" in ".". */
static char *
folder_of(const char *file)
{
	const char *slash = strrchr(file, '/');
	char *folder;

	if (slash == NULL)
		return strdup(".");
	folder = strdup(file);
	if (folder != NULL)
		folder[slash == file ? 1 : slash - file] = '\0';
	return folder;
}

static bool
find_place(const char *file, struct place *p, struct error *err)
{
	size_t room;

	*p = (struct place){.name = file, .file = follow(file, err)};
	if (p->file == NULL)
		return false;
	p->folder = folder_of(p->file);
	room = strlen(p->file) + sizeof(temporary) + 2;
	p->beside = malloc(room);
	if (p->folder != NULL && p->beside != NULL) {
		snprintf(p->beside, room, "%s/%s", p->folder, temporary);
		return true;
	}
	free_place(p);
	return error_system(err, ENOMEM, "%s", file);
}

char *
whole_file_folder(const char *file, struct error *err)
{
	struct place p;
	char *folder;

	if (!find_place(file, &p, err))
		return NULL;
	folder = p.folder;
	p.folder = NULL;
	free_place(&p);
	return folder;
}

bool
whole_file_check(const char *file, struct error *err)
{
	struct place p;
	bool good;

	if (!find_place(file, &p, err))
		return false;
	good = access(p.folder, W_OK | X_OK) == 0;
	if (!good)
		error_system(err, errno, "%s: the folder %s", file, p.folder);
	free_place(&p);
	return good;
}

/* Nothing is lost by an interruption: it is begun again. */
static int
sync_again(int fd)
{
	int result;

	do
		result = fsync(fd);
	while (result != 0 && errno == EINTR);
	return result;
}

static bool
fill_file(int fd, const char *file,
    bool (*fill)(void *context, struct buffer *, struct error *), void *context,
    struct error *err)
{
	struct buffer *buffer = malloc(sizeof(*buffer));
	bool good;

	if (buffer == NULL)
		return error_system(err, ENOMEM, "%s", file);
	buffer_open(buffer, fd, file);
	good = fill(context, buffer, err) && buffer_flush(buffer, err);
	free(buffer);
	if (good && sync_again(fd) != 0)
		return error_system(err, errno, "%s", file);
	return good;
}

/*
 * The new name is on the disk when the folder is.  Some systems can't do
 * that, and a folder may be written to but not read: then it has to do.
 */
static bool
sync_folder(const struct place *p, struct error *err)
{
	bool good;
	int fd;

	do
		fd = open(p->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	while (fd < 0 && errno == EINTR);
	if (fd < 0 && errno == EACCES)
		return true;
	if (fd < 0)
		return error_system(
		    err, errno, "%s: the folder %s", p->name, p->folder);
	good = sync_again(fd) == 0 || errno == EINVAL;
	if (!good)
		error_system(
		    err, errno, "%s: the folder %s", p->name, p->folder);
	close(fd);
	return good;
}

static bool
replace(struct place *p,
    bool (*fill)(void *context, struct buffer *, struct error *), void *context,
    struct error *err)
{
	int fd = mkstemp(p->beside); /* 0600, O_EXCL */
	bool good;

	if (fd < 0)
		return error_system(
		    err, errno, "%s: a new file in %s", p->file, p->folder);
	good = fill_file(fd, p->name, fill, context, err);
	if (close(fd) != 0 && good && errno != EINTR)
		good = error_system(err, errno, "%s", p->name);
	if (good && rename(p->beside, p->file) != 0)
		good = error_system(err, errno, "%s", p->name);
	if (!good) {
		unlink(p->beside);
		return false;
	}
	return sync_folder(p, err);
}

bool
whole_file_write(const char *file,
    bool (*fill)(void *context, struct buffer *, struct error *), void *context,
    struct error *err)
{
	struct sigaction ignore = {.sa_handler = SIG_IGN}, limit;
	sigset_t held, before;
	struct place p;
	bool good;

	if (!find_place(file, &p, err))
		return false;
	/* A file that meets its size limit is an error like any other. */
	sigaction(SIGXFSZ, &ignore, &limit);
	sigfillset(&held);
	sigdelset(&held, SIGXFSZ);
	pthread_sigmask(SIG_BLOCK, &held, &before);
	good = replace(&p, fill, context, err);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	sigaction(SIGXFSZ, &limit, NULL);
	free_place(&p);
	return good;
}
