/* SPDX-License-Identifier: MIT */
/* Any lines as a saved state, with the right checksum: read, and parsed. */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../src/cli/resume.h"
#include "../../src/fnv.h"

int LLVMFuzzerTestOneInput(const uint8_t *, size_t);

static void
put_all(int fd, const void *bytes, size_t n)
{
	if (pwrite(fd, bytes, n, 0) != (ssize_t)n ||
	    ftruncate(fd, (off_t)n) != 0)
		abort();
}

/* The lines and the last one behind them. */
static void
put_state(int fd, const uint8_t *lines, size_t n)
{
	const size_t room = n + 32;
	char *text = malloc(room);
	int end;

	if (text == NULL)
		abort();
	if (n > 0)
		memcpy(text, lines, n);
	end = snprintf(text + n, room - n, "end %016" PRIx64 "\n",
	    fnv_bytes(FNV_BEGIN, text, n));
	put_all(fd, text, n + (size_t)end);
	free(text);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static char program[] = "tokpick", quiet[] = "-q",
	            load[] = "--load-state", name[32];
	char *words[] = {program, quiet, load, name, NULL};
	static FILE *file;
	struct options o;
	struct error err;

	if (file == NULL && (file = tmpfile()) == NULL)
		abort();
	snprintf(name, sizeof(name), "/dev/fd/%d", fileno(file));
	put_state(fileno(file), data, size);
	optind = 0; /* getopt_long() begins anew */
	if (options_parse(&o, 4, words, &err) && resume_check(&o, &err) &&
	    o.state == NULL)
		abort();
	options_free(&o);
	return 0;
}
