/* SPDX-License-Identifier: MIT */
/* What -h, --help and --version print, made from the table of options. */
#include "help.h"

#include <stdio.h>
#include <string.h>

#include "table.h"

/* Lines are no wider than this; the text of an option begins here. */
enum { WIDTH = 79, COLUMN = 29 };

static const char usage[] = "usage: tokpick [OPTION]... [FILE]...\n"
                            "Draw token ids from rows of next-token logits.\n";

static bool
put(struct buffer *b, const char *text, struct error *err)
{
	return buffer_add(b, text, strlen(text), err);
}

/* Fill text, which has room bytes, with "  -s, --seed N". */
static void
spell(const struct option_row *row, char *text, size_t room)
{
	char letter[5] = "    ";

	if (row->letter != 0)
		snprintf(letter, sizeof(letter), "-%c, ", row->letter);
	snprintf(text, room, "  %s--%s%s%s", letter, row->name,
	    row->argument != NULL ? " " : "",
	    row->argument != NULL ? row->argument : "");
}

/* The length of as many whole words of text as fit into width. */
static size_t
fitting(const char *text, size_t width)
{
	size_t length = strlen(text);

	if (length <= width)
		return length;
	for (length = width; length > 0 && text[length] != ' '; length--)
		continue;
	return length > 0 ? length : width;
}

/* A text beside, and where there is no room below, what it explains. */
static bool
put_beside(
    struct buffer *b, const char *left, const char *text, struct error *err)
{
	char line[WIDTH + 2];
	size_t n;

	if (strlen(left) + 2 > COLUMN) {
		if (!put(b, left, err) || !put(b, "\n", err))
			return false;
		left = "";
	}
	do {
		n = fitting(text, WIDTH - COLUMN);
		snprintf(line, sizeof(line), "%-*s%.*s\n", COLUMN, left, (int)n,
		    text);
		if (!put(b, line, err))
			return false;
		left = "";
		text += n + (text[n] == ' ');
	} while (*text != '\0');
	return true;
}

static bool
put_option(struct buffer *b, const struct option_row *row, bool full,
    struct error *err)
{
	char left[64], text[256];
	const char *fallback = row->fallback[0];

	spell(row, left, sizeof(left));
	if (full && fallback != NULL)
		snprintf(text, sizeof(text), "%s [%s]", row->help, fallback);
	else
		snprintf(text, sizeof(text), "%s", row->help);
	return put_beside(b, left, text, err);
}

bool
help_brief(struct buffer *b, struct error *err)
{
	if (!put(b, usage, err))
		return false;
	for (size_t i = 0; i < option_count; i++)
		if (option_table[i].brief &&
		    !put_option(b, &option_table[i], false, err))
			return false;
	return put(b,
	    "tokpick --help shows all options, man tokpick explains them.\n",
	    err);
}

static bool
put_group(struct buffer *b, enum group group, struct error *err)
{
	if (!put(b, "\n", err) || !put(b, group_titles[group], err) ||
	    !put(b, ":\n", err))
		return false;
	for (size_t i = 0; i < option_count; i++)
		if (option_table[i].group == group &&
		    !put_option(b, &option_table[i], true, err))
			return false;
	return true;
}

bool
help_full(struct buffer *b, struct error *err)
{
	if (!put(b, usage, err) ||
	    !put(b,
	        "With no FILE, or where FILE is -, standard input is read; "
	        "raw rows or zstd.\nDefaults stand in brackets.\n",
	        err))
		return false;
	for (int group = 0; group < GROUP_COUNT; group++)
		if (!put_group(b, (enum group)group, err))
			return false;
	return put(b,
	    "\nExit status: 0 done, 1 the input or the system failed, "
	    "2 wrong usage.\n"
	    "Example: tokpick -V 512 -s 7 --pieces story.pieces.txt -o text "
	    "story.f32.zst\n",
	    err);
}

bool
help_version(struct buffer *b, struct error *err)
{
	return put(b, "tokpick " TOKPICK_VERSION "\n", err);
}
