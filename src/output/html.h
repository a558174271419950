/* SPDX-License-Identifier: MIT */
/* HTML text: ours as it stands, others' escaped. */
#ifndef TOKPICK_HTML_H
#define TOKPICK_HTML_H

#include <stddef.h>
#include <stdint.h>

#include "buffer.h"

/* Remembers the first failure, so that callers check once, at the end. */
struct html {
	struct buffer *buffer;
	struct error *error;
	bool failed;
};

/* Markup: what stands in the program's source, and numbers. */
void html_put(struct html *, const char *, ...) MESSAGE_FORMAT(2, 3);
void html_lines(struct html *, const char *const lines[]); /* NULL last */

/*
 * Text from anywhere, safe as content and in a quoted attribute: what markup
 * is made of is escaped; control characters other than newline and tab, and
 * bytes that are not UTF-8, are \xNN.
 */
void html_text(struct html *, const char *bytes, size_t n);

/* A number, from 0 on, for people: whole if it is, else of three digits. */
void html_number(struct html *, double);

#endif
