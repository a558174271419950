/* SPDX-License-Identifier: MIT */
/* The operands as one stream of rows' bytes, all else taken off. */
#if !defined(_FILE_OFFSET_BITS) && !defined(__LP64__)
#define _FILE_OFFSET_BITS 64 /* files above 2 GiB on 32 bits */
#endif
#include "source.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file.h"

struct source {
	char *const *names;
	size_t count, next;
	enum input_format format;
	struct file_way way;
	struct head_choice choice;
	size_t vocab; /* of rows, and … */
	enum dtype dtype;
	struct file file;
	struct head head;
	uint64_t passed;   /* of its rows' bytes */
	uint64_t size;     /* of all files, 0: not known */
	uint64_t finished; /* bytes of the files before this one */
};

/* The bytes of a file from here on, 0 if that can't be known. */
static uint64_t
size_of(const char *name)
{
	bool is_stdin = strcmp(name, "-") == 0;
	struct stat st;
	off_t at = 0;

	if ((is_stdin ? fstat(STDIN_FILENO, &st) : stat(name, &st)) != 0 ||
	    !S_ISREG(st.st_mode))
		return 0;
	if (is_stdin)
		at = lseek(STDIN_FILENO, 0, SEEK_CUR);
	return st.st_size > at ? (uint64_t)(st.st_size - at) : 0;
}

static uint64_t
size_of_all(char *const *names, size_t count)
{
	uint64_t sum = 0, size;

	for (size_t i = 0; i < count; i++) {
		size = size_of(names[i]);
		if (size == 0 || sum > UINT64_MAX - size)
			return 0;
		sum += size;
	}
	return sum;
}

struct source *
source_new(char *const *names, size_t count, enum input_format format,
    int max_window, const struct before_read *before, struct error *err)
{
	struct source *s = calloc(1, sizeof(*s));

	if (s == NULL) {
		error_system(err, ENOMEM, "the input");
		return NULL;
	}
	s->names = names;
	s->count = count;
	s->format = format;
	s->size = size_of_all(names, count);
	s->way = (struct file_way){.zstd = format == INPUT_ZSTD,
	    .raw = format == INPUT_RAW,
	    .max_window = max_window,
	    .before = before};
	s->file.bytes.name = "the input";
	return s;
}

struct source *
source_of(int fd, const char *name, const struct before_read *before,
    struct error *err)
{
	struct source *s = source_new(NULL, 0, INPUT_RAW, 0, before, err);

	if (s != NULL)
		file_of(&s->file, fd, name, &s->way);
	return s;
}

static void
close_file(struct source *s)
{
	s->finished += file_offset(&s->file);
	file_close(&s->file);
	head_free(&s->head);
	s->passed = 0;
}

void
source_free(struct source *s)
{
	if (s == NULL)
		return;
	close_file(s);
	free(s);
}

void
source_choose(struct source *s, const struct head_choice *choice)
{
	s->choice = *choice;
}

void
source_expect(struct source *s, size_t vocab, enum dtype dtype)
{
	s->vocab = vocab;
	s->dtype = dtype;
}

void
source_read_ahead(struct source *s, size_t threads, size_t unit)
{
	s->way.threads = threads;
	s->way.unit = unit;
}

const char *
source_name(const struct source *s)
{
	return s->file.bytes.name;
}

const struct head *
source_head(const struct source *s)
{
	return &s->head;
}

uint64_t
source_passed(const struct source *s)
{
	return s->passed;
}

bool
source_is_packed(const struct source *s)
{
	return s->file.zstd;
}

bool
source_file_size(struct source *s, uint64_t *n)
{
	return file_size(&s->file, n);
}

uint64_t
source_size(const struct source *s)
{
	return s->size;
}

uint64_t
source_offset(const struct source *s)
{
	return s->finished + file_offset(&s->file);
}

/* Which format has it?  No more is waited for than it takes to tell. */
static bool
tell_format(struct source *s, struct error *err)
{
	struct file *f = &s->file;
	size_t before, want = 1;

	for (;;) {
		if (f->end > 0)
			s->head.format = head_tell(f->peeked, f->end, &want);
		if (s->head.format != NULL || want <= f->end)
			return true;
		before = f->end;
		if (!file_peek(f, want, err))
			return false;
		if (f->end == before)
			return true;
	}
}

static bool
ends_early(const struct source *s, size_t want, struct error *err)
{
	return error_set(err, STATUS_FAILED,
	    "%s: the file ends after %zu bytes, and its %s header takes at "
	    "least %zu",
	    source_name(s), s->file.end, s->head.format->name, want);
}

static bool
read_head(struct source *s, struct error *err)
{
	const struct head_format *format = s->head.format;
	struct file *f = &s->file;
	size_t before, want, n;

	do {
		n = f->end;
		if (format->tell(f->peeked, n) == 0)
			return error_set(err, STATUS_FAILED,
			    "%s: this is no %s file", f->bytes.name,
			    format->name);
		if (!format->read(f->peeked, n, f->bytes.name, &s->choice,
		        &s->head, &want, err))
			return false;
		while (f->end < want) {
			before = f->end;
			if (!file_peek(f, want, err))
				return false;
			if (f->end == before)
				return ends_early(s, want, err);
		}
	} while (n < want);
	file_skip(f, s->head.start);
	return true;
}

