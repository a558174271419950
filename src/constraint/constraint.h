/* SPDX-License-Identifier: MIT */
/* Which tokens may come next: a grammar, asked in tokens. */
#ifndef TOKPICK_CONSTRAINT_H
#define TOKPICK_CONSTRAINT_H

#include "../vocab/pieces.h"
#include "grammar.h"

struct constraint;

/*
 * Draws inside a grammar.  The ids in ends, and no others, end a text: they
 * are allowed exactly where it may end.  Ids at or past vocab, and those that
 * have no piece, are never allowed.  The grammar names no tokens but those of
 * the pieces; it, the pieces and ends must outlive the constraint.  NULL and
 * err on failure.
 */
struct constraint *constraint_new(const struct grammar *, const struct pieces *,
    const uint32_t *ends, size_t n_ends, size_t vocab, struct error *);
void constraint_free(struct constraint *);

/* A new row: the work that is done for one has a bound. */
void constraint_begin_row(struct constraint *);

/*
 * May this token come next?  False and err where memory or work pass what one
 * row may take.
 */
bool constraint_ask(
    struct constraint *, uint32_t id, bool *allowed, struct error *);

/* Ask of every id: bit id % 32 of word id / 32, [ceil(vocab / 32)]. */
bool constraint_ask_all(struct constraint *, uint32_t *words, struct error *);

/*
 * The token comes next, and all later questions are about what may follow
 * it.  It must be allowed.  After an end nothing is.
 */
bool constraint_accept(struct constraint *, uint32_t id, struct error *);

/*
 * Where it stands, as a text of printable ASCII without blanks for a saved
 * state, allocated, the caller's to free; and back.  A text that another
 * grammar gave, or a damaged one, is refused.
 */
char *constraint_print(const struct constraint *, struct error *);
bool constraint_parse(struct constraint *, const char *text, struct error *);

#endif
