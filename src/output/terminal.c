/* SPDX-License-Identifier: MIT */
/* What a table is drawn for. */
#include "terminal.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* Nobody reads longer lines than WIDEST; COLUMNS may say anything. */
enum { DEFAULT_WIDTH = 80, WIDEST = 1000 };

static size_t
look_width(int fd)
{
	const char *columns = getenv("COLUMNS");
	struct winsize size;
	unsigned long width = 0;
	char *end;

	if (columns != NULL && isdigit((unsigned char)*columns)) {
		width = strtoul(columns, &end, 10);
		if (*end != '\0')
			width = 0;
	}
	if (width == 0 && ioctl(fd, TIOCGWINSZ, &size) == 0)
		width = size.ws_col;
	if (width == 0)
		width = DEFAULT_WIDTH;
	return width < WIDEST ? width : WIDEST;
}

static const char *
locale_name(void)
{
	static const char *const variables[] = {"LC_ALL", "LC_CTYPE", "LANG"};
	const char *name;

	for (size_t i = 0; i < sizeof(variables) / sizeof(variables[0]); i++) {
		name = getenv(variables[i]);
		if (name != NULL && *name != '\0')
			return name;
	}
	return "C";
}

/* As in "de_DE.UTF-8", "C.utf8" or "UTF-8" alone. */
static bool
is_unicode(const char *locale)
{
	static const char *const names[] = {"UTF-8", "utf-8", "UTF8", "utf8"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strstr(locale, names[i]) != NULL)
			return true;
	return false;
}

static bool
wants_colour(int fd)
{
	const char *term = getenv("TERM");

	return isatty(fd) && getenv("NO_COLOR") == NULL && term != NULL &&
	    *term != '\0' && strcmp(term, "dumb") != 0;
}

struct terminal
terminal_look(int fd)
{
	return (struct terminal){
	    look_width(fd), is_unicode(locale_name()), wants_colour(fd)};
}
