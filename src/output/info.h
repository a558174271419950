/* SPDX-License-Identifier: MIT */
/* What a file of rows is, for people or as JSON. */
#ifndef TOKPICK_INFO_H
#define TOKPICK_INFO_H

#include "../input/head.h"
#include "buffer.h"

struct info {
	const char *file;
	struct head head; /* its recording left out */
	bool packed;      /* by zstd */
	size_t vocab;     /* 0: nothing tells */
	enum dtype dtype;
	bool has_size;
	uint64_t size; /* of the file as it is */
	bool has_unpacked;
	uint64_t unpacked; /* compression off */
	bool has_rows;
	uint64_t rows; /* that are there, whole */
};

/* A line for each thing that there is to say. */
bool info_write(struct buffer *, const struct info *, struct error *);

/* The same as one JSON object, on a line; null is what is not known. */
bool info_write_json(struct buffer *, const struct info *, struct error *);

#endif
