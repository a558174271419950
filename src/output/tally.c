/* SPDX-License-Identifier: MIT */
/* What a setting of a sweep drew, in a few numbers. */
#include "tally.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../sampler/dmath.h"
#include "../text.h"
#include "trace.h"

bool
tally_open(struct tally *t, size_t vocab, struct error *err)
{
	t->drawn = calloc(vocab / 32 + 1, sizeof(*t->drawn));
	if (t->drawn == NULL)
		return error_system(
		    err, ENOMEM, "marks for %zu token ids", vocab);
	return true;
}

void
tally_close(struct tally *t)
{
	free(t->drawn);
}

void
tally_row(struct tally *t, const struct sampler *s, const struct decision *d)
{
	uint32_t *word = &t->drawn[d->id / 32], bit = UINT32_C(1) << d->id % 32;

	t->rows++;
	t->entropy += trace_entropy(s);
	t->kept += (double)sampler_kept(s);
	t->logprob += math_log(d->p);
	t->distinct += (*word & bit) == 0;
	*word |= bit;
}

/* The n-th part of a sum, or nothing of none. */
static double
mean(double sum, uint64_t n)
{
	return n > 0 ? sum / (double)n : 0;
}

bool
tally_write(struct buffer *b, const struct tally *t, char *const *lines,
    const struct expect *expect, size_t n, struct error *err)
{
	static const char heading[] = "setting\trows\tagreement\tentropy\t"
	                              "kept\tdistinct\tlogprob\toptions\n";
	struct text text = {.cap = SIZE_MAX};
	char agreement[32] = "-";
	bool good;

	text_add(&text, heading, strlen(heading));
	for (size_t i = 0; i < n; i++, t++) {
		if (expect != NULL)
			snprintf(agreement, sizeof(agreement), "%.6f",
			    mean((double)expect[i].agreed, expect[i].compared));
		text_print(&text,
		    "%zu\t%" PRIu64 "\t%s\t%.6f\t%.3f\t%" PRIu64 "\t%.6f\t",
		    i + 1, t->rows, agreement, mean(t->entropy, t->rows),
		    mean(t->kept, t->rows), t->distinct,
		    mean(t->logprob, t->rows));
		text_add(&text, lines[i], strlen(lines[i]));
		text_add(&text, "\n", 1);
	}
	good = text.lost
	    ? error_system(err, ENOMEM, "a summary of %zu settings", n)
	    : buffer_add(b, text.bytes, text.size, err);
	free(text.bytes);
	return good;
}
