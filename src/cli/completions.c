/* SPDX-License-Identifier: MIT */
/* Completions for the shells, made from the table of options. */
#include <stdio.h>
#include <string.h>

#include "help.h"
#include "table.h"

/* The words of a choice, a blank before each. */
static void
print_words(struct text *t, const struct option_row *row)
{
	for (size_t i = 0; row->words[i] != NULL; i++)
		text_print(t, " %s", row->words[i]);
}

/* One case of bash's function: what may follow this option. */
static void
bash_case(struct text *t, const struct option_row *row)
{
	if (row->argument == NULL)
		return;
	text_print(t, "\t--%s", row->name);
	if (row->letter != 0)
		text_print(t, "|-%c", row->letter);
	text_print(t, ")\n");
	if (row->kind == KIND_CHOICE) {
		text_print(t, "\t\tCOMPREPLY=($(compgen -W '");
		print_words(t, row);
		text_print(t, "' -- \"$cur\")) ;;\n");
	} else if (row->operand == OPERAND_FILE) {
		text_print(t,
		    "\t\tcompopt -o filenames\n"
		    "\t\tCOMPREPLY=($(compgen -f -- \"$cur\")) ;;\n");
	} else if (row->operand == OPERAND_AT_FILE) {
		text_print(t,
		    "\t\t[[ $cur == @* ]] && COMPREPLY=($(compgen -P @ -f -- "
		    "\"${cur#@}\")) ;;\n");
	} else {
		text_print(t, "\t\t;;\n");
	}
}

static void
print_bash(struct text *t)
{
	text_print(t,
	    "# bash completions for tokpick\n"
	    "_tokpick() {\n"
	    "\tlocal cur=${COMP_WORDS[COMP_CWORD]}\n"
	    "\tlocal prev=${COMP_WORDS[COMP_CWORD-1]}\n"
	    "\tCOMPREPLY=()\n");
	text_print(t,
	    "\tif [[ $cur == = ]]; then cur=; fi\n"
	    "\tif [[ $prev == = ]]; then prev=${COMP_WORDS[COMP_CWORD-2]}; fi\n"
	    "\tcase $prev in\n");
	for (size_t i = 0; i < option_count; i++)
		bash_case(t, &option_table[i]);
	text_print(t,
	    "\t*)\n"
	    "\t\tif [[ $cur == -* ]]; then\n"
	    "\t\t\tCOMPREPLY=($(compgen -W '");
	for (size_t i = 0; i < option_count; i++)
		text_print(t, " --%s", option_table[i].name);
	text_print(t,
	    "' -- \"$cur\"))\n"
	    "\t\telse\n"
	    "\t\t\tcompopt -o filenames\n"
	    "\t\t\tCOMPREPLY=($(compgen -f -- \"$cur\"))\n"
	    "\t\tfi ;;\n"
	    "\tesac\n"
	    "}\n"
	    "complete -F _tokpick tokpick\n");
}

/* The help of an option inside zsh's '[…]', where brackets are special. */
static void
zsh_help(struct text *t, const char *help)
{
	for (; *help != '\0'; help++) {
		if (strchr("[]:\\", *help) != NULL)
			text_add(t, "\\", 1);
		if (*help == '\'')
			text_print(t, "'\\''");
		else
			text_add(t, help, 1);
	}
}

static void
zsh_operand(struct text *t, const struct option_row *row)
{
	if (row->argument == NULL)
		return;
	text_print(t, ":%s:", row->name);
	if (row->kind == KIND_CHOICE) {
		text_print(t, "(");
		print_words(t, row);
		text_print(t, ")");
	} else if (row->operand == OPERAND_FILE) {
		text_print(t, "_files");
	} else if (row->operand == OPERAND_AT_FILE) {
		text_print(t, "{compset -P @ && _files}");
	} else {
		text_print(t, " ");
	}
}

/* A way to write an option, what it is for and what comes behind it. */
static void
zsh_line(struct text *t, const char *option, const struct option_row *row)
{
	text_print(t, "\t'*%s[", option);
	zsh_help(t, row->help);
	text_print(t, "]");
	zsh_operand(t, row);
	text_print(t, "' \\\n");
}

static void
print_zsh(struct text *t)
{
	const struct option_row *row;
	char option[40];

	text_print(t, "#compdef tokpick\n_arguments -s \\\n");
	for (row = option_table; row < option_table + option_count; row++) {
		if (row->letter != 0) {
			snprintf(option, sizeof(option), "-%c", row->letter);
			zsh_line(t, option, row);
		}
		snprintf(option, sizeof(option), "--%s%s", row->name,
		    row->argument != NULL ? "=" : "");
		zsh_line(t, option, row);
	}
	text_print(t, "\t'*:rows:_files'\n");
}

/* A text in fish's single quotes. */
static void
fish_quoted(struct text *t, const char *text)
{
	text_add(t, "'", 1);
	for (; *text != '\0'; text++) {
		if (strchr("'\\", *text) != NULL)
			text_add(t, "\\", 1);
		text_add(t, text, 1);
	}
	text_add(t, "'", 1);
}

static void
fish_line(struct text *t, const struct option_row *row)
{
	text_print(t, "complete -c tokpick -l %s", row->name);
	if (row->letter != 0)
		text_print(t, " -s %c", row->letter);
	if (row->argument != NULL)
		text_print(t, row->operand == OPERAND_PLAIN ? " -x" : " -r");
	if (row->kind == KIND_CHOICE) {
		text_print(t, " -a '");
		print_words(t, row);
		text_print(t, "'");
	}
	text_print(t, " -d ");
	fish_quoted(t, row->help);
	text_print(t, "\n");
}

static void
print_fish(struct text *t)
{
	text_print(t, "# fish completions for tokpick\n");
	for (size_t i = 0; i < option_count; i++)
		fish_line(t, &option_table[i]);
}

void
completions_print(struct text *t, enum shell shell)
{
	static void (*const prints[])(struct text *) = {
	    [SHELL_BASH] = print_bash,
	    [SHELL_ZSH] = print_zsh,
	    [SHELL_FISH] = print_fish,
	};

	prints[shell](t);
}
