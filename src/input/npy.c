/* SPDX-License-Identifier: MIT */
/* The head of a .npy file, versions 1 to 3; tokpick(1). */
#include <inttypes.h>
#include <string.h>

#include "../little.h"
#include "head.h"

static const char magic[] = "\x93NUMPY";

enum {
	MAGIC = 6,
	VERSION = MAGIC + 2,   /* and major and minor */
	TEXT_MOST = 64 * 1024, /* the text of an array needs far less */
	DIMENSIONS_MOST = 32,  /* numpy's own limit */
};

/* The text: what Python prints of {'descr': ..., 'shape': (..)}. */
struct text {
	const char *start, *at, *end;
	size_t offset; /* of start in the file */
	const char *file;
	struct error *err;
};

static size_t
tell(const unsigned char *bytes, size_t n)
{
	return memcmp(bytes, magic, n < MAGIC ? n : MAGIC) == 0 ? MAGIC : 0;
}

static bool
fail(struct text *t, const char *wanted)
{
	return error_set(t->err, STATUS_FAILED,
	    "%s: byte %zu: the npy header is not as numpy writes it: %s is "
	    "wanted",
	    t->file, t->offset + (size_t)(t->at - t->start), wanted);
}

static void
skip_blanks(struct text *t)
{
	while (t->at < t->end && strchr(" \t\r\n", *t->at) != NULL &&
	    *t->at != '\0')
		t->at++;
}

/* Is this next?  If so it is passed. */
static bool
has(struct text *t, const char *word)
{
	size_t n = strlen(word);

	skip_blanks(t);
	if ((size_t)(t->end - t->at) < n || memcmp(t->at, word, n) != 0)
		return false;
	t->at += n;
	return true;
}

static bool
want(struct text *t, const char *word)
{
	if (has(t, word))
		return true;
	return fail(t, word);
}

/* A string between quotes of either kind, with nothing to be unescaped. */
static bool
read_string(struct text *t, char *string, size_t room)
{
	const char *end;
	char quote;

	skip_blanks(t);
	if (t->at == t->end || (*t->at != '\'' && *t->at != '"'))
		return fail(t, "a string");
	quote = *t->at++;
	end = memchr(t->at, quote, (size_t)(t->end - t->at));
	if (end == NULL || (size_t)(end - t->at) >= room ||
	    memchr(t->at, '\\', (size_t)(end - t->at)) != NULL)
		return fail(t, "a short string");
	memcpy(string, t->at, (size_t)(end - t->at));
	string[end - t->at] = '\0';
	t->at = end + 1;
	return true;
}

static bool
read_number(struct text *t, uint64_t *n)
{
	uint64_t digit;
	bool any = false;

	skip_blanks(t);
	for (*n = 0; t->at < t->end && *t->at >= '0' && *t->at <= '9';
	     t->at++) {
		digit = (uint64_t)(*t->at - '0');
		if (any && *n == 0)
			return fail(t, "a size without a 0 before it");
		if (*n > (INT64_MAX - digit) / 10)
			return fail(t, "a size below 2^63");
		*n = 10 * *n + digit;
		any = true;
	}
	if (!any)
		return fail(t, "a size");
	return true;
}

struct array {
	char type[8];
	bool fortran;
	uint64_t shape[DIMENSIONS_MOST];
	size_t dimensions;
	bool has_type, has_order, has_shape;
};

/* (), (2,), (2, 3), with or without a comma at the end but for one. */
static bool
read_shape(struct text *t, struct array *a)
{
	bool comma = true;

	if (!want(t, "("))
		return false;
	while (!has(t, ")")) {
		if (!comma)
			return fail(t, ",");
		if (a->dimensions == DIMENSIONS_MOST)
			return fail(t, "a shape of at most 32 sizes");
		if (!read_number(t, &a->shape[a->dimensions++]))
			return false;
		comma = has(t, ",");
	}
	if (a->dimensions == 1 && !comma)
		return fail(t, "(size,)");
	return true;
}

/* Remember that a key was seen; it may not come twice. */
static bool
first_time(struct text *t, bool *seen)
{
	if (*seen)
		return fail(t, "each key once");
	return *seen = true;
}

