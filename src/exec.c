/* SPDX-License-Identifier: MIT */
/* The model as a child process: lines of ids to it, rows from it. */
#include "exec.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "child.h"
#include "signals.h"

/*
 * How long an exchange may stand still that the model has begun to answer.
 * Before the first byte of a row it may think for as long as it likes; but
 * when it stops inside one, or after one without taking the line, it is most
 * likely waiting for us as we are for it.
 */
enum { PATIENCE_SECONDS = 10, PATIENCE_MS = 1000 * PATIENCE_SECONDS };

/* An id in decimal, and what stands before and behind it. */
enum { ID_ROOM = 12 };

/* What there was to wait for. */
enum event { EVENT_ERROR, EVENT_READABLE, EVENT_WROTE, EVENT_TIMEOUT };

struct exec {
	struct child child;
	bool full;
	const struct before_read *before; /* the caller's */
	struct before_read before_read;   /* and ours */
	uint64_t calls;
	uint64_t reads; /* since the last line was sent */
	bool deaf;      /* the model has closed its standard input */
	char *line;     /* the last line, or the one that is being sent */
	size_t size, room, sent;
};

static bool
is_sent(const struct exec *e)
{
	return e->sent == e->size;
}

/* Write what the pipe takes of the line. */
static bool
write_some(struct exec *e, struct error *err)
{
	ssize_t done;

	done = signals_write(e->child.in, e->line + e->sent, e->size - e->sent);
	if (done > 0)
		e->sent += (size_t)done;
	else if (done == 0)
		return error_system(err, EIO, "--exec: the model's input");
	else if (errno == EPIPE)
		e->deaf = true; /* its output may tell why */
	else if (errno != EAGAIN && errno != EINTR)
		return error_system(err, errno, "--exec: the model's input");
	return true;
}

/*
 * Wait for output of the model's, at most so many milliseconds (-1: no
 * limit), or write some of the line if it takes it before.
 */
static enum event
wait_event(struct exec *e, int timeout, struct error *err)
{
	struct pollfd fds[] = {
	    {.fd = e->child.out, .events = POLLIN},
	    {.fd = is_sent(e) || e->deaf ? -1 : e->child.in, .events = POLLOUT},
	};
	int ready = -1;

	while (signals_caught() == 0) {
		ready = poll(fds, sizeof(fds) / sizeof(fds[0]), timeout);
		if (ready >= 0 || (errno != EINTR && errno != EAGAIN))
			break;
		if (!e->before->call(e->before->context, e->child.out, err))
			return EVENT_ERROR;
	}
	if (signals_caught() != 0) {
		signals_error(err);
		return EVENT_ERROR;
	}
	if (ready < 0) {
		error_system(err, errno, "--exec: waiting for the model");
		return EVENT_ERROR;
	}
	if (ready == 0)
		return EVENT_TIMEOUT;
	if (fds[0].revents != 0)
		return EVENT_READABLE;
	return write_some(e, err) ? EVENT_WROTE : EVENT_ERROR;
}

/* The output can be read: is that a byte, which is dropped, or its end? */
static bool
read_byte(struct exec *e, bool *got, struct error *err)
{
	ssize_t done;
	char byte;

	do
		done = read(e->child.out, &byte, 1);
	while (done < 0 && errno == EINTR);
	if (done < 0)
		return error_system(err, errno, "--exec: the model's output");
	*got = done > 0;
	return true;
}

static bool
refuse_more(const struct exec *e, struct error *err)
{
	return error_set(err, STATUS_FAILED,
	    "--exec: more came from the model than one row a line: it was "
	    "sent line %" PRIu64 " last; --vocab or --dtype may be wrong",
	    e->calls);
}

/* It stopped where it should have gone on. */
static bool
refuse_stall(const struct exec *e, struct error *err)
{
	if (e->reads == 0)
		return error_set(err, STATUS_FAILED,
		    "--exec: the model has closed its input: line %" PRIu64
		    " can't be sent",
		    e->calls);
	return error_set(err, STATUS_FAILED,
	    "--exec: the model's answer to line %" PRIu64
	    " is short of a row, and for %d seconds nothing more came: "
	    "--vocab or --dtype may be wrong",
	    e->calls, PATIENCE_SECONDS);
}

/*
 * Called before each read of the model's output.  It may stop reading its
 * line until its row is read, so neither end is ever waited for alone.
 */
static bool
before_read(void *context, int fd, struct error *err)
{
	struct exec *e = context;
	int timeout = e->reads > 0 ? PATIENCE_MS : -1;
	enum event event;

	if (!e->before->call(e->before->context, fd, err))
		return false;
	do
		event = wait_event(e, e->deaf ? PATIENCE_MS : timeout, err);
	while (event == EVENT_WROTE);
	if (event == EVENT_TIMEOUT)
		return refuse_stall(e, err);
	e->reads++;
	return event == EVENT_READABLE;
}

