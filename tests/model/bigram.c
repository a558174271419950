/* SPDX-License-Identifier: MIT */
/* A model for the tests of --exec, which can be told to misbehave. */

/*
 * usage: bigram [-f] [-l FILE] [-m MODE] [-a LINE] [-s STATUS] VOCAB [FILE]...
 *
 * Reads lines of ids that join its context and answers each with a row of
 * VOCAB floats: the logit of id b is 7 and the number of times that b follows
 * the last id of the context in the FILEs, which hold ids, or 0 if it never
 * does.  Nothing follows an empty context.
 *
 *   -f  each line is the whole context, not what is new in it
 *   -l  add to FILE what each line says, byte by byte
 *   -m  misbehave, see modes[]
 *   -a  do it from this line on, counted from 1 (the default)
 *   -s  the status, or the signal, of modes that have one
 */
#include <inttypes.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum mode {
	HONEST,
	SHORT,    /* leave out the row's last byte, and go on */
	CUT,      /* the same, and exit with a status */
	BYTE,     /* write a byte more than the row */
	TWICE,    /* write the row twice */
	EXIT,     /* exit with a status instead of answering */
	KILL,     /* die of a signal instead */
	SHUT,     /* close standard output instead, and stay */
	CLOSE,    /* close standard input, answer, and stay */
	NOISE,    /* write 1 MiB to standard error before each answer */
	EARLY,    /* write the row when a byte of the line is read */
	DEAF,     /* write the row, and never read */
	TRICKLE,  /* write the row in pieces of 7 bytes */
	LATE,     /* write a byte at the end of the input */
	STATUS,   /* exit with a status then */
	STAY,     /* stay then, until killed */
	THINK,    /* write a line to the file "thinking" instead of answering,
	             and stay */
	STUBBORN, /* the same, ignoring SIGHUP, SIGINT and SIGTERM */
};

static const char *const modes[] = {"honest", "short", "cut", "byte", "twice",
    "exit", "kill", "shut", "close", "noise", "early", "deaf", "trickle",
    "late", "status", "stay", "think", "stubborn"};

struct model {
	size_t vocab;
	uint32_t *ids; /* of the files, one behind the other */
	size_t n_ids;
	float *row; /* [vocab] */
	int64_t last;
	bool full;
	FILE *log;
	enum mode mode;
	unsigned long from;
	int status;
};

static void
fail(const char *what)
{
	perror(what);
	exit(99);
}

static void *
checked(void *memory)
{
	if (memory == NULL)
		fail("bigram");
	return memory;
}

/* The ids of a file; its first one follows nothing. */
static void
learn(struct model *m, const char *name)
{
	FILE *file = fopen(name, "r");
	uint32_t id;

	if (file == NULL)
		fail(name);
	m->ids = checked(realloc(m->ids, (m->n_ids + 1) * sizeof(*m->ids)));
	m->ids[m->n_ids++] = UINT32_MAX;
	while (fscanf(file, "%" SCNu32 "%*[, \n]", &id) == 1) {
		m->ids = checked(
		    realloc(m->ids, (m->n_ids + 1) * sizeof(*m->ids)));
		m->ids[m->n_ids++] = id;
	}
	fclose(file);
}

static void
make_row(struct model *m)
{
	float *logit;

	memset(m->row, 0, m->vocab * sizeof(*m->row));
	for (size_t i = 0; i + 1 < m->n_ids; i++)
		if (m->ids[i] == m->last && m->ids[i + 1] < m->vocab) {
			logit = &m->row[m->ids[i + 1]];
			*logit += *logit == 0 ? 8 : 1;
		}
}

static void
write_all(int fd, const void *bytes, size_t n, size_t piece)
{
	const char *at = bytes;
	ssize_t done;

	while (n > 0) {
		done = write(fd, at, n < piece ? n : piece);
		if (done < 0)
			fail("bigram: write");
		at += done;
		n -= (size_t)done;
	}
}

/* One line, read a byte at a time: what is behind it may not be there. */
static bool
read_line(struct model *m)
{
	int c = getchar();
	int64_t id = -1;

	if (c == EOF)
		return false;
	if (m->full)
		m->last = -1;
	for (; c != EOF; c = getchar()) {
		if (m->log != NULL)
			putc(c, m->log);
		if (c >= '0' && c <= '9') {
			id = (id < 0 ? 0 : 10 * id) + c - '0';
			continue;
		}
		if (id >= 0)
			m->last = id;
		id = -1;
		if (c == '\n')
			break;
	}
	if (m->log != NULL)
		fflush(m->log);
	return true;
}

