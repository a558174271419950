/* SPDX-License-Identifier: MIT */
/* Lists given as arguments: token ids, biases, stages. */
#ifndef TOKPICK_LISTS_H
#define TOKPICK_LISTS_H

#include "options.h"

/*
 * Add the ids in a text to the list (grown with realloc; the caller frees
 * it): numbers with blanks or commas between, or @FILE to read them from.
 */
bool lists_ids(
    const char *text, const char *option, struct ids *, struct error *);

/* The same out of a file whose name stands without @. */
bool lists_ids_file(
    const char *file, const char *option, struct ids *, struct error *);

/*
 * The biases in the texts, sorted by id, those of one id in the order
 * given: ID+B, ID-B, or @FILE with one a line.
 */
bool lists_biases(const struct texts *, struct sampling *, struct error *);

/*
 * The temperatures in a text, commas between; the caller frees the list.
 * wide: only their float64 need be finite.
 */
bool lists_temps(const char *text, bool wide, struct temps *, struct error *);

/*
 * The stages named in text, ';' between the names; NULL stands for all of
 * the policy's.  Or by their letters.
 */
bool lists_stages(const char *text, struct sampling *, struct error *);
bool lists_letters(const char *letters, struct sampling *, struct error *);

/* Add a breaker for dry: ids as lists_ids() takes them, head first. */
bool lists_breaker(const char *text, struct sampling *, struct error *);

/* Ban a token. */
bool lists_ban(struct sampling *, uint32_t id, struct error *);

#endif
