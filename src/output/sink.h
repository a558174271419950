/* SPDX-License-Identifier: MIT */
/* Decisions in the format that was asked for. */
#ifndef TOKPICK_SINK_H
#define TOKPICK_SINK_H

#include "../sampler/sampler.h"
#include "../vocab/pieces.h"
#include "buffer.h"

enum output_format { OUTPUT_IDS, OUTPUT_I32, OUTPUT_TEXT };

/* The names that --output takes, in the order of the enum, NULL last. */
extern const char *const output_names[];

struct sink {
	enum output_format format;
	const struct pieces *pieces; /* needed by OUTPUT_TEXT */
	struct buffer *buffer;
};

/*
 * Add what was drawn from a row to the buffer: a line with the id, the id
 * as a little-endian 32-bit integer, or the bytes of its piece.
 */
bool sink_write(const struct sink *, const struct row *,
    const struct decision *, struct error *);

#endif
