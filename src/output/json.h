/* SPDX-License-Identifier: MIT */
/* JSON text, a value at a time. */
#ifndef TOKPICK_JSON_H
#define TOKPICK_JSON_H

#include <stddef.h>
#include <stdint.h>

#include "buffer.h"

/*
 * A writer: opens and closes objects and arrays, sets the commas, and
 * remembers the first failure so that callers check once, at the end.
 */
struct json {
	struct buffer *buffer;
	struct error *error;
	bool failed;
	bool first; /* nothing stands before the next value */
};

void json_begin(struct json *, struct buffer *, struct error *);

/* End the line.  False if anything failed. */
bool json_end(struct json *);

/* key is NULL inside an array; bracket is '{' or '[', and its partner. */
void json_open(struct json *, const char *key, char bracket);
void json_close(struct json *, char bracket);

void json_text(struct json *, const char *key, const char *bytes, size_t n);
void json_string(struct json *, const char *key, const char *text);
void json_unsigned(struct json *, const char *key, uint64_t);
void json_signed(struct json *, const char *key, int64_t);
void json_bool(struct json *, const char *key, bool);
void json_null(struct json *, const char *key);

/* The shortest text that reads back as the same float; not finite: null. */
void json_float(struct json *, const char *key, float);
void json_double(struct json *, const char *key, double);

#endif
