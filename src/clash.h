/* SPDX-License-Identifier: MIT */
/* Files that would be written over while they are still to be read. */
#ifndef TOKPICK_CLASH_H
#define TOKPICK_CLASH_H

#include "cli/options.h"

/*
 * Refuses a summary, a report or a state that would be written over a file
 * which the run reads, and any of them over another.  (A state may replace the
 * one that was loaded: it is read by then.)  Before anything is opened for
 * writing.
 */
bool clash_check(const struct options *, struct error *);

#endif
