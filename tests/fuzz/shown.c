/* SPDX-License-Identifier: MIT */
/*
 * Any bytes as a piece that is shown: nothing that moves things about comes to
 * a terminal, no markup to a page, and JSON gives the text back.
 */
#include "../../src/output/excerpt.h"
#include "../../src/output/html.h"
#include "../../src/output/json.h"
#include "../../src/output/width.h"
#include "../../src/schema/json_tree.h"
#include "../../src/utf8.h"
#include "feed.h"

enum { MOST = 4096 };

/* Of a well-formed character. */
static uint32_t
character(const unsigned char *at, size_t length)
{
	uint32_t c = length == 1 ? at[0] : at[0] & (0x7fU >> length);

	for (size_t i = 1; i < length; i++)
		c = c << 6 | (at[i] & 0x3fU);
	return c;
}

/* How many columns a text takes; none of it may be unseen. */
static size_t
columns(const char *text, size_t n)
{
	const unsigned char *at = (const unsigned char *)text;
	size_t sum = 0, length;
	int width;

	for (; n > 0; at += length, n -= length) {
		length = utf8_length(at, n);
		EXPECT(length > 0, "not UTF-8: %.*s", (int)n, text);
		width = width_of(character(at, length));
		EXPECT(width >= 0, "U+%04x is not seen",
		    (unsigned)character(at, length));
		sum += (size_t)width;
	}
	return sum;
}

static void
check_excerpt(const char *bytes, size_t n, size_t width, bool unicode)
{
	struct excerpt e;

	excerpt_make(&e, bytes, n, width, unicode);
	EXPECT(e.size <= EXCERPT && e.columns <= width, "%zu columns of %zu",
	    e.columns, width);
	EXPECT(columns(e.text, e.size) == e.columns, "not %zu columns: %.*s",
	    e.columns, (int)e.size, e.text);
	for (size_t i = 0; i < e.size && !unicode; i++)
		EXPECT((unsigned char)e.text[i] < 0x80, "not ASCII");
}

/* No more than newline and tab of what controls, nothing that ends a text. */
static void
check_html(const char *bytes, size_t n)
{
	static struct buffer buffer;
	struct error err;
	struct html h = {.buffer = &buffer, .error = &err};
	unsigned char c;

	buffer_open(&buffer, -1, "page");
	html_text(&h, bytes, n);
	EXPECT(!h.failed, "%s", err.text);
	for (size_t i = 0; i < buffer.size; i++) {
		c = buffer.bytes[i];
		EXPECT(strchr("<>\"'", c) == NULL && c != 0x7f &&
		        (c >= ' ' || c == '\n' || c == '\t'),
		    "byte %d on a page", c);
	}
}

static size_t
well_formed(const char *bytes, size_t n)
{
	size_t at = 0, length;

	while (at < n) {
		length = utf8_length((const unsigned char *)bytes + at, n - at);
		if (length == 0)
			break;
		at += length;
	}
	return at;
}

/* It is JSON, and of good UTF-8 the same text comes back. */
static void
check_json(const char *bytes, size_t n)
{
	static struct buffer buffer;
	struct json json;
	struct error err;
	struct json_tree *tree;
	const struct json_node *text;

	buffer_open(&buffer, -1, "trace");
	json_begin(&json, &buffer, &err);
	json_open(&json, NULL, '{');
	json_text(&json, "piece", bytes, n);
	json_close(&json, '}');
	EXPECT(json_end(&json), "%s", err.text);
	tree = json_tree_read(
	    (const char *)buffer.bytes, buffer.size, "trace", &err);
	EXPECT(tree != NULL, "%s", err.text);
	text = json_node_named(tree->root, "piece");
	EXPECT(text != NULL && text->kind == JSON_STRING, "no text");
	if (well_formed(bytes, n) == n)
		EXPECT(text->size == n && memcmp(text->text, bytes, n) == 0,
		    "another text: %.*s", (int)text->size, text->text);
	json_tree_free(tree);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct feed f = {data, data + size};
	size_t width = 2 + feed_below(&f, 100);
	const char *bytes = (const char *)f.at;
	size_t n = (size_t)(f.end - f.at);

	n = n < MOST ? n : MOST;
	check_excerpt(bytes, n, width, true);
	check_excerpt(bytes, n, width, false);
	check_html(bytes, n);
	check_json(bytes, n);
	return 0;
}
