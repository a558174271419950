/* SPDX-License-Identifier: MIT */
/* Numbers as decimal digits, so that no bound is ever rounded. */
#ifndef TOKPICK_DECIMAL_H
#define TOKPICK_DECIMAL_H

#include <stdbool.h>
#include <stddef.h>

enum { DECIMAL_DIGITS = 30 };

/* 0.digits times 10 to the power point. */
struct decimal {
	bool negative;
	bool whole; /* no fraction, whatever it was written like */
	bool exact; /* a double holds it apart from its neighbours */
	int point;
	size_t n; /* digits before the zeros that fill them up; 0: zero */
	char digits[DECIMAL_DIGITS];
};

/*
 * A JSON number, of less than 2^30 bytes.  False for one that not every reader
 * of JSON holds apart from its neighbours: above 30 digits, above 15 when it
 * isn't written as a plain integer, or that is 1e300 or above or less than
 * 1e-301, zero apart.
 */
bool decimal_read(struct decimal *, const char *text, size_t size);

/* Below, at or above 0 as a is below, equal to or above b. */
int decimal_compare(const struct decimal *a, const struct decimal *b);

/* An integer of so many digits, with zeros before it. */
enum { FIXED = 32 };
struct fixed {
	bool negative;
	char digits[FIXED];
};

/*
 * The least integer that is at least d times 10 to the power places, or
 * above that if beyond is set; the other way round the greatest one.
 * There are to be no more than 30 digits before the point then.
 */
void fixed_least(
    struct fixed *, const struct decimal *d, int places, bool beyond);
void fixed_most(
    struct fixed *, const struct decimal *d, int places, bool beyond);

/* 10 to the power n, less 1. */
void fixed_nines(struct fixed *, size_t n);

int fixed_compare(const struct fixed *, const struct fixed *);

#endif
