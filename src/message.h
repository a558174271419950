/* SPDX-License-Identifier: MIT */
/* Error values, and the one voice in which the program speaks. */
#ifndef TOKPICK_MESSAGE_H
#define TOKPICK_MESSAGE_H

#include <stdbool.h>

#if defined(__GNUC__)
#define MESSAGE_FORMAT(f, a) __attribute__((format(printf, f, a)))
#else
#define MESSAGE_FORMAT(f, a)
#endif

/* Exit statuses; tokpick(1), EXIT STATUS. */
enum status {
	STATUS_DONE = 0,
	STATUS_FAILED = 1, /* the input or the system */
	STATUS_USAGE = 2,  /* the command line */
};

/*
 * What went wrong.  Everything below main() reports by filling one of these
 * and returning false; only main() prints it and exits.
 */
struct error {
	enum status status;
	char text[1024];
};

/* Fill an error; a text that is too long is cut.  Always returns false. */
bool error_set(struct error *, enum status, const char *, ...)
    MESSAGE_FORMAT(3, 4);

/* The same, with ": " and what the system says of errnum behind the text. */
bool error_system(struct error *, int errnum, const char *, ...)
    MESSAGE_FORMAT(3, 4);

/* Add a blank and a word to the text. */
void error_append(struct error *, const char *word);

/* How much is said: -q, neither, -v. */
enum verbosity { QUIET = -1, NORMAL = 0, VERBOSE = 1 };
void message_verbosity(enum verbosity);

/*
 * Print one line on standard error, "tokpick: " before it.  Bytes that are
 * neither printable ASCII nor well-formed UTF-8 are shown as \xNN, so that
 * no file name or argument can drive the reader's terminal.
 */
void message_error(const struct error *);
void message_warn(const char *, ...) MESSAGE_FORMAT(1, 2); /* not with -q */
void message_note(const char *, ...) MESSAGE_FORMAT(1, 2); /* only with -v */

/* Room for a status line. */
enum { STATUS_ROOM = 128 };

/*
 * Show a line of printable ASCII that stays on the terminal, in place of the
 * one before, until a message or another takes its place; NULL takes it away.
 */
void message_status(const char *);

#endif
