/* SPDX-License-Identifier: MIT */
/* What traces, tables and comparisons say of a token in a row. */
#include "trace.h"

#include <stdio.h>

#include "../sampler/dmath.h"

uint64_t
trace_rank(const struct row *row, uint32_t id)
{
	double logit = row_logit(row, id), other;
	uint64_t rank = 1;

	for (size_t i = 0; i < row->size; i++) {
		other = row_logit(row, i);
		rank += other > logit || (other == logit && i < id);
	}
	return rank;
}

double
trace_p(const struct sampler *s, uint32_t id)
{
	struct listed l;

	for (size_t rank = 0; rank < sampler_kept(s); rank++) {
		l = sampler_list(s, rank);
		if (l.id == id)
			return l.p;
	}
	return 0;
}

/* p log p goes to 0 with p. */
double
trace_entropy(const struct sampler *s)
{
	double entropy = 0, p;

	for (size_t rank = 0; rank < sampler_kept(s); rank++) {
		p = sampler_list(s, rank).p;
		if (p > 0)
			entropy -= p * math_log(p);
	}
	return entropy;
}

bool
trace_piece(const struct sink *s, uint32_t id, const char **bytes, size_t *n)
{
	return s->pieces != NULL && pieces_get(s->pieces, id, bytes, n);
}

void
trace_step_name(const struct sampler *s, size_t i, char name[STEP_NAME])
{
	struct step step = sampler_step(s, i);

	if (step.time == 1)
		snprintf(name, STEP_NAME, "%s", step.name);
	else
		snprintf(name, STEP_NAME, "%s#%zu", step.name, step.time);
}

bool
trace_removal(const struct sampler *s, const struct row *row,
    const struct listed *l, char name[STEP_NAME])
{
	if (!row_allows(row, l->id))
		snprintf(name, STEP_NAME, "mask");
	else if (l->removed)
		trace_step_name(s, l->removal, name);
	else
		return false;
	return true;
}
