/* SPDX-License-Identifier: MIT */
/* What -h, --help, --version and --completions print. */
#ifndef TOKPICK_HELP_H
#define TOKPICK_HELP_H

#include "../output/buffer.h"
#include "options.h"

#define TOKPICK_VERSION "0.1.0"

/* The main options on one screen, or all of them by group. */
bool help_brief(struct buffer *, struct error *);
bool help_full(struct buffer *, struct error *);

bool help_version(struct buffer *, struct error *);

/* A script that makes the shell complete tokpick's options. */
bool completions_write(struct buffer *, enum shell, struct error *);

#endif
