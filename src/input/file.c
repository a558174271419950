/* SPDX-License-Identifier: MIT */
/* One operand: its bytes, compression taken off. */
#include "file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "reader.h"
#include "zstd.h"

/* For one byte at least; never more than twice what has really come. */
static bool
make_room(struct file *f)
{
	enum { FIRST = 256 };
	size_t room = f->room == 0 ? FIRST : 2 * f->room;
	unsigned char *larger;

	if (f->end < f->room)
		return true;
	larger = realloc(f->peeked, room);
	if (larger == NULL)
		return false;
	f->peeked = larger;
	f->room = room;
	return true;
}

/* From behind what was peeked at. */
static bool
read_on(struct file *f, void *to, size_t n, size_t *got, struct error *err)
{
	if (f->unzstd != NULL)
		return unzstd_read(f->unzstd, to, n, got, err);
	return bytes_read(&f->bytes, to, n, got, err);
}

bool
file_peek(struct file *f, size_t n, struct error *err)
{
	size_t got;

	if (!make_room(f))
		return error_system(err, ENOMEM, "%s", f->bytes.name);
	if (!read_on(f, f->peeked + f->end,
	        (n < f->room ? n : f->room) - f->end, &got, err))
		return false;
	f->end += got;
	return true;
}

/* The first bytes show whether it is zstd. */
static bool
tell_zstd(struct file *f, struct error *err)
{
	size_t before;

	do {
		before = f->end;
		if (!file_peek(f, FRAME_MAGIC_SIZE, err))
			return false;
	} while (f->end > before && f->end < FRAME_MAGIC_SIZE);
	f->zstd = f->way->zstd || frame_magic(f->peeked, f->end);
	return true;
}

bool
file_open(struct file *f, const char *name, const struct file_way *way,
    struct error *err)
{
	*f = (struct file){.way = way};
	if (!bytes_open(&f->bytes, name, way->before, err))
		return false;
	f->open = true;
	if (!way->raw && !tell_zstd(f, err))
		return false;
	if (!f->zstd)
		return true;
	f->unzstd = unzstd_new(
	    &f->bytes, f->peeked, f->end, way->max_window, err);
	f->end = 0;
	return f->unzstd != NULL;
}

void
file_of(struct file *f, int fd, const char *name, const struct file_way *way)
{
	*f = (struct file){.way = way, .open = true, .lent = true};
	f->bytes = (struct bytes){.fd = fd, .name = name};
	f->bytes.before = way->before;
}

void
file_close(struct file *f)
{
	reader_free(f->reader);
	unzstd_free(f->unzstd);
	free(f->peeked);
	f->reader = NULL;
	f->unzstd = NULL;
	f->peeked = NULL;
	f->next = f->end = f->room = 0;
	if (f->open && !f->lent)
		bytes_close(&f->bytes);
	f->open = false;
}

void
file_skip(struct file *f, uint64_t n)
{
	f->skip += n;
}

bool
file_size(struct file *f, uint64_t *n)
{
	return bytes_size(&f->bytes, n);
}

uint64_t
file_offset(const struct file *f)
{
	if (!f->open)
		return 0;
	return f->reader != NULL ? reader_offset(f->reader) : f->bytes.offset;
}

bool
file_has(struct file *f, uint64_t *n)
{
	if (f->zstd || f->begun || !file_size(f, n))
		return false;
	*n = *n > f->skip ? *n - f->skip : 0;
	return true;
}

/*
 * A regular file need not be read from its beginning on; what was peeked at
 * is read again then.
 */
static bool
go_to(struct file *f, uint64_t offset, struct error *err)
{
	unzstd_free(f->unzstd);
	f->unzstd = NULL;
	f->next = f->end = 0;
	return bytes_go_to(&f->bytes, offset, err);
}

/* Read what the file has next, however it is had. */
static bool
read_next(struct file *f, void *to, size_t n, size_t *got, struct error *err)
{
	size_t peeked = f->end - f->next;
	const unsigned char *bytes;

	if (f->reader != NULL) {
		if (!reader_look(f->reader, &bytes, got, err))
			return false;
		*got = n < *got ? n : *got;
		if (*got > 0)
			memcpy(to, bytes, *got);
		reader_pass(f->reader, *got);
		return true;
	}
	if (peeked == 0)
		return read_on(f, to, n, got, err);
	*got = n < peeked ? n : peeked;
	memcpy(to, f->peeked + f->next, *got);
	f->next += *got;
	return true;
}

static bool
pass_over(struct file *f, struct error *err)
{
	unsigned char bytes[4096];
	size_t got = 1;

	for (; f->skip > 0 && got > 0; f->skip -= got)
		if (!read_next(f, bytes,
		        f->skip < sizeof(bytes) ? (size_t)f->skip
		                                : sizeof(bytes),
		        &got, err))
			return false;
	return true;
}

/* Before the first byte is read: find out how they are best had. */
static bool
begin(struct file *f, struct error *err)
{
	const struct file_way *way = f->way;
	uint64_t size = 0, at;
	bool regular = bytes_size(&f->bytes, &size);
	bool ahead = regular && size >= READER_LEAST && way->threads > 1;

	f->begun = true;
	if (ahead || (regular && !f->zstd && f->skip > f->end)) {
		at = f->zstd ? 0 : f->skip < size ? f->skip : size;
		if (!go_to(f, at, err))
			return false;
		f->skip = f->zstd ? f->skip : 0;
	}
	if (ahead) {
		f->reader = reader_new(&f->bytes, f->zstd, way->max_window,
		    way->threads, way->unit, err);
		if (f->reader == NULL)
			return false;
	}
	return pass_over(f, err);
}

bool
file_read(struct file *f, void *to, size_t n, size_t *got, struct error *err)
{
	return (f->begun || begin(f, err)) && read_next(f, to, n, got, err);
}

bool
file_borrow(
    struct file *f, size_t n, const unsigned char **bytes, struct error *err)
{
	size_t there;

	*bytes = NULL;
	if (!f->begun && !begin(f, err))
		return false;
	if (f->reader == NULL)
		return true;
	if (!reader_look(f->reader, bytes, &there, err))
		return false;
	if (there >= n)
		reader_pass(f->reader, n);
	else
		*bytes = NULL;
	return true;
}
