/* SPDX-License-Identifier: MIT */
/* Error values, and the one voice in which the program speaks. */
#include "message.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "utf8.h"

/* The one setting that is global: every module may want to say a word. */
static enum verbosity verbosity = NORMAL;

/* The columns of a status line that stands on the terminal. */
static size_t status_columns;

bool
error_set(struct error *err, enum status status, const char *format, ...)
{
	va_list args;

	err->status = status;
	va_start(args, format);
	vsnprintf(err->text, sizeof(err->text), format, args);
	va_end(args);
	return false;
}

bool
error_system(struct error *err, int errnum, const char *format, ...)
{
	va_list args;
	size_t used;

	err->status = STATUS_FAILED;
	va_start(args, format);
	vsnprintf(err->text, sizeof(err->text), format, args);
	va_end(args);
	used = strlen(err->text);
	snprintf(err->text + used, sizeof(err->text) - used, ": %s",
	    strerror(errnum));
	return false;
}

void
error_append(struct error *err, const char *word)
{
	size_t used = strlen(err->text);

	snprintf(err->text + used, sizeof(err->text) - used, " %s", word);
}

void
message_verbosity(enum verbosity level)
{
	verbosity = level;
}

/* A lost word on standard error has nobody left to be told of it. */
static void
write_all(const char *text, size_t n)
{
	ssize_t done;

	while (n > 0) {
		done = write(STDERR_FILENO, text, n);
		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0)
			return;
		text += done;
		n -= (size_t)done;
	}
}

void
message_status(const char *line)
{
	char text[STATUS_ROOM + 3];
	int n;

	if (line == NULL && status_columns == 0)
		return;
	/* Blanks go over what was longer. */
	n = snprintf(text, sizeof(text), "\r%-*.*s%s", (int)status_columns,
	    STATUS_ROOM, line == NULL ? "" : line, line == NULL ? "\r" : "");
	status_columns = line == NULL ? 0 : strlen(line);
	if (status_columns > STATUS_ROOM)
		status_columns = STATUS_ROOM;
	write_all(text, (size_t)n);
}

/* C0, DEL and C1: what a terminal would obey. */
static bool
is_control(const unsigned char *c, size_t length)
{
	return *c < 0x20 || *c == 0x7f ||
	    (length == 2 && c[0] == 0xc2 && c[1] < 0xa0);
}

/* One write for the whole line: lines of several processes do not mix. */
static void
speak(const char *text)
{
	static const char prefix[] = "tokpick: ";
	const unsigned char *from = (const unsigned char *)text;
	size_t left = strlen(text), length, used = sizeof(prefix) - 1;
	char line[sizeof(prefix) + 4 * sizeof(((struct error *)0)->text)];

	message_status(NULL);
	memcpy(line, prefix, used);
	while (left > 0) { /* four characters for each at the most */
		length = utf8_length(from, left);
		if (length == 0 || is_control(from, length)) {
			length = 1;
			used += (size_t)snprintf(
			    line + used, 5, "\\x%02x", *from);
		} else {
			memcpy(line + used, from, length);
			used += length;
		}
		from += length;
		left -= length;
	}
	line[used++] = '\n';
	write_all(line, used);
}

void
message_error(const struct error *err)
{
	speak(err->text);
}

static void speak_at(enum verbosity, const char *, va_list)
    MESSAGE_FORMAT(2, 0);

static void
speak_at(enum verbosity level, const char *format, va_list args)
{
	char text[sizeof(((struct error *)0)->text)];

	if (verbosity < level)
		return;
	vsnprintf(text, sizeof(text), format, args);
	speak(text);
}

void
message_warn(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	speak_at(NORMAL, format, args);
	va_end(args);
}

void
message_note(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	speak_at(VERBOSE, format, args);
	va_end(args);
}
