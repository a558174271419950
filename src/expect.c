/* SPDX-License-Identifier: MIT */
/* Draws compared with recorded ids, as cmp compares files. */
#include "expect.h"

#include <inttypes.h>
#include <stdio.h>

#include "output/trace.h"

static void
describe(struct expect *e, const struct row *row, const struct sampler *s,
    const struct decision *drawn, uint32_t recorded)
{
	char unit[48] = "no random number";
	int used;

	if (drawn->random)
		snprintf(
		    unit, sizeof(unit), "the random number %.9g", drawn->unit);
	used = snprintf(e->first, sizeof(e->first),
	    "row %" PRIu64 ": drew %" PRIu32 " (p %.6g, rank %" PRIu64
	    ") by %s, recorded is %" PRIu32,
	    row->number, drawn->id, drawn->p, trace_rank(row, drawn->id), unit,
	    recorded);
	if (recorded < row->size)
		snprintf(e->first + used, sizeof(e->first) - (size_t)used,
		    " (p %.6g, rank %" PRIu64 ")", trace_p(s, recorded),
		    trace_rank(row, recorded));
	else
		snprintf(e->first + used, sizeof(e->first) - (size_t)used,
		    " (outside the vocabulary)");
}

void
expect_row(struct expect *e, const struct row *row, const struct sampler *s,
    const struct decision *drawn, uint32_t recorded)
{
	e->compared++;
	if (recorded == drawn->id)
		e->agreed++;
	else if (e->first[0] == '\0')
		describe(e, row, s, drawn, recorded);
}

bool
expect_verdict(const struct expect *e, const char *file, size_t recorded,
    uint64_t rows, bool stopped, struct error *err)
{
	if (e->first[0] != '\0')
		return error_set(err, STATUS_FAILED,
		    "--expect: %s; %" PRIu64 " of %" PRIu64 " agree", e->first,
		    e->agreed, e->compared);
	if (rows > recorded || (rows < recorded && !stopped))
		return error_set(err, STATUS_FAILED,
		    "--expect: %s has %zu ids and there were %" PRIu64
		    " rows; the %" PRIu64 " compared agree",
		    file, recorded, rows, e->compared);
	message_note("--expect: all %" PRIu64 " agree", e->agreed);
	return true;
}
