/* SPDX-License-Identifier: MIT */
/* What the operands are, in place of a run: --info. */
#include "always.h"
#include "output/info.h"
#include "run.h"

/*
 * Pass over all there is to read of a file: that is quick where nothing has
 * to be unpacked, and tells whether it is whole.
 */
static bool
count(struct source *s, struct info *i, struct error *err)
{
	uint64_t left, there;
	size_t row = dtype_row_size(i->dtype, i->vocab);
	bool good = source_skip(s, UINT64_MAX, &left, err);

	there = UINT64_MAX - left;
	i->has_rows = i->vocab > 0;
	if (i->has_rows)
		i->rows = there / row;
	/* Behind a tensor there may be others, which are not looked at. */
	if (!i->has_unpacked && (i->head.format == NULL || i->head.closed)) {
		i->has_unpacked = true;
		i->unpacked = i->head.start + there;
	}
	return good;
}

static bool
look(struct options *o, struct source *s, struct info *i, struct error *err)
{
	if (!source_open(s, err))
		return false;
	i->file = source_name(s);
	i->head = *source_head(s);
	i->head.recording = (struct recording){0};
	i->packed = source_is_packed(s);
	i->vocab = i->head.format != NULL ? i->head.vocab : (size_t)o->vocab;
	i->dtype = i->head.format != NULL ? i->head.dtype
	                                  : (enum dtype)o->dtype;
	i->has_size = source_file_size(s, &i->size);
	i->has_unpacked = i->has_size && !i->packed;
	i->unpacked = i->size;
	return true;
}

/* What could be found out is written even if something is wrong. */
static bool
print_file(struct run *r, struct error *err)
{
	struct options *o = &r->options;
	struct info info = {0};
	struct error late;
	bool good, written;

	if (!look(o, r->source, &info, err))
		return false;
	good = count(r->source, &info, err);
	if (o->output == OUTPUT_JSONL)
		written = info_write_json(&r->out, &info, &late);
	else
		written = info_write(&r->out, &info, &late);
	/* What is told of one file fits the buffer, emptied before its read. */
	if (NEVER(!written))
		*err = late;
	good &= written;
	return good;
}

bool
run_info(struct run *r, struct error *err)
{
	struct options *o = &r->options;
	bool good = true;

	r->before_read = (struct before_read){run_before_read, r};
	for (size_t i = 0; good && i < o->n_files; i++) {
		if (!run_open_operands(r, &o->files[i], 1, err))
			return false;
		good = print_file(r, err);
		source_free(r->source);
		r->source = NULL;
	}
	return good;
}
