/* SPDX-License-Identifier: MIT */
/*
 * A fuzzer's function given every truncation of some files and every change
 * of one byte in them, under the sanitizers.
 *
 * usage: damage [-q] FILE...
 *
 * A byte becomes each of the 255 others; with -q those that differ in one bit.
 * The last line is how many inputs there were.  The first one that is wrong,
 * or takes longer than the patience, ends it with words on standard error.
 */
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATIENCE_SECONDS = 20, MOST = 1 << 20 };

int LLVMFuzzerTestOneInput(const uint8_t *, size_t);
void __asan_on_error(void);

/* What is being tried, for the words when it is wrong. */
static char what[4200];

void
__asan_on_error(void)
{
	size_t n = strlen(what);

	if (write(STDERR_FILENO, what, n) != (ssize_t)n)
		_exit(98);
}

static void
tell(int signal)
{
	__asan_on_error();
	_exit(signal);
}

/* A copy of its own size, so that a look behind its end is seen. */
static void
try(const uint8_t *bytes, size_t n)
{
	uint8_t *copy = malloc(n);

	if (copy == NULL)
		abort();
	memcpy(copy, bytes, n);
	alarm(PATIENCE_SECONDS);
	LLVMFuzzerTestOneInput(copy, n);
	alarm(0);
	free(copy);
}

static unsigned long
damage(const char *file, uint8_t *bytes, size_t n, int quick)
{
	unsigned long count = 0;
	uint8_t was;

	for (size_t end = 0; end <= n; end++, count++) {
		snprintf(what, sizeof(what), "%s cut off at %zu\n", file, end);
		try(bytes, end);
	}
	for (size_t at = 0; at < n; at++) {
		was = bytes[at];
		for (int with = 1; with < 256;
		     with = quick ? 2 * with : with + 1) {
			bytes[at] = (uint8_t)(was ^ with);
			snprintf(what, sizeof(what), "%s with byte %zu %d\n",
			    file, at, bytes[at]);
			try(bytes, n);
			count++;
		}
		bytes[at] = was;
	}
	return count;
}

int
main(int argc, char **argv)
{
	static uint8_t bytes[MOST];
	unsigned long count = 0;
	int quick = argc > 1 && strcmp(argv[1], "-q") == 0;
	FILE *file;
	size_t n;

	signal(SIGABRT, tell);
	signal(SIGALRM, tell);
	for (int i = 1 + quick; i < argc; i++) {
		file = fopen(argv[i], "rb");
		if (file == NULL) {
			perror(argv[i]);
			return 1;
		}
		n = fread(bytes, 1, MOST, file);
		fclose(file);
		count += damage(argv[i], bytes, n, quick);
	}
	printf("%lu\n", count);
	return 0;
}