/* A row was read whole: that was the answer to a line, and all of it. */
static bool
check_answer(struct exec *e, size_t ahead, struct error *err)
{
	enum event event = EVENT_WROTE;
	bool more = ahead > 0;

	while (!more && event == EVENT_WROTE) {
		event = wait_event(
		    e, is_sent(e) || e->deaf ? 0 : PATIENCE_MS, err);
		if (event == EVENT_ERROR ||
		    (event == EVENT_READABLE && !read_byte(e, &more, err)))
			return false;
	}
	if (more)
		return refuse_more(e, err);
	if (is_sent(e))
		return true;
	return error_set(err, STATUS_FAILED,
	    "--exec: the model answered line %" PRIu64
	    " and has not read it to its end",
	    e->calls);
}

struct exec *
exec_start(const char *command, bool full, const struct before_read *before,
    struct error *err)
{
	struct exec *e = calloc(1, sizeof(*e));

	if (e == NULL) {
		error_system(err, ENOMEM, "--exec");
		return NULL;
	}
	e->full = full;
	e->before = before;
	e->before_read = (struct before_read){before_read, e};
	if (child_start(&e->child, command, err))
		return e;
	exec_free(e);
	return NULL;
}

void
exec_free(struct exec *e)
{
	if (e == NULL)
		return;
	free(e->line);
	free(e);
}

struct source *
exec_source(struct exec *e, struct error *err)
{
	return source_of(e->child.out, "--exec", &e->before_read, err);
}

/* Make room for n more ids and the line's end. */
static bool
reserve(struct exec *e, size_t n, struct error *err)
{
	size_t need, room;
	char *larger;

	if (n > (SIZE_MAX / 4 - e->size) / ID_ROOM)
		return error_system(err, ENOMEM, "--exec: a line");
	need = e->size + n * ID_ROOM + 1;
	if (need <= e->room)
		return true;
	room = need > 2 * e->room ? need : 2 * e->room;
	larger = realloc(e->line, room);
	if (larger == NULL)
		return error_system(
		    err, ENOMEM, "--exec: a line of %zu bytes", need);
	e->line = larger;
	e->room = room;
	return true;
}

/* The line is the text of the whole context, or is begun anew. */
static bool
make_line(struct exec *e, const struct ids *ids, struct error *err)
{
	if (e->full && e->size > 0)
		e->size--; /* its end */
	else
		e->size = 0;
	e->sent = 0;
	if (!reserve(e, ids->size, err))
		return false;
	for (size_t i = 0; i < ids->size; i++)
		e->size += (size_t)snprintf(e->line + e->size, ID_ROOM,
		    "%s%" PRIu32, e->size > 0 ? " " : "", ids->list[i]);
	e->line[e->size++] = '\n';
	return true;
}

bool
exec_send(
    struct exec *e, const struct ids *ids, size_t ahead, struct error *err)
{
	if (e->calls > 0 && !check_answer(e, ahead, err))
		return false;
	if (!make_line(e, ids, err))
		return false;
	e->calls++;
	e->reads = 0;
	return write_some(e, err);
}

/* Its output is at its end: it has ended, or will in a moment. */
static bool
is_gone(struct exec *e)
{
	struct pollfd fd = {.fd = e->child.out, .events = POLLIN};
	struct error ignored;
	bool more = false;

	return poll(&fd, 1, 0) > 0 && read_byte(e, &more, &ignored) && !more;
}

void
exec_no_row(struct exec *e, bool end, struct error *err)
{
	char how[80];
	size_t used;

	if (end)
		error_set(err, STATUS_FAILED,
		    "--exec: the model's output ended before its answer to "
		    "line %" PRIu64,
		    e->calls);
	if (signals_caught() != 0 || !is_gone(e) ||
	    !child_wait(&e->child, CHILD_MOMENT_MS))
		return;
	child_describe(&e->child, how, sizeof(how));
	used = strlen(err->text);
	snprintf(
	    err->text + used, sizeof(err->text) - used, "; the model %s", how);
}

bool
exec_finish(struct exec *e, size_t ahead, struct error *err)
{
	bool more = false;
	char how[80];

	if (e->calls > 0 && !check_answer(e, ahead, err))
		return false;
	child_close_input(&e->child);
	if (wait_event(e, -1, err) == EVENT_ERROR || !read_byte(e, &more, err))
		return false;
	if (more)
		return refuse_more(e, err);
	if (!child_wait(&e->child, -1))
		return signals_error(err);
	child_describe(&e->child, how, sizeof(how));
	child_reap(&e->child);
	if (!e->child.killed && e->child.status == 0)
		return true;
	return error_set(err, STATUS_FAILED, "--exec: the model %s", how);
}

void
exec_abandon(struct exec *e)
{
	int signal = signals_caught();

	/* Of a reader lost on our side it learns by the end of its input. */
	if (e->child.pid != 0)
		child_end(&e->child, signal == SIGPIPE ? 0 : signal);
}

uint64_t
exec_calls(const struct exec *e)
{
	return e->calls;
}
