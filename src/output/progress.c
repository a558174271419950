/* SPDX-License-Identifier: MIT */
/* How far a run is, told to a person on standard error. */
#include "progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../message.h"
#include "terminal.h"

/* Seconds before the first, and between one and the next. */
static const double first = 1, redrawn = 1, lines = 5;

/* More than that are no estimate. */
static const double longest_left = 1000 * 3600.0;

static double
seconds_since(const struct timespec *start)
{
	struct timespec now = *start;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)(now.tv_sec - start->tv_sec) +
	    (double)(now.tv_nsec - start->tv_nsec) / 1e9;
}

void
progress_begin(struct progress *p, bool forced, bool never)
{
	bool is_terminal = isatty(STDERR_FILENO);

	*p = (struct progress){.mode = PROGRESS_NEVER, .next = first};
	clock_gettime(CLOCK_MONOTONIC, &p->start);
	if (never)
		return;
	p->last = forced;
	if (forced)
		p->mode = is_terminal ? PROGRESS_TERMINAL : PROGRESS_LINES;
	else if (is_terminal && !isatty(STDOUT_FILENO))
		p->mode = PROGRESS_TERMINAL;
}

bool
progress_is_due(const struct progress *p)
{
	return p->mode != PROGRESS_NEVER && seconds_since(&p->start) >= p->next;
}

/* Three digits and a unit, as in "1.23 GB/s". */
static void
print_rate(char *text, size_t room, double bytes)
{
	static const char *const units[] = {"B", "kB", "MB", "GB", "TB"};
	size_t unit = 0;

	for (; bytes >= 999.5 && unit + 1 < sizeof(units) / sizeof(*units);
	     unit++)
		bytes /= 1000;
	snprintf(text, room, "%.*f %s/s",
	    unit == 0 || bytes >= 99.95 ? 0
	        : bytes >= 9.995        ? 1
	                                : 2,
	    bytes, units[unit]);
}

/* "0:07", "12:34", "1:23:45"; empty where it can't be known.  part is not 0. */
static void
print_left(char *text, size_t room, double part, double seconds)
{
	double left = seconds * (1 - part) / part;
	unsigned long whole;

	*text = '\0';
	if (part >= 1 || left >= longest_left)
		return;
	whole = (unsigned long)(left + 0.5);
	if (whole >= 3600)
		snprintf(text, room, "%lu:%02lu:%02lu left", whole / 3600,
		    whole / 60 % 60, whole % 60);
	else
		snprintf(text, room, "%lu:%02lu left", whole / 60, whole % 60);
}

void
progress_print(char text[PROGRESS_TEXT], const struct progress_count *c,
    double seconds, size_t columns)
{
	char parts[5][32] = {""};
	size_t used = 0, size;

	snprintf(parts[0], sizeof(parts[0]), "%" PRIu64 " row%s", c->rows,
	    c->rows == 1 ? "" : "s");
	if (c->part > 0) {
		snprintf(parts[1], sizeof(parts[1]), "%.0f%%", 100 * c->part);
		print_left(parts[2], sizeof(parts[2]), c->part, seconds);
	}
	if (seconds > 0 && c->rows > 0) {
		snprintf(parts[3], sizeof(parts[3]), "%.*f rows/s",
		    (double)c->rows < 10 * seconds ? 2 : 0,
		    (double)c->rows / seconds);
		print_rate(
		    parts[4], sizeof(parts[4]), (double)c->bytes / seconds);
	}
	if (columns > PROGRESS_TEXT - 1)
		columns = PROGRESS_TEXT - 1;
	text[0] = '\0';
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		size = strlen(parts[i]);
		if (size == 0)
			continue;
		if (used + (used > 0 ? 2 : 0) + size > columns)
			break;
		used += (size_t)snprintf(text + used, PROGRESS_TEXT - used,
		    "%s%s", used > 0 ? ", " : "", parts[i]);
	}
}

/* Where there is no job control there is no background. */
static bool
in_foreground(void)
{
	pid_t group = tcgetpgrp(STDERR_FILENO);

	return group == -1 || group == getpgrp();
}

static void
say(const struct progress_count *c, double seconds)
{
	char text[PROGRESS_TEXT];
	struct error line;

	progress_print(text, c, seconds, PROGRESS_TEXT);
	error_set(&line, STATUS_DONE, "%s", text);
	message_error(&line);
}

void
progress_tell(struct progress *p, const struct progress_count *c)
{
	double seconds = seconds_since(&p->start);
	char text[PROGRESS_TEXT];

	p->next = seconds + (p->mode == PROGRESS_LINES ? lines : redrawn);
	if (p->mode == PROGRESS_LINES) {
		say(c, seconds);
	} else if (in_foreground()) {
		/* In the last column some terminals would begin a new line. */
		progress_print(
		    text, c, seconds, terminal_look(STDERR_FILENO).width - 1);
		message_status(text);
	}
}

void
progress_answer(const struct progress *p, const struct progress_count *c)
{
	say(c, seconds_since(&p->start));
}

void
progress_end(const struct progress *p, const struct progress_count *c)
{
	if (p->last && (p->mode == PROGRESS_LINES || in_foreground()))
		say(c, seconds_since(&p->start));
	else
		message_status(NULL);
}
