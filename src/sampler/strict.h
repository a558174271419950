/* SPDX-License-Identifier: MIT */
/*
 * The textbook sampler in float64; tokpick(1), "strict" is the source of
 * every rule.
 */
#ifndef TOKPICK_STRICT_H
#define TOKPICK_STRICT_H

#include "policy.h"
#include "row.h"

struct strict {
	const struct sampling *settings;
	size_t vocab;
	size_t k;         /* to retain, of the ids that a mask allows */
	size_t retained;  /* ids retained of this row, best first in ranked */
	size_t listed;    /* ids that ranked holds, in rank order */
	uint32_t *ranked; /* [V] */
	double *p;        /* [V] by id, exactly 0 where not retained */
};

/* As chain_open(); show: how many ids to rank at least. */
bool strict_open(struct strict *, const struct sampling *settings, size_t vocab,
    struct error *);
void strict_close(struct strict *);

/*
 * Validate a row, then the temperature and k, then rank at least `show` ids
 * and give the best k their probabilities.
 */
bool strict_weigh(
    struct strict *, const struct row *, size_t show, struct error *);

/*
 * The weight of rule 3 for any id of the row last weighed, retained or not;
 * greedy goes by a temperature of 1.
 */
double strict_weight(const struct strict *, const double *logits, size_t id);

/*
 * Walk in id order to the id that unit falls on; the ids of probability 0
 * have no part of [0, 1).
 */
uint32_t strict_draw(const struct strict *, double unit, struct interval *);

#endif
