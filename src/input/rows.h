/* SPDX-License-Identifier: MIT */
/* Rows out of bytes. */
#ifndef TOKPICK_ROWS_H
#define TOKPICK_ROWS_H

#include "../sampler/row.h"
#include "dtype.h"
#include "source.h"

struct rows;

/*
 * Rows of vocab values of a type, out of a source that must outlive them,
 * as floats (bf16: when asked for, see row.h) or, wide, as doubles.  All
 * memory is taken here.  NULL and err on failure.
 */
struct rows *rows_new(
    struct source *, size_t vocab, enum dtype, bool wide, struct error *);
void rows_free(struct rows *);

/* Read large files ahead with so many threads, as source_read_ahead(). */
void rows_read_ahead(struct rows *, size_t threads);

/*
 * Before the first row: pass over n rows, which count.  It is an error if
 * there are less.
 */
bool rows_skip(struct rows *, uint64_t n, struct error *);

/* Number them on from so many that were read by earlier runs. */
void rows_number_from(struct rows *, uint64_t earlier);

enum rows_status { ROWS_ROW, ROWS_END, ROWS_ERROR };

/*
 * The next row; its logits last until the next call.  An input that ends
 * inside a row is an error.
 */
enum rows_status rows_next(struct rows *, struct row *, struct error *);

/* How many bytes have been read beyond the last row that was handed out. */
size_t rows_ahead(const struct rows *);

#endif
