/* SPDX-License-Identifier: MIT */
/*
 * The model as a child process: lines of ids to it, rows from it; tokpick(1)
 * "The closed loop".
 */
#ifndef TOKPICK_EXEC_H
#define TOKPICK_EXEC_H

#include <stddef.h>
#include <stdint.h>

#include "history.h"
#include "input/source.h"
#include "output/buffer.h"

struct exec;

/*
 * Run a command as the model.  full: each line carries the whole context,
 * else the new ids only.  before is called whenever the model has to be waited
 * for; it must outlive the exec.  Signals must be caught by now: signals.h.
 * NULL and err on failure.
 */
struct exec *exec_start(const char *command, bool full,
    const struct before_read *before, struct error *);
void exec_free(struct exec *); /* after exec_finish() or exec_abandon() */

/* What the model writes, as a source that the exec must outlive. */
struct source *exec_source(struct exec *, struct error *);

/*
 * Begin to send a line with ids that join the context, blanks between; the
 * rest of it goes while its row is waited for.  ahead is how many bytes were
 * read beyond the last row: there must be none, the model must have written
 * no more, and it must have taken the line before this one whole.
 */
bool exec_send(struct exec *, const struct ids *, size_t ahead, struct error *);

/*
 * Instead of a row there was an error, which is in err, or the end: say how
 * the model ended, if it has.
 */
void exec_no_row(struct exec *, bool end, struct error *);

/*
 * No line will follow: close the model's standard input and wait for its
 * end.  One more byte from it, or a failing status, is an error.
 */
bool exec_finish(struct exec *, size_t ahead, struct error *);

/* End the model, whatever it is doing, if exec_finish() has not seen it go. */
void exec_abandon(struct exec *);

/* Lines sent so far. */
uint64_t exec_calls(const struct exec *);

#endif
