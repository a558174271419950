/* SPDX-License-Identifier: MIT */
/* A regular file, read and unpacked ahead of its use. */
#include "reader.h"

#include <errno.h>
#include <stdlib.h>

#include "ahead.h"
#include "frames.h"
#include "zstd.h"

/*
 * Three things can be read ahead.  Raw bytes, by whoever comes; whole zstd
 * frames, likewise; and where those are not to be had, or are at fault, a
 * stream of zstd, of which each portion takes the decoder as the last one
 * left it.
 *
 * Mapping the file would save a copy; but its page faults take about as
 * long, and a file that is cut off meanwhile would end the program by SIGBUS.
 */
enum {
	PORTION_SIZE = 2 * 1024 * 1024, /* a large page; seldom to wait for */
	UNIT_MOST = 4 * 1024 * 1024, /* a row that is one portion, if larger */
	SPARE = 2, /* portions: one in use, one for who uses it to begin */
};

struct reader {
	struct bytes *file;
	int max_window;
	size_t portion_size;
	uint64_t next; /* of raw bytes: offset of the next portion */
	struct frames *frames;
	struct unzstd *unzstd;
	struct ahead *ahead;
	const struct portion *portion; /* in use */
	size_t passed;                 /* bytes of it */
};

static void
take_raw(void *context, struct portion *p)
{
	struct reader *r = context;

	p->from = r->next;
	p->to = r->next += r->portion_size;
}

static bool
reserve(struct reader *r, struct portion *p)
{
	if (portion_reserve(p, r->portion_size))
		return true;
	p->end = PORTION_FAILS;
	return error_system(&p->err, ENOMEM, "%s", r->file->name);
}

static void
make_raw(void *context, struct portion *p)
{
	struct reader *r = context;

	if (!reserve(r, p))
		return;
	if (!bytes_read_at(
	        r->file, p->from, p->bytes, r->portion_size, &p->size, &p->err))
		p->end = PORTION_FAILS;
	else if (p->size < r->portion_size)
		p->end = PORTION_ENDS;
	p->to = p->from + p->size;
}

static void
take_streamed(void *context, struct portion *p)
{
	struct reader *r = context;
	size_t got = 1;

	if (!reserve(r, p))
		return;
	for (; p->size < r->portion_size && got > 0; p->size += got)
		if (!unzstd_read(r->unzstd, p->bytes + p->size,
		        r->portion_size - p->size, &got, &p->err)) {
			p->end = PORTION_FAILS;
			break;
		}
	if (got == 0)
		p->end = PORTION_ENDS;
	p->to = r->file->offset;
}

static void
make_nothing(void *context, struct portion *p)
{
	(void)context;
	(void)p;
}

static bool
begin(struct reader *r, const struct supply *supply, size_t threads,
    struct error *err)
{
	r->ahead = ahead_new(supply, threads + SPARE, threads);
	if (r->ahead != NULL)
		return true;
	return error_system(err, ENOMEM, "%s", r->file->name);
}

static bool
begin_raw(struct reader *r, struct error *err)
{
	return begin(r, &(struct supply){r, take_raw, make_raw}, 1, err);
}

static bool
begin_frames(struct reader *r, size_t threads, struct error *err)
{
	struct supply supply;

	r->frames = frames_new(r->file, r->max_window, threads + SPARE);
	if (r->frames == NULL)
		return error_system(err, ENOMEM, "%s", r->file->name);
	supply = frames_supply(r->frames);
	return begin(r, &supply, threads, err);
}

static void
end(struct reader *r)
{
	ahead_free(r->ahead);
	frames_free(r->frames);
	r->ahead = NULL;
	r->frames = NULL;
	r->portion = NULL;
}

/* Go on from an offset as a stream. */
static bool
begin_streamed(struct reader *r, uint64_t offset, struct error *err)
{
	struct supply supply = {r, take_streamed, make_nothing};

	end(r);
	if (!bytes_go_to(r->file, offset, err))
		return false;
	r->unzstd = unzstd_new(
	    r->file, (const unsigned char *)"", 0, r->max_window, err);
	return r->unzstd != NULL && begin(r, &supply, 1, err);
}

struct reader *
reader_new(struct bytes *b, bool zstd, int max_window, size_t threads,
    size_t unit, struct error *err)
{
	struct reader *r = calloc(1, sizeof(*r));

	if (r == NULL) {
		error_system(err, ENOMEM, "%s", b->name);
		return NULL;
	}
	r->file = b;
	b->before = NULL; /* nobody waits for a file */
	r->max_window = max_window;
	r->next = b->offset;
	r->portion_size = PORTION_SIZE;
	if (unit <= PORTION_SIZE)
		r->portion_size = PORTION_SIZE / unit * unit;
	else if (unit <= UNIT_MOST)
		r->portion_size = unit;
	if (zstd ? begin_frames(r, threads - 1, err) : begin_raw(r, err))
		return r;
	reader_free(r);
	return NULL;
}

void
reader_free(struct reader *r)
{
	struct error ignored; /* nothing more is read */

	if (r == NULL)
		return;
	if (r->portion != NULL)
		bytes_go_to(r->file, r->portion->to, &ignored);
	end(r);
	unzstd_free(r->unzstd);
	free(r);
}

/* Is all of it passed, or has none been taken? */
static bool
is_done(const struct reader *r)
{
	return r->portion == NULL || r->passed == r->portion->size;
}

bool
reader_look(
    struct reader *r, const unsigned char **bytes, size_t *n, struct error *err)
{
	while (is_done(r)) {
		switch (
		    r->portion == NULL ? PORTION_GOES_ON : r->portion->end) {
		case PORTION_GOES_ON:
			r->portion = ahead_next(r->ahead);
			r->passed = 0;
			break;
		case PORTION_ENDS:
			*n = 0;
			return true;
		case PORTION_FAILS:
			*err = r->portion->err;
			return false;
		default: /* PORTION_LEAVES */
			if (!begin_streamed(r, r->portion->from, err))
				return false;
		}
	}
	*bytes = r->portion->bytes + r->passed;
	*n = r->portion->size - r->passed;
	return true;
}

void
reader_pass(struct reader *r, size_t n)
{
	r->passed += n;
}

uint64_t
reader_offset(const struct reader *r)
{
	return r->portion != NULL ? r->portion->to : 0;
}
