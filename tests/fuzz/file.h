/* SPDX-License-Identifier: MIT */
/* Bytes as a file, for the fuzzers of what reads files. */
#ifndef TOKPICK_FUZZ_FILE_H
#define TOKPICK_FUZZ_FILE_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *, size_t);

/* The name of a file that has these bytes until the next call. */
static inline char *
fuzz_file(const void *bytes, size_t n)
{
	static char name[32];
	static FILE *file;

	if (file == NULL && (file = tmpfile()) == NULL)
		abort();
	if (pwrite(fileno(file), bytes, n, 0) != (ssize_t)n ||
	    ftruncate(fileno(file), (off_t)n) != 0)
		abort();
	snprintf(name, sizeof(name), "/dev/fd/%d", fileno(file));
	return name;
}

#endif
