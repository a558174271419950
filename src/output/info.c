/* SPDX-License-Identifier: MIT */
/* What a file of rows is, for people or as JSON. */
#include "info.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "excerpt.h"
#include "json.h"
#include "pen.h"

/* Where the values stand. */
enum { COLUMN = 16, EXCERPT_WIDTH = 80 };

static const char *
format_name(const struct info *i)
{
	return i->head.format != NULL ? i->head.format->name : "raw";
}

/* How many there are, 0 where that is not known. */
static uint64_t
sequences(const struct head *h)
{
	return h->steps > 0 ? h->rows / h->steps : 0;
}

static void
put(struct pen *p, const char *what, const char *text)
{
	pen_left(p, what, COLUMN);
	pen_left(p, text, 0);
	pen_line(p);
}

static void
put_count(
    struct pen *p, const char *what, bool known, uint64_t n, const char *unit)
{
	char text[64];

	snprintf(text, sizeof(text), "%" PRIu64 "%s", n, unit);
	put(p, what, known ? text : "not known");
}

/* A name may hold anything: quoted. */
static void
put_file(struct pen *p, const struct info *i)
{
	struct excerpt e;

	excerpt_make(
	    &e, i->file, strlen(i->file), EXCERPT_WIDTH, p->terminal.unicode);
	pen_left(p, "file", COLUMN);
	pen_text(p, e.text, e.size, e.columns);
	pen_line(p);
}

static void
put_format(struct pen *p, const struct info *i)
{
	char text[64], version[16] = "";

	if (i->head.version > 0)
		snprintf(version, sizeof(version), " %u.0", i->head.version);
	snprintf(text, sizeof(text), "%s%s%s", format_name(i), version,
	    i->packed ? " in zstd" : "");
	put(p, "format", text);
}

bool
info_write(struct buffer *b, const struct info *i, struct error *err)
{
	const struct head *h = &i->head;
	struct pen p;

	pen_begin(&p, b, terminal_look(b->fd), err);
	put_file(&p, i);
	put_format(&p, i);
	put(&p, "type", dtype_name(i->dtype));
	put_count(&p, "vocabulary", i->vocab > 0, i->vocab, "");
	put_count(&p, "rows", i->has_rows, i->rows, "");
	if (h->format != NULL && i->rows < h->rows)
		put_count(&p, "rows missing", true, h->rows - i->rows, "");
	put_count(&p, "sequences", h->steps > 0, sequences(h), "");
	if (h->steps > 0)
		put_count(&p, "rows of each", true, h->steps, "");
	put_count(&p, "size", i->has_size, i->size, " bytes");
	put_count(&p, "unpacked size", i->has_unpacked, i->unpacked, " bytes");
	return pen_end(&p);
}

static void
json_known(struct json *j, const char *key, bool known, uint64_t n)
{
	if (known)
		json_unsigned(j, key, n);
	else
		json_null(j, key);
}

bool
info_write_json(struct buffer *b, const struct info *i, struct error *err)
{
	const struct head *h = &i->head;
	struct json j;

	json_begin(&j, b, err);
	json_open(&j, NULL, '{');
	json_string(&j, "file", i->file);
	json_string(&j, "format", format_name(i));
	json_known(&j, "version", h->version > 0, h->version);
	json_bool(&j, "zstd", i->packed);
	json_string(&j, "type", dtype_name(i->dtype));
	json_known(&j, "vocab", i->vocab > 0, i->vocab);
	json_known(&j, "rows", i->has_rows, i->rows);
	json_known(&j, "rows_missing", h->format != NULL, h->rows - i->rows);
	json_known(&j, "sequences", h->steps > 0, sequences(h));
	json_known(&j, "rows_of_each", h->steps > 0, h->steps);
	json_known(&j, "size", i->has_size, i->size);
	json_known(&j, "unpacked_size", i->has_unpacked, i->unpacked);
	json_close(&j, '}');
	return json_end(&j);
}
