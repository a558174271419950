/* SPDX-License-Identifier: MIT */
/* Completions for the shells, made from the table of options. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "help.h"
#include "table.h"

static bool put(struct buffer *, struct error *, const char *, ...)
    MESSAGE_FORMAT(3, 4);

static bool
put(struct buffer *b, struct error *err, const char *format, ...)
{
	char text[512];
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	if (n < 0 || (size_t)n >= sizeof(text))
		return error_set(err, STATUS_FAILED,
		    "completions: a line of %d bytes is too long", n);
	return buffer_add(b, text, (size_t)n, err);
}

/* The words of a choice, a blank before each. */
static bool
put_words(struct buffer *b, const struct option_row *row, struct error *err)
{
	for (size_t i = 0; row->words[i] != NULL; i++)
		if (!put(b, err, " %s", row->words[i]))
			return false;
	return true;
}

/* One case of bash's function: what may follow this option. */
static bool
bash_case(struct buffer *b, const struct option_row *row, struct error *err)
{
	if (row->argument == NULL)
		return true;
	if (!put(b, err, "\t--%s", row->name) ||
	    (row->letter != 0 && !put(b, err, "|-%c", row->letter)) ||
	    !put(b, err, ")\n"))
		return false;
	if (row->kind == KIND_CHOICE)
		return put(b, err, "\t\tCOMPREPLY=($(compgen -W '") &&
		    put_words(b, row, err) &&
		    put(b, err, "' -- \"$cur\")) ;;\n");
	if (row->operand == OPERAND_FILE)
		return put(b, err,
		    "\t\tcompopt -o filenames\n"
		    "\t\tCOMPREPLY=($(compgen -f -- \"$cur\")) ;;\n");
	if (row->operand == OPERAND_AT_FILE)
		return put(b, err,
		    "\t\t[[ $cur == @* ]] && COMPREPLY=($(compgen -P @ -f -- "
		    "\"${cur#@}\")) ;;\n");
	return put(b, err, "\t\t;;\n");
}

static bool
put_bash(struct buffer *b, struct error *err)
{
	if (!put(b, err,
	        "# bash completions for tokpick\n"
	        "_tokpick() {\n"
	        "\tlocal cur=${COMP_WORDS[COMP_CWORD]}\n"
	        "\tlocal prev=${COMP_WORDS[COMP_CWORD-1]}\n"
	        "\tCOMPREPLY=()\n"
	        "\tif [[ $cur == = ]]; then cur=; fi\n"
	        "\tif [[ $prev == = ]]; then "
	        "prev=${COMP_WORDS[COMP_CWORD-2]}; fi\n"
	        "\tcase $prev in\n"))
		return false;
	for (size_t i = 0; i < option_count; i++)
		if (!bash_case(b, &option_table[i], err))
			return false;
	if (!put(b, err,
	        "\t*)\n"
	        "\t\tif [[ $cur == -* ]]; then\n"
	        "\t\t\tCOMPREPLY=($(compgen -W '"))
		return false;
	for (size_t i = 0; i < option_count; i++)
		if (!put(b, err, " --%s", option_table[i].name))
			return false;
	return put(b, err,
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
static bool
zsh_help(struct buffer *b, const char *help, struct error *err)
{
	for (; *help != '\0'; help++) {
		if (strchr("[]:\\", *help) != NULL && !put(b, err, "\\"))
			return false;
		if (!(*help == '\'' ? put(b, err, "'\\''")
		                    : put(b, err, "%c", *help)))
			return false;
	}
	return true;
}

static bool
zsh_operand(struct buffer *b, const struct option_row *row, struct error *err)
{
	if (row->argument == NULL)
		return true;
	if (!put(b, err, ":%s:", row->name))
		return false;
	if (row->kind == KIND_CHOICE)
		return put(b, err, "(") && put_words(b, row, err) &&
		    put(b, err, ")");
	if (row->operand == OPERAND_FILE)
		return put(b, err, "_files");
	if (row->operand == OPERAND_AT_FILE)
		return put(b, err, "{compset -P @ && _files}");
	return put(b, err, " ");
}

static bool
put_zsh(struct buffer *b, struct error *err)
{
	const struct option_row *row;

	if (!put(b, err, "#compdef tokpick\n_arguments -s \\\n"))
		return false;
	for (size_t i = 0; i < option_count; i++) {
		row = &option_table[i];
		if (row->letter != 0 &&
		    (!put(b, err, "\t'*-%c[", row->letter) ||
		        !zsh_help(b, row->help, err) || !put(b, err, "]") ||
		        !zsh_operand(b, row, err) || !put(b, err, "' \\\n")))
			return false;
		if (!put(b, err, "\t'*--%s%s[", row->name,
		        row->argument != NULL ? "=" : "") ||
		    !zsh_help(b, row->help, err) || !put(b, err, "]") ||
		    !zsh_operand(b, row, err) || !put(b, err, "' \\\n"))
			return false;
	}
	return put(b, err, "\t'*:rows:_files'\n");
}

/* A text in fish's single quotes. */
static bool
fish_quoted(struct buffer *b, const char *text, struct error *err)
{
	if (!put(b, err, "'"))
		return false;
	for (; *text != '\0'; text++) {
		if (strchr("'\\", *text) != NULL && !put(b, err, "\\"))
			return false;
		if (!put(b, err, "%c", *text))
			return false;
	}
	return put(b, err, "'");
}

static bool
fish_line(struct buffer *b, const struct option_row *row, struct error *err)
{
	if (!put(b, err, "complete -c tokpick -l %s", row->name))
		return false;
	if (row->letter != 0 && !put(b, err, " -s %c", row->letter))
		return false;
	if (row->argument != NULL &&
	    !put(b, err, row->operand == OPERAND_PLAIN ? " -x" : " -r"))
		return false;
	if (row->kind == KIND_CHOICE &&
	    (!put(b, err, " -a '") || !put_words(b, row, err) ||
	        !put(b, err, "'")))
		return false;
	return put(b, err, " -d ") && fish_quoted(b, row->help, err) &&
	    put(b, err, "\n");
}

static bool
put_fish(struct buffer *b, struct error *err)
{
	if (!put(b, err, "# fish completions for tokpick\n"))
		return false;
	for (size_t i = 0; i < option_count; i++)
		if (!fish_line(b, &option_table[i], err))
			return false;
	return true;
}

bool
completions_write(struct buffer *b, enum shell shell, struct error *err)
{
	switch (shell) {
	case SHELL_ZSH:
		return put_zsh(b, err);
	case SHELL_FISH:
		return put_fish(b, err);
	default:
		return put_bash(b, err);
	}
}
