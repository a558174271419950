/* SPDX-License-Identifier: MIT */
/* What an unknown option may have been meant to be. */
#ifndef TOKPICK_SUGGEST_H
#define TOKPICK_SUGGEST_H

#include "../message.h"

/*
 * Fill a usage error for an option that getopt_long refused, as it stands
 * on the command line: "--tmep=1", "-z" or an ambiguous beginning.
 */
bool suggest_option(const char *argument, int letter, struct error *);

#endif
