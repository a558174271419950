/* SPDX-License-Identifier: MIT */
/* Decisions in the format that was asked for. */
#ifndef TOKPICK_SINK_H
#define TOKPICK_SINK_H

#include "../sampler/sampler.h"
#include "../vocab/pieces.h"
#include "buffer.h"
#include "terminal.h"

enum output_format {
	OUTPUT_IDS,
	OUTPUT_I32,
	OUTPUT_TEXT,
	OUTPUT_JSONL,
	OUTPUT_TABLE,
};

/* The names that --output takes, in the order of the enum, NULL last. */
extern const char *const output_names[];

/* Candidates in tables and under --inspect unless --top says otherwise. */
enum { TOP_SHOWN = 20 };

struct sink {
	enum output_format format;
	const struct pieces *pieces; /* needed by OUTPUT_TEXT, may be NULL */
	size_t top; /* candidates to show in JSON lines and tables */
	struct buffer *buffer;
	struct terminal terminal; /* what tables are drawn for */
	bool sequences;           /* say which one a row is of */
	bool settings;            /* say which one of a sweep it is */
};

/* What there is to say of one row. */
struct shown {
	const struct row *row;
	struct sampler *const *samplers; /* one, or one a temperature */
	const struct temp *temps;        /* [n_samplers] */
	size_t n_samplers;
	const struct decision *drawn; /* [draws], from the first sampler */
	size_t draws;                 /* 0: the row is only looked at */
	uint64_t prefix;              /* ids in the context before the draw */
};

/*
 * Add a row to the buffer, with what n settings drew from it: a line with the
 * ids drawn, the ids as little-endian 32-bit integers, the bytes of the piece,
 * or a trace for each.  Lines and traces alone can be of several settings.
 */
bool sink_write(
    const struct sink *, const struct shown *, size_t n, struct error *);

#endif
