/* SPDX-License-Identifier: MIT */
/* What part of a row's whole softmax is kept, and what part is not. */
#ifndef TOKPICK_MASS_H
#define TOKPICK_MASS_H

struct chain;
struct strict;
struct row;

/*
 * The two add up to 1.  Each is a sum of its own, so that a small one is
 * as exact as the other.  NaN if they can't be known.
 */
struct mass {
	double retained;
	double removed;
};

/*
 * After chain_run() with settings->traced.  The whole softmax is that of the
 * chain without the stages that remove candidates; it is used up.
 */
struct mass mass_of_chain(struct chain *);

/* After strict_weigh(); row is the one weighed. */
struct mass mass_of_strict(const struct strict *, const struct row *);

#endif
