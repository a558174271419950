/* SPDX-License-Identifier: MIT */
/* The operands as one stream of bytes, compression taken off. */
#if !defined(_FILE_OFFSET_BITS) && !defined(__LP64__)
#define _FILE_OFFSET_BITS 64 /* files above 2 GiB on 32 bits */
#endif
#include "source.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "reader.h"
#include "zstd.h"

struct source {
	char *const *names;
	size_t count, next;
	enum input_format format;
	int max_window;
	const struct before_read *before;
	size_t threads, unit; /* to read ahead with; 0 and 0: not at all */
	bool open;
	bool lent;                            /* the descriptor is another's */
	struct bytes bytes;                   /* of the file being read */
	uint64_t finished;                    /* bytes of those before it */
	struct reader *reader;                /* NULL unless it is read ahead */
	struct unzstd *unzstd;                /* NULL while it is raw */
	unsigned char head[FRAME_MAGIC_SIZE]; /* read ahead, raw */
	size_t head_start, head_end;
};

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
	s->max_window = max_window;
	s->before = before;
	s->bytes.name = "the input";
	return s;
}

struct source *
source_of(int fd, const char *name, const struct before_read *before,
    struct error *err)
{
	struct source *s = source_new(NULL, 0, INPUT_RAW, 0, before, err);

	if (s == NULL)
		return NULL;
	s->bytes = (struct bytes){.fd = fd, .name = name, .before = before};
	s->open = s->lent = true;
	return s;
}

static void
close_file(struct source *s)
{
	reader_free(s->reader);
	unzstd_free(s->unzstd);
	s->reader = NULL;
	s->unzstd = NULL;
	if (s->open && !s->lent)
		bytes_close(&s->bytes);
	s->open = false;
	s->finished += s->bytes.offset;
	s->bytes.offset = 0;
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
source_read_ahead(struct source *s, size_t threads, size_t unit)
{
	s->threads = threads;
	s->unit = unit;
}

const char *
source_name(const struct source *s)
{
	return s->bytes.name;
}

uint64_t
source_offset(const struct source *s)
{
	return s->finished +
	    (s->reader != NULL ? reader_offset(s->reader) : s->bytes.offset);
}

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
	return st.st_size > at && at >= 0 ? (uint64_t)(st.st_size - at) : 0;
}

uint64_t
source_size(const struct source *s)
{
	uint64_t sum = 0, size;

	for (size_t i = 0; i < s->count; i++) {
		size = size_of(s->names[i]);
		if (size == 0 || sum > UINT64_MAX - size)
			return 0;
		sum += size;
	}
	return sum;
}

/* Read the bytes that tell formats apart. */
static bool
read_head(struct source *s, struct error *err)
{
	size_t got = 1;

	s->head_start = s->head_end = 0;
	while (got > 0 && s->head_end < sizeof(s->head)) {
		if (!bytes_read(&s->bytes, s->head + s->head_end,
		        sizeof(s->head) - s->head_end, &got, err))
			return false;
		s->head_end += got;
	}
	return true;
}

static bool
open_next(struct source *s, struct error *err)
{
	bool zstd = s->format == INPUT_ZSTD;

	/* Opening a FIFO waits for its writer: no descriptor to ask yet. */
	if (s->before != NULL && !s->before->call(s->before->context, -1, err))
		return false;
	if (!bytes_open(&s->bytes, s->names[s->next++], s->before, err))
		return false;
	s->open = true;
	if (!read_head(s, err))
		return false;
	if (s->format == INPUT_AUTO)
		zstd = frame_magic(s->head, s->head_end);
	message_note("%s: %s", s->bytes.name,
	    s->head_end == 0 ? "empty"
	        : zstd       ? "zstd"
	                     : "raw rows");
	if (s->threads > 1 && bytes_are_at_hand(&s->bytes, READER_LEAST)) {
		s->reader = reader_new(
		    &s->bytes, zstd, s->max_window, s->threads, s->unit, err);
		return s->reader != NULL;
	}
	if (!zstd)
		return true;
	s->unzstd = unzstd_new(
	    &s->bytes, s->head, s->head_end, s->max_window, err);
	return s->unzstd != NULL;
}

/* Read from the open file. */
static bool
read_file(struct source *s, void *to, size_t n, size_t *got, struct error *err)
{
	size_t ahead = s->head_end - s->head_start;
	const unsigned char *bytes;

	if (s->reader != NULL) {
		if (!reader_look(s->reader, &bytes, got, err))
			return false;
		*got = n < *got ? n : *got;
		if (*got > 0)
			memcpy(to, bytes, *got);
		reader_pass(s->reader, *got);
		return true;
	}
	if (s->unzstd != NULL)
		return unzstd_read(s->unzstd, to, n, got, err);
	if (ahead == 0)
		return bytes_read(&s->bytes, to, n, got, err);
	*got = n < ahead ? n : ahead;
	memcpy(to, s->head + s->head_start, *got);
	s->head_start += *got;
	return true;
}

bool
source_read(
    struct source *s, void *to, size_t n, size_t *got, struct error *err)
{
	for (;;) {
		if (!s->open) {
			*got = 0;
			if (s->next == s->count)
				return true;
			if (!open_next(s, err))
				return false;
		}
		if (!read_file(s, to, n, got, err))
			return false;
		if (*got > 0)
			return true;
		close_file(s);
	}
}

bool
source_lends(const struct source *s)
{
	return s->reader != NULL;
}

bool
source_borrow(
    struct source *s, size_t n, const unsigned char **bytes, struct error *err)
{
	size_t there;

	*bytes = NULL;
	if (!s->open && s->next < s->count && !open_next(s, err))
		return false;
	if (s->reader == NULL)
		return true;
	if (!reader_look(s->reader, bytes, &there, err))
		return false;
	if (there >= n)
		reader_pass(s->reader, n);
	else
		*bytes = NULL;
	return true;
}
