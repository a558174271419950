/* SPDX-License-Identifier: MIT */
/* What a model file says, for people. */
#ifndef TOKPICK_MODEL_OUT_H
#define TOKPICK_MODEL_OUT_H

#include "../vocab/gguf.h"
#include "buffer.h"

/* Add a line for each thing that was understood; tokpick(1) shows some. */
bool model_write(
    struct buffer *, const struct gguf *, const char *file, struct error *);

#endif