static bool
read_entry(struct text *t, struct array *a)
{
	char key[16];

	if (!read_string(t, key, sizeof(key)) || !want(t, ":"))
		return false;
	if (strcmp(key, "descr") == 0 && has(t, "["))
		return fail(t, "one type for all values, not a record");
	if (strcmp(key, "descr") == 0)
		return first_time(t, &a->has_type) &&
		    read_string(t, a->type, sizeof(a->type));
	if (strcmp(key, "shape") == 0)
		return first_time(t, &a->has_shape) && read_shape(t, a);
	if (strcmp(key, "fortran_order") != 0)
		return fail(t, "'descr', 'fortran_order' or 'shape'");
	a->fortran = has(t, "True");
	if (!a->fortran && !has(t, "False"))
		return fail(t, "True or False");
	return first_time(t, &a->has_order);
}

static bool
read_array(struct text *t, struct array *a)
{
	bool comma = true;

	if (!want(t, "{"))
		return false;
	while (!has(t, "}")) {
		if (!comma)
			return fail(t, ",");
		if (!read_entry(t, a))
			return false;
		comma = has(t, ",");
	}
	skip_blanks(t);
	if (t->at < t->end)
		return fail(t, "nothing more");
	if (!a->has_type || !a->has_shape || !a->has_order)
		return fail(t, "each of 'descr', 'fortran_order' and 'shape'");
	return true;
}

/* '<f4' and the like; numpy has no name for BF16, and writes its size. */
static bool
set_type(const struct array *a, const char *file, bool bf16, struct head *h,
    struct error *err)
{
	static const struct {
		const char *name;
		enum dtype dtype;
		bool untyped;
	} types[] = {
	    {"<f4", DTYPE_F32, false},
	    {"<f8", DTYPE_F64, false},
	    {"<f2", DTYPE_F16, false},
	    {"<u2", DTYPE_BF16, true},
	    {"|V2", DTYPE_BF16, true},
	    {"<V2", DTYPE_BF16, true},
	};

	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		if (strcmp(types[i].name, a->type) != 0)
			continue;
		h->dtype = types[i].dtype;
		if (!types[i].untyped || bf16)
			return true;
		return error_set(err, STATUS_FAILED,
		    "%s: values of the type %s: if they are bf16, say so with "
		    "--dtype bf16",
		    file, a->type);
	}
	if (a->type[0] == '>')
		return error_set(err, STATUS_FAILED,
		    "%s: values of the type %s are big-endian: save them with "
		    "astype('<%s')",
		    file, a->type, a->type + 1);
	return error_set(err, STATUS_FAILED,
	    "%s: values of the type %s: <f4, <f8, <f2 are wanted, or bf16 as "
	    "<u2 "
	    "or |V2",
	    file, a->type);
}

static bool
read_text(struct text *t, bool bf16, struct head *h)
{
	struct array a = {0};

	if (!read_array(t, &a))
		return false;
	if (a.fortran && a.dimensions > 1)
		return error_set(t->err, STATUS_FAILED,
		    "%s: the array is in Fortran's order, so that rows do not "
		    "lie "
		    "together: save numpy.ascontiguousarray() of it",
		    t->file);
	if (!set_type(&a, t->file, bf16, h, t->err))
		return false;
	return head_set_shape(h, a.shape, a.dimensions, t->file, t->err);
}

static bool
read_head(const unsigned char *bytes, size_t n, const char *file,
    const struct head_choice *choice, struct head *h, size_t *wanted,
    struct error *err)
{
	struct text t = {.file = file, .err = err};
	size_t length_size;
	uint64_t length;

	*wanted = VERSION + 2;
	if (n < *wanted)
		return true;
	h->version = bytes[MAGIC];
	if (h->version < 1 || h->version > 3 || bytes[MAGIC + 1] != 0)
		return error_set(err, STATUS_FAILED,
		    "%s: npy version %d.%d: 1.0, 2.0 and 3.0 are read", file,
		    bytes[MAGIC], bytes[MAGIC + 1]);
	length_size = h->version == 1 ? 2 : 4;
	*wanted = VERSION + length_size;
	if (n < *wanted)
		return true;
	length = little(bytes + VERSION, length_size);
	if (length > TEXT_MOST)
		return error_set(err, STATUS_FAILED,
		    "%s: an npy header of %" PRIu64
		    " bytes: at most %d are read",
		    file, length, TEXT_MOST);
	t.offset = VERSION + length_size;
	*wanted = t.offset + (size_t)length;
	if (n < *wanted)
		return true;
	t.start = t.at = (const char *)bytes + t.offset;
	t.end = t.start + length;
	h->start = *wanted;
	h->closed = true;
	return read_text(&t, choice->bf16, h);
}

const struct head_format head_npy = {"npy", tell, read_head};
