/* SPDX-License-Identifier: MIT */
/* Any lines as a saved state, with the right checksum: read, and parsed. */
#include <getopt.h>
#include <inttypes.h>
#include <string.h>

#include "../../src/cli/resume.h"
#include "../../src/fnv.h"
#include "file.h"

/* The lines and the last one behind them. */
static char *
put_state(const uint8_t *lines, size_t n)
{
	const size_t room = n + 32;
	char *text = malloc(room), *name;
	int end;

	if (text == NULL)
		abort();
	if (n > 0)
		memcpy(text, lines, n);
	end = snprintf(text + n, room - n, "end %016" PRIx64 "\n",
	    fnv_bytes(FNV_BEGIN, text, n));
	name = fuzz_file(text, n + (size_t)end);
	free(text);
	return name;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static char program[] = "tokpick", quiet[] = "-q",
	            load[] = "--load-state";
	char *words[] = {program, quiet, load, put_state(data, size), NULL};
	struct options o;
	struct error err;

	optind = 0; /* getopt_long() begins anew */
	if (options_parse(&o, 4, words, &err) && resume_check(&o, &err) &&
	    o.state == NULL)
		abort();
	options_free(&o);
	return 0;
}
