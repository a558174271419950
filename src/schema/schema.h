/* SPDX-License-Identifier: MIT */
/* JSON Schema, turned into a grammar. */
#ifndef TOKPICK_SCHEMA_H
#define TOKPICK_SCHEMA_H

#include <stddef.h>

#include "../message.h"

/*
 * A grammar in GBNF, whose rule is "root", of JSON texts that the schema
 * accepts: NUL-terminated, the caller's to free.  where begins messages; a
 * place in the schema follows, as in "#/properties/date".  NULL and err on
 * failure.
 *
 * Whatever the grammar matches is valid; not all that is valid is matched:
 * - Objects have their properties in the schema's order, and others only
 *   where additionalProperties is there to allow them, or no properties are
 *   named; an array with a prefix has no items behind it that items, or
 *   additionalItems, don't describe.
 * - One blank may stand behind a comma and behind a colon, none elsewhere.
 * - Numbers are short enough for a double to hold them apart, unless a bound
 *   is longer; texts of enum and const are written in one way.
 * - Without type, the keywords that are there tell which types are meant.
 * Keywords that are unknown, say nothing of any type the schema allows, or
 * stand beside one that decides all ($ref, anyOf, oneOf, allOf; enum and
 * const except for simple bounds), are refused.  Only what is reached from
 * the root is looked at: a definition that nothing refers to may be anything.
 */
char *schema_to_gbnf(
    const char *text, size_t size, const char *where, struct error *);

#endif
