/* SPDX-License-Identifier: MIT */
/* Sweeps: many settings, each a line of options beside the command line. */
#ifndef TOKPICK_SWEEP_H
#define TOKPICK_SWEEP_H

#include "options.h"

/* More are refused: each takes memory. */
enum { SWEEP_MOST = 1 << 20 };

/*
 * Parse the settings that --sweep or --grid name, into o->sweep: each as if
 * its line stood behind the command line, which o was parsed from.  Errors
 * tell the line.
 */
bool sweep_read(struct options *o, int argc, char **argv, struct error *);

/* Frees the settings. */
void sweep_free(struct options *);

#endif
