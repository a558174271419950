/* SPDX-License-Identifier: MIT */
/* JSON text, a value at a time. */
#include "json.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../utf8.h"
#include "shortest.h"

void
json_begin(struct json *j, struct buffer *buffer, struct error *err)
{
	*j = (struct json){.buffer = buffer, .error = err, .first = true};
}

static void
put(struct json *j, const char *bytes, size_t n)
{
	if (!j->failed && !buffer_add(j->buffer, bytes, n, j->error))
		j->failed = true;
}

static void
put_text(struct json *j, const char *text)
{
	put(j, text, strlen(text));
}

bool
json_end(struct json *j)
{
	put_text(j, "\n");
	return !j->failed;
}

/*
 * A quoted string.  Bytes that are not UTF-8 become U+FFFD: a reader who
 * must have them is given them beside, as numbers.
 */
static void
put_string(struct json *j, const char *bytes, size_t n)
{
	const unsigned char *at = (const unsigned char *)bytes;
	const unsigned char *end = at + n;
	char escape[8];
	size_t length;

	put_text(j, "\"");
	for (; at < end; at += length) {
		length = utf8_length(at, (size_t)(end - at));
		if (length == 0) {
			put_text(j, "\xef\xbf\xbd");
			length = 1;
		} else if (*at < 0x20 || *at == 0x7f) {
			snprintf(escape, sizeof(escape), "\\u%04x", *at);
			put_text(j, escape);
		} else {
			if (*at == '"' || *at == '\\')
				put_text(j, "\\");
			put(j, (const char *)at, length);
		}
	}
	put_text(j, "\"");
}

static void
put_key(struct json *j, const char *key)
{
	if (!j->first)
		put_text(j, ",");
	j->first = false;
	if (key == NULL)
		return;
	put_string(j, key, strlen(key));
	put_text(j, ":");
}

void
json_open(struct json *j, const char *key, char bracket)
{
	put_key(j, key);
	put(j, &bracket, 1);
	j->first = true;
}

void
json_close(struct json *j, char bracket)
{
	put(j, &bracket, 1);
	j->first = false;
}

void
json_text(struct json *j, const char *key, const char *bytes, size_t n)
{
	put_key(j, key);
	put_string(j, bytes, n);
}

void
json_string(struct json *j, const char *key, const char *text)
{
	json_text(j, key, text, strlen(text));
}

static void
put_word(struct json *j, const char *key, const char *word)
{
	put_key(j, key);
	put_text(j, word);
}

void
json_unsigned(struct json *j, const char *key, uint64_t value)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRIu64, value);
	put_word(j, key, text);
}

void
json_signed(struct json *j, const char *key, int64_t value)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRId64, value);
	put_word(j, key, text);
}

void
json_bool(struct json *j, const char *key, bool value)
{
	put_word(j, key, value ? "true" : "false");
}

void
json_null(struct json *j, const char *key)
{
	put_word(j, key, "null");
}

void
json_float(struct json *j, const char *key, float value)
{
	char text[SHORTEST];

	shortest_float(text, value);
	put_word(j, key, isfinite(value) ? text : "null");
}

void
json_double(struct json *j, const char *key, double value)
{
	char text[SHORTEST];

	shortest_double(text, value);
	put_word(j, key, isfinite(value) ? text : "null");
}
