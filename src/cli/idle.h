/* SPDX-License-Identifier: MIT */
/* Options given for stages that do not run. */
#ifndef TOKPICK_IDLE_H
#define TOKPICK_IDLE_H

#include "options.h"

/* Warn of each, and name what leaves its stage out.  All is settled. */
void idle_warn(const struct options *);

#endif
