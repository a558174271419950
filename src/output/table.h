/* SPDX-License-Identifier: MIT */
/* A table for people: the likeliest candidates of a row. */
#ifndef TOKPICK_TABLE_OUT_H
#define TOKPICK_TABLE_OUT_H

#include "sink.h"

/* Add a row's table and an empty line; tokpick(1) shows one. */
bool table_write(const struct sink *, const struct shown *, struct error *);

#endif
