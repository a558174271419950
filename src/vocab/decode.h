/* SPDX-License-Identifier: MIT */
/* From the texts of a model file's tokens to the bytes they stand for. */
#ifndef TOKPICK_DECODE_H
#define TOKPICK_DECODE_H

#include "gguf.h"

/*
 * The pieces of a model that has tokens; tokpick(1), "Model files", has the
 * rules of each tokenizer.  NULL and err on failure.
 */
struct pieces *decode_pieces(const struct gguf *, struct error *);

#endif
