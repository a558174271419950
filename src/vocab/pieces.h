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

/*
 * The byte that an escape stands for, which begins behind its backslash and
 * before end; returns the escape's length there, 0 if it is none.
 */
size_t pieces_unescape(const char *from, const char *end, char *to);

size_t pieces_count(const struct pieces *);

/* The n bytes of a piece, which the pieces own.  False if there is none. */
bool pieces_get(
    const struct pieces *, uint32_t id, const char **bytes, size_t *n);

#endif
