/* SPDX-License-Identifier: MIT */
/* What -h, --help and --version print, made from the table of options. */
#include "help.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "table.h"

/* Lines are no wider than this; the text of an option begins here. */
enum { WIDTH = 79, COLUMN = 29 };

static const char usage[] = "usage: tokpick [OPTION]... [FILE]...\n"
                            "Draw token ids from rows of next-token logits.\n";

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

/* The length of as many whole words of text as fit into width, at least one. */
static size_t
fitting(const char *text, size_t width)
{
	size_t length = strcspn(text, " "), next = length;

	while (text[next] != '\0') {
		next += 1 + strcspn(text + next + 1, " ");
		if (next > width)
			break;
		length = next;
	}
	return length;
}

/* A text beside, and where there is no room below, what it explains. */
static void
print_beside(struct text *t, const char *left, const char *text)
{
	size_t n;

	if (strlen(left) + 2 > COLUMN) {
		text_print(t, "%s\n", left);
		left = "";
	}
	do {
		n = fitting(text, WIDTH - COLUMN);
		text_print(t, "%-*s%.*s\n", COLUMN, left, (int)n, text);
		left = "";
		text += n + (text[n] == ' ');
	} while (*text != '\0');
}

static void
print_option(struct text *t, const struct option_row *row, bool full)
{
	char left[64], text[256];
	const char *fallback = row->fallback[0];

	spell(row, left, sizeof(left));
	if (full && fallback != NULL)
		snprintf(text, sizeof(text), "%s [%s]", row->help, fallback);
	else
		snprintf(text, sizeof(text), "%s", row->help);
	print_beside(t, left, text);
}

/* The main options on one screen. */
static void
print_brief(struct text *t)
{
	text_print(t, "%s", usage);
	for (size_t i = 0; i < option_count; i++)
		if (option_table[i].brief)
			print_option(t, &option_table[i], false);
	text_print(t,
	    "tokpick --help shows all options, man tokpick explains them.\n");
}

static void
print_group(struct text *t, enum group group)
{
	text_print(t, "\n%s:\n", group_titles[group]);
	for (size_t i = 0; i < option_count; i++)
		if (option_table[i].group == group)
			print_option(t, &option_table[i], true);
}

/* All of them, by group. */
static void
print_full(struct text *t)
{
	text_print(t,
	    "%sWith no FILE, or where FILE is -, standard input is read; "
	    "raw rows or zstd.\n",
	    usage);
	text_print(t, "Defaults stand in brackets.\n");
	for (int group = 0; group < GROUP_COUNT; group++)
		print_group(t, (enum group)group);
	text_print(t,
	    "\nExit status: 0 done, 1 the input or the system failed, "
	    "2 wrong usage.\n"
	    "Example: tokpick -V 512 -s 7 --pieces story.pieces.txt -o text "
	    "story.f32.zst\n");
}

bool
help_write(struct buffer *b, const struct options *o, struct error *err)
{
	struct text t = {0};
	bool good;

	if (o->action == ACTION_VERSION)
		text_print(&t, "tokpick " TOKPICK_VERSION "\n");
	else if (o->action == ACTION_HELP)
		print_full(&t);
	else if (o->action == ACTION_COMPLETIONS)
		completions_print(&t, (enum shell)o->shell);
	else
		print_brief(&t);
	good = t.lost ? error_system(err, ENOMEM, "a help")
	              : buffer_add(b, t.bytes, t.size, err);
	free(t.bytes);
	return good;
}
