/* SPDX-License-Identifier: MIT */
/* What a step of tokpick --exec costs beyond the model's own time. */

/*
 * usage: exec_latency TOKPICK [VOCAB]...
 *        exec_latency model VOCAB
 *
 * The model is this program: it answers each line with a row that it made
 * at the start, so its own time is that of a read and a write.  Steps are
 * timed through tokpick, and through a loop that does no more than write a
 * line and read a row into memory; the median of rounds that take turns is
 * printed for each, and the difference.  The time to start and stop is
 * taken off by running few steps and many.
 */
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { ROUNDS = 9, FEW = 100, MANY = 2100 };

static void
fail(const char *what)
{
	perror(what);
	exit(1);
}

static void
write_all(int fd, const char *bytes, size_t n)
{
	ssize_t done;

	for (; n > 0; bytes += done, n -= (size_t)done)
		if ((done = write(fd, bytes, n)) < 0)
			fail("exec_latency: write");
}

/* A Gaussian-like row from a fixed seed. */
static float *
make_row(size_t vocab)
{
	float *row = malloc(vocab * sizeof(*row));
	uint64_t state = 1;

	if (row == NULL)
		fail("exec_latency");
	for (size_t i = 0; i < vocab; i++) {
		row[i] = -15;
		for (int k = 0; k < 12; k++) {
			state = state * 6364136223846793005 +
			    1442695040888963407;
			row[i] += (float)(state >> 40) * 0x2.8p-24f;
		}
	}
	return row;
}

static int
model(size_t vocab)
{
	float *row = make_row(vocab);
	char line[4096];

	while (read(STDIN_FILENO, line, sizeof(line)) > 0)
		write_all(
		    STDOUT_FILENO, (const char *)row, vocab * sizeof(*row));
	free(row);
	return 0;
}

static double
now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec * 1e6 + (double)time.tv_nsec * 1e-3;
}

static pid_t
start(char *const *argv, int in, int out)
{
	pid_t pid = fork();

	if (pid < 0)
		fail("exec_latency: fork");
	if (pid > 0)
		return pid;
	if (in >= 0)
		dup2(in, STDIN_FILENO);
	dup2(out, STDOUT_FILENO);
	execvp(argv[0], argv);
	perror(argv[0]);
	_exit(127);
}

static void
finish(pid_t pid)
{
	int status;

	if (waitpid(pid, &status, 0) < 0 || status != 0) {
		fprintf(stderr, "exec_latency: a command failed\n");
		exit(1);
	}
}

/* Microseconds that tokpick takes for so many steps. */
static double
through_tokpick(char *self, char *tokpick, char *vocab, int steps)
{
	char command[4096], count[16], V[] = "-V", n[] = "-n",
	                               exec[] = "--exec";
	char *argv[] = {tokpick, V, vocab, n, count, exec, command, NULL};
	int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
	double begin = now();

	snprintf(count, sizeof(count), "%d", steps);
	snprintf(command, sizeof(command), "exec %s model %s", self, vocab);
	finish(start(argv, -1, null));
	close(null);
	return now() - begin;
}

static void
bare_steps(int to, int from, size_t row_bytes, int steps)
{
	char *row = malloc(row_bytes);
	ssize_t done;

	if (row == NULL)
		fail("exec_latency");
	for (int i = 0; i < steps; i++) {
		write_all(to, "1234\n", 5);
		for (size_t n = 0; n < row_bytes; n += (size_t)done)
			if ((done = read(from, row + n, row_bytes - n)) <= 0)
				fail("exec_latency: read");
	}
	free(row);
}

/* The same without tokpick. */
static double
through_bare_loop(char *self, char *vocab, int steps)
{
	char word[] = "model", *argv[] = {self, word, vocab, NULL};
	int to[2], from[2];
	double begin = now();
	pid_t pid;

	if (pipe(to) != 0 || pipe(from) != 0)
		fail("exec_latency: pipe");
	fcntl(to[1], F_SETFD, FD_CLOEXEC);
	fcntl(from[0], F_SETFD, FD_CLOEXEC);
	pid = start(argv, to[0], from[1]);
	close(to[0]);
	close(from[1]);
	bare_steps(
	    to[1], from[0], strtoul(vocab, NULL, 10) * sizeof(float), steps);
	close(to[1]);
	close(from[0]);
	finish(pid);
	return now() - begin;
}

static int
compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void
measure(char *self, char *tokpick, char *vocab)
{
	double ours[ROUNDS], bare[ROUNDS], steps = MANY - FEW;

	for (int i = 0; i < ROUNDS; i++) {
		ours[i] = through_tokpick(self, tokpick, vocab, MANY) -
		    through_tokpick(self, tokpick, vocab, FEW);
		bare[i] = through_bare_loop(self, vocab, MANY) -
		    through_bare_loop(self, vocab, FEW);
	}
	qsort(ours, ROUNDS, sizeof(ours[0]), compare);
	qsort(bare, ROUNDS, sizeof(bare[0]), compare);
	printf("%-7s --exec: %.1f us a step, a bare loop %.1f, so %.1f beyond "
	       "the model's own (medians of %d)\n",
	    vocab, ours[ROUNDS / 2] / steps, bare[ROUNDS / 2] / steps,
	    (ours[ROUNDS / 2] - bare[ROUNDS / 2]) / steps, ROUNDS);
}

int
main(int argc, char **argv)
{
	char usual[] = "32000";

	if (argc == 3 && strcmp(argv[1], "model") == 0)
		return model(strtoul(argv[2], NULL, 10));
	if (argc < 2)
		return 2;
	for (int i = 2; i < argc; i++)
		measure(argv[0], argv[1], argv[i]);
	if (argc == 2)
		measure(argv[0], argv[1], usual);
	return 0;
}
