/* SPDX-License-Identifier: MIT */
/* The command line, parsed; cli.md says what each option means. */
#ifndef TOKPICK_OPTIONS_H
#define TOKPICK_OPTIONS_H

#include "../history.h"
#include "../input/dtype.h"
#include "../input/source.h"
#include "../message.h"
#include "../output/sink.h"
#include "../sampler/policy.h"

/* An option's arguments as they were given, each time it was. */
struct texts {
	char **list;
	size_t size;
};

/* What to do: draw, or print something and exit. */
enum action {
	ACTION_DRAW,
	ACTION_HELP,
	ACTION_BRIEF_HELP,
	ACTION_VERSION,
	ACTION_COMPLETIONS,
};

enum shell { SHELL_BASH, SHELL_ZSH, SHELL_FISH };

struct options {
	enum action action;
	int shell;               /* enum shell, whose completions */
	char **files;            /* operands; "-" alone if there are none */
	size_t n_files;

	int64_t vocab; /* 0: not given */
	int dtype;     /* enum dtype */
	int input;     /* enum input_format */
	int64_t max_window;
	const char *pieces;

	int policy; /* index in policies[] */
	struct sampling sampling;
	bool random_seed; /* the seed came from the kernel */
	bool no_defaults;
	const char *samplers;
	struct texts biases;

	const char *prompt_text;
	struct texts ends_text;
	struct ids prompt;
	struct stop_rules stop;

	int output; /* enum output_format */
	const char *summary;
	bool verbose;
	bool quiet;
};

/*
 * Parse the command line; what the options hold lives until
 * options_free(), argv's strings included.  The value of an option that was
 * not given is its default under the policy, or its off value under
 * --no-defaults.
 */
bool options_parse(struct options *, int argc, char **argv, struct error *);
void options_free(struct options *);


#endif
