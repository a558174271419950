/* SPDX-License-Identifier: MIT */
/* JSON lines: the trace of a draw, or a distribution, one object a row. */
#ifndef TOKPICK_JSONL_H
#define TOKPICK_JSONL_H

#include "sink.h"

/*
 * Add a row's object and a line end; tokpick(1) has the schema.  setting is
 * the number of the one that it is of, from 1.
 */
bool jsonl_write(
    const struct sink *, const struct shown *, size_t setting, struct error *);

#endif