/* Rows of one stream are all of one kind. */
static bool
check_kind(const struct source *s, struct error *err)
{
	const struct head *h = &s->head;

	if (s->vocab == 0 || (h->vocab == s->vocab && h->dtype == s->dtype))
		return true;
	return error_set(err, STATUS_FAILED,
	    "%s: rows of %zu values, %s, where %zu, %s, are read",
	    source_name(s), h->vocab, dtype_name(h->dtype), s->vocab,
	    dtype_name(s->dtype));
}

/* The format that --input names; NULL: none. */
static const struct head_format *
format_of(enum input_format format)
{
	switch (format) {
	case INPUT_NPY:
		return &head_npy;
	case INPUT_SAFETENSORS:
		return &head_safetensors;
	case INPUT_LOGITS:
		return &head_logits;
	default:
		return NULL;
	}
}

bool
source_open(struct source *s, struct error *err)
{
	const struct before_read *before = s->way.before;

	if (s->file.open || s->next == s->count)
		return true;
	/* Opening a FIFO waits for its writer: no descriptor to ask yet. */
	if (before != NULL && !before->call(before->context, -1, err))
		return false;
	if (!file_open(&s->file, s->names[s->next++], &s->way, err))
		return false;
	s->head.format = format_of(s->format);
	if (s->format == INPUT_AUTO && !tell_format(s, err))
		return false;
	message_note("%s: %s%s", source_name(s),
	    s->head.format != NULL ? s->head.format->name : "raw rows",
	    s->file.zstd ? " in zstd" : "");
	return s->head.format == NULL ||
	    (read_head(s, err) && check_kind(s, err));
}

/* The file has ended before the rows of which its head tells. */
static bool
cut_off(const struct source *s, struct error *err)
{
	const struct head *h = &s->head;
	uint64_t there = s->passed / h->row_size;

	return error_set(err, STATUS_FAILED,
	    "%s: the file is cut off: it tells of %" PRIu64
	    " rows, and %" PRIu64 " of them %s missing",
	    source_name(s), h->rows, h->rows - there,
	    h->rows - there == 1 ? "is" : "are");
}

/* What follows is not ours, but damage to what is packed shows at its end. */
static bool
drain(struct source *s, struct error *err)
{
	unsigned char passed[4096];
	size_t got;

	do
		if (!file_read(&s->file, passed, sizeof(passed), &got, err))
			return false;
	while (got > 0);
	return true;
}

/* All rows were read. */
static bool
check_closed(struct source *s, struct error *err)
{
	unsigned char byte;
	size_t got;

	if (!s->head.closed)
		return !s->file.zstd || drain(s, err);
	if (!file_read(&s->file, &byte, 1, &got, err))
		return false;
	if (got == 0)
		return true;
	return error_set(err, STATUS_FAILED,
	    "%s: something follows the %" PRIu64
	    " rows of which the file tells",
	    source_name(s), s->head.rows);
}

/* How many of n bytes the open file may have, by its head. */
static size_t
at_most(const struct source *s, size_t n)
{
	uint64_t left = s->head.size - s->passed;

	return s->head.format != NULL && left < n ? (size_t)left : n;
}

bool
source_read(
    struct source *s, void *to, size_t n, size_t *got, struct error *err)
{
	size_t most;

	for (;;) {
		*got = 0;
		if (!s->file.open && s->next == s->count)
			return true;
		if (!source_open(s, err))
			return false;
		most = at_most(s, n);
		if (most > 0 && !file_read(&s->file, to, most, got, err))
			return false;
		s->passed += *got;
		if (*got > 0)
			return true;
		if (s->head.format != NULL &&
		    !(most > 0 ? cut_off(s, err) : check_closed(s, err)))
			return false;
		close_file(s);
	}
}

bool
source_lends(const struct source *s)
{
	return s->file.reader != NULL;
}

bool
source_borrow(
    struct source *s, size_t n, const unsigned char **bytes, struct error *err)
{
	*bytes = NULL;
	if (!source_open(s, err))
		return false;
	if (!s->file.open || at_most(s, n) < n)
		return true;
	if (!file_borrow(&s->file, n, bytes, err))
		return false;
	if (*bytes != NULL)
		s->passed += n;
	return true;
}

/* Pass over what costs nothing to be passed over, up to n bytes. */
static size_t
leap(struct source *s, uint64_t n)
{
	const size_t most = SIZE_MAX / 2;
	uint64_t there;

	if (!file_has(&s->file, &there))
		return 0;
	n = n < there ? n : there;
	n = at_most(s, n < most ? (size_t)n : most);
	file_skip(&s->file, n);
	s->passed += n;
	return (size_t)n;
}

bool
source_skip(struct source *s, uint64_t n, uint64_t *left, struct error *err)
{
	unsigned char bytes[16 * 1024];
	size_t got;

	for (*left = n; *left > 0; *left -= got) {
		if (!source_open(s, err))
			return false;
		got = leap(s, *left);
		if (got == 0 &&
		    !source_read(s, bytes,
		        *left < sizeof(bytes) ? (size_t)*left : sizeof(bytes),
		        &got, err))
			return false;
		if (got == 0)
			break;
	}
	return true;
}