static void
stay(void)
{
	for (;;)
		pause();
}

static void
think(void)
{
	FILE *file = checked(fopen("thinking", "w"));

	fputs("hm\n", file);
	fclose(file);
	stay();
}

static void
make_noise(void)
{
	char line[64];

	memset(line, '#', sizeof(line));
	line[sizeof(line) - 1] = '\n';
	for (int i = 0; i < 1 << 14; i++)
		write_all(STDERR_FILENO, line, sizeof(line), sizeof(line));
}

/* What stands before the row. */
static void
misbehave_before(const struct model *m)
{
	switch (m->mode) {
	case EXIT:
		exit(m->status);
	case KILL:
		raise(m->status);
		break;
	case SHUT:
		close(STDOUT_FILENO);
		stay();
		break;
	case STUBBORN:
		signal(SIGHUP, SIG_IGN);
		signal(SIGINT, SIG_IGN);
		signal(SIGTERM, SIG_IGN);
		think();
		break;
	case THINK:
		think();
		break;
	case NOISE:
		make_noise();
		break;
	case CLOSE:
		close(STDIN_FILENO);
		break;
	default:
		break;
	}
}

/* What stands behind it. */
static void
misbehave_after(const struct model *m)
{
	size_t n = m->vocab * sizeof(*m->row);

	switch (m->mode) {
	case CUT:
		exit(m->status);
	case BYTE:
		write_all(STDOUT_FILENO, "", 1, 1);
		break;
	case TWICE:
		write_all(STDOUT_FILENO, m->row, n, n);
		break;
	case CLOSE:
	case DEAF:
		stay();
		break;
	default:
		break;
	}
}

static void
answer(struct model *m, bool astray)
{
	size_t n = m->vocab * sizeof(*m->row), piece = n;

	make_row(m);
	if (astray)
		misbehave_before(m);
	if (astray && (m->mode == SHORT || m->mode == CUT))
		n--;
	if (astray && m->mode == TRICKLE)
		piece = 7;
	write_all(STDOUT_FILENO, m->row, n, piece);
	if (astray)
		misbehave_after(m);
}

static void
serve(struct model *m)
{
	bool astray;

	for (unsigned long line = 1;; line++) {
		astray = line >= m->from;
		if (astray && m->mode == EARLY)
			ungetc(getchar(), stdin);
		if (feof(stdin))
			return;
		if (astray && (m->mode == DEAF || m->mode == EARLY)) {
			answer(m, true);
			if (!read_line(m))
				return;
		} else {
			if (!read_line(m))
				return;
			answer(m, astray);
		}
	}
}

static int
end(const struct model *m)
{
	if (m->mode == STAY)
		stay();
	if (m->mode == LATE)
		write_all(STDOUT_FILENO, "", 1, 1);
	return m->mode == STATUS ? m->status : 0;
}

static enum mode
find_mode(const char *name)
{
	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++)
		if (strcmp(modes[i], name) == 0)
			return (enum mode)i;
	fprintf(stderr, "bigram: no mode %s\n", name);
	exit(99);
}

int
main(int argc, char **argv)
{
	struct model m = {.last = -1, .from = 1};
	int option;

	while ((option = getopt(argc, argv, "a:fl:m:s:")) != -1) {
		switch (option) {
		case 'a':
			m.from = strtoul(optarg, NULL, 10);
			break;
		case 'f':
			m.full = true;
			break;
		case 'l':
			m.log = checked(fopen(optarg, "a"));
			break;
		case 'm':
			m.mode = find_mode(optarg);
			break;
		case 's':
			m.status = atoi(optarg);
			break;
		default:
			return 99;
		}
	}
	if (optind == argc)
		return 99;
	m.vocab = strtoul(argv[optind++], NULL, 10);
	m.row = checked(calloc(m.vocab, sizeof(*m.row)));
	while (optind < argc)
		learn(&m, argv[optind++]);
	serve(&m);
	return end(&m);
}
