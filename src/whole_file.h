/* SPDX-License-Identifier: MIT */
/* A file that is written whole or not at all. */
#ifndef TOKPICK_WHOLE_FILE_H
#define TOKPICK_WHOLE_FILE_H

#include "output/buffer.h"

/*
 * Could the file be written?  Worth knowing before the work: its folder
 * must take new files, and what stands there be a regular file, for it will
 * be replaced.
 */
bool whole_file_check(const char *file, struct error *);

/* The folder where that is; to be freed.  NULL on failure. */
char *whole_file_folder(const char *file, struct error *);

/*
 * Write a file by calling fill, which adds to the buffer.  The bytes go to
 * a new file beside it, to the disk, and then take its place, so that at
 * any moment there is the old file or the whole new one; after a failure
 * the old one and nothing else, or, if the very last step fails, the new one,
 * which a crash might still undo.  Through a symbolic link the file that it
 * leads to is replaced.  Signals that would end the process in the middle
 * wait.  Only the owner may read the file.
 */
bool whole_file_write(const char *file,
    bool (*fill)(void *context, struct buffer *, struct error *), void *context,
    struct error *);

#endif
