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

/* An empty list; NULL and err on failure. */
struct pieces *pieces_new(struct error *);

/*
 * Add the piece of the next id.  One that is silent prints nothing in a text;
 * to all others it is its bytes.
 */
bool pieces_add(
    struct pieces *, const void *bytes, size_t n, bool silent, struct error *);

void pieces_free(struct pieces *);

/*
 * The byte that an escape stands for, which begins behind its backslash and
 * before end; returns the escape's length there, 0 if it is none.
 */
size_t pieces_unescape(const char *from, const char *end, char *to);

size_t pieces_count(const struct pieces *);

bool pieces_is_silent(const struct pieces *, uint32_t id);

/* The n bytes of a piece, which the pieces own.  False if there is none. */
bool pieces_get(
    const struct pieces *, uint32_t id, const char **bytes, size_t *n);

#endif
