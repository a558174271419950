/* SPDX-License-Identifier: MIT */
/* Token pieces: the bytes that each id stands for. */
#ifndef TOKPICK_PIECES_H
#define TOKPICK_PIECES_H

#include <stddef.h>
#include <stdint.h>

#include "../message.h"

struct pieces;

/*
 * Read a list of pieces, one a line, the line's number from 0 being the id;
 * escapes \\ \n \r \t \xNN.  NULL and err on failure, with the line.
 */
struct pieces *pieces_read(const char *file, struct error *);
void pieces_free(struct pieces *);

size_t pieces_count(const struct pieces *);

/* The n bytes of a piece, which the pieces own.  False if there is none. */
bool pieces_get(
    const struct pieces *, uint32_t id, const char **bytes, size_t *n);

#endif
