/* SPDX-License-Identifier: MIT */
/* From a command line to a draw, as main() goes, for tests of the whole. */
#ifndef TOKPICK_TEST_DRAWING_H
#define TOKPICK_TEST_DRAWING_H

#include "helper.h"

#include "../../src/cli/options.h"
#include "../../src/sampler/sampler.h"

enum { WORDS_MAX = 64 };

/*
 * Split a command line, in place, as a shell would one without variables
 * and patterns.  words[0] is the program's name; NULL ends them.
 */
static inline int
split_words(char *text, char *words[WORDS_MAX])
{
	static char program[] = "tokpick";
	char *to, quote;
	int n = 0;

	words[n++] = program;
	while (text += strspn(text, " "), *text != '\0') {
		assert_true(n + 1 < WORDS_MAX);
		words[n++] = to = text;
		for (quote = '\0'; *text != '\0'; text++) {
			if (quote == '\0' && *text == ' ')
				break;
			if (*text == quote)
				quote = '\0';
			else if (quote == '\0' &&
			    (*text == '\'' || *text == '"'))
				quote = *text;
			else
				*to++ = *text;
		}
		text += *text != '\0';
		*to = '\0';
	}
	words[n] = NULL;
	return n;
}

/* The options in a text, which is taken apart and must outlive them. */
static inline void
parse_options(struct options *o, char *text)
{
	char *words[WORDS_MAX];
	struct error err;
	int n = split_words(text, words);

	optind = 0; /* getopt_long() begins anew */
	if (!options_parse(o, n, words, &err))
		fail_msg("%s", err.text);
}

/* One row, one draw. */
static inline bool
pick(struct sampler *s, const struct row *row, const struct window *window,
    struct decision *d, struct error *err)
{
	return sampler_weigh(s, row, window, err) && sampler_draw(s, d, err);
}

#endif
