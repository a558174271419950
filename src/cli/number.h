/* SPDX-License-Identifier: MIT */
/* Numbers out of texts, taken whole or refused. */
#ifndef TOKPICK_NUMBER_H
#define TOKPICK_NUMBER_H

#include <stdint.h>

#include "../message.h"

/*
 * Each parses the whole of a text.  where ("--top-k", or a place in a file)
 * begins the message of a usage error, which names the value and the range
 * low..high; both 0 stand for all that the type holds.
 */
bool number_int(const char *text, double low, double high, int64_t *,
    const char *where, struct error *);

/* Rounded to float once, as strtof does; no NaN, nothing infinite. */
bool number_float(const char *text, double low, double high, float *,
    const char *where, struct error *);

/* The same as a double. */
bool number_double(
    const char *text, double *, const char *where, struct error *);

/* Texts that the two read back as the same value, as short as can be. */
enum { NUMBER_TEXT = 32 };
void number_print_float(float, char text[NUMBER_TEXT]);
void number_print_double(double, char text[NUMBER_TEXT]);

/*
 * A range A:B of numbers from 1 on, A alone being A:A.  Either end may be
 * left out: *first is 1 then, *last 0.
 */
bool number_range(const char *text, int64_t *first, int64_t *last,
    const char *where, struct error *);

/* An unsigned 64-bit number. */
bool number_seed(
    const char *text, uint64_t *, const char *where, struct error *);

#endif
