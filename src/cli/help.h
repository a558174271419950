/* SPDX-License-Identifier: MIT */
/* What -h, --help, --version and --completions print. */
#ifndef TOKPICK_HELP_H
#define TOKPICK_HELP_H

#include "../output/buffer.h"
#include "../text.h"
#include "options.h"

#define TOKPICK_VERSION "0.1.0"

/* What these options print, whichever of them was given. */
bool help_write(struct buffer *, const struct options *, struct error *);

/* A script that makes the shell complete tokpick's options. */
void completions_print(struct text *, enum shell);

#endif
