/* SPDX-License-Identifier: MIT */
/* The values of options as texts that would be parsed into the same. */
#ifndef TOKPICK_PRINT_H
#define TOKPICK_PRINT_H

#include "../pairs.h"
#include "options.h"

struct option_row;

/*
 * Add the value that an option has, under its name: one pair, one for each
 * item of a list, or none if it has no value, as where the policy does not
 * take it.  Equal values make equal texts, however they were given.
 */
bool print_value(const struct options *, const struct option_row *,
    struct pairs *, struct error *);

/* The same of all the options that a state keeps. */
bool print_settings(const struct options *, struct pairs *, struct error *);

/* What the table's rows name where the value is more than the argument. */
bool print_temps(
    const struct options *, const char *name, struct pairs *, struct error *);
bool print_biases(
    const struct options *, const char *name, struct pairs *, struct error *);
bool print_breakers(
    const struct options *, const char *name, struct pairs *, struct error *);
bool print_dry_last_n(
    const struct options *, const char *name, struct pairs *, struct error *);
bool print_samplers(
    const struct options *, const char *name, struct pairs *, struct error *);

#endif
