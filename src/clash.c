/* SPDX-License-Identifier: MIT */
/* Files that would be written over while they are still to be read. */
#if !defined(_FILE_OFFSET_BITS) && !defined(__LP64__)
#define _FILE_OFFSET_BITS 64 /* files above 2 GiB on 32 bits */
#endif
#include "clash.h"

#include <string.h>
#include <sys/stat.h>

/* One regular file under two names, or one name of a file to come. */
static bool
is_same(const char *a, const char *b)
{
	struct stat sa, sb;

	if (a == NULL || b == NULL)
		return false;
	if (stat(a, &sa) != 0 || stat(b, &sb) != 0)
		return strcmp(a, b) == 0;
	return S_ISREG(sa.st_mode) && sa.st_dev == sb.st_dev &&
	    sa.st_ino == sb.st_ino;
}

/* The file that an argument like @FILE names, or NULL. */
static const char *
after_at(const char *text)
{
	return text != NULL && text[0] == '@' ? text + 1 : NULL;
}

static bool
refuse(
    const char *option, const char *file, const char *other, struct error *err)
{
	return error_set(err, STATUS_USAGE,
	    "%s: %s is the file of %s too: it would be written over", option,
	    file, other);
}

/* Is it among the operands?  "-" is standard input, which may be a file. */
static bool
is_operand(const struct options *o, const char *file)
{
	const char *name;

	for (size_t i = 0; i < o->n_files; i++) {
		name = o->files[i];
		if (strcmp(name, "-") == 0)
			name = "/dev/stdin";
		if (is_same(file, name))
			return true;
	}
	return false;
}

/* Options that may be given often, each with its @FILE. */
static bool
check_lists(const struct options *o, const char *option, const char *file,
    struct error *err)
{
	const struct {
		const char *option;
		struct texts texts;
	} lists[] = {
	    {"--logit-bias", o->biases},
	    {"--eos", o->ends_text},
	    {"--dry-breaker", o->breaker_ids},
	};

	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
		for (size_t j = 0; j < lists[i].texts.size; j++)
			if (is_same(file, after_at(lists[i].texts.list[j])))
				return refuse(
				    option, file, lists[i].option, err);
	return true;
}

static bool
check_reads(const struct options *o, const char *option, const char *file,
    struct error *err)
{
	const struct {
		const char *option, *file;
	} reads[] = {
	    {"--mask", o->mask},
	    {"--pieces", o->pieces},
	    {"--gguf", o->gguf},
	    {"--grammar-file", o->grammar_file},
	    {"--json-schema", after_at(o->json_schema)},
	    {"--history", o->history},
	    {"--sweep", o->sweep_file},
	    {"--expect", o->expect},
	    {"--prompt", after_at(o->prompt_text)},
	};

	if (is_operand(o, file))
		return refuse(option, file, "the rows", err);
	for (size_t i = 0; i < sizeof(reads) / sizeof(reads[0]); i++)
		if (is_same(file, reads[i].file))
			return refuse(option, file, reads[i].option, err);
	return check_lists(o, option, file, err);
}

/* The files that are written, as the options name them. */
struct writes {
	const char *option, *file;
};

/* No two of them are one file. */
static bool
check_writes(const struct writes *writes, size_t n, struct error *err)
{
	for (size_t i = 0; i < n; i++)
		for (size_t j = i + 1; j < n; j++)
			if (is_same(writes[i].file, writes[j].file))
				return refuse(writes[i].option, writes[i].file,
				    writes[j].option, err);
	return true;
}

bool
clash_check(const struct options *o, struct error *err)
{
	const bool spoken = o->summary != NULL && strcmp(o->summary, "-") == 0;
	const struct writes writes[] = {
	    {"--summary", spoken ? NULL : o->summary},
	    {"--report", o->report},
	    {"--save-state", o->save_state},
	};
	const size_t n = sizeof(writes) / sizeof(writes[0]);

	if (!check_writes(writes, n, err))
		return false;
	for (size_t i = 0; i < n; i++) {
		if (writes[i].file == NULL)
			continue;
		if (!check_reads(o, writes[i].option, writes[i].file, err))
			return false;
		/* A state may replace the one that was loaded. */
		if (i + 1 < n && is_same(writes[i].file, o->load_state))
			return refuse(writes[i].option, writes[i].file,
			    "--load-state", err);
	}
	return true;
}
