/* SPDX-License-Identifier: MIT */
/* The command line, parsed; tokpick(1) says what each option means. */
#ifndef TOKPICK_OPTIONS_H
#define TOKPICK_OPTIONS_H

#include "../history.h"
#include "../input/dtype.h"
#include "../input/source.h"
#include "../message.h"
#include "../output/sink.h"
#include "../sampler/policy.h"
#include "../state.h"
#include "../vocab/gguf.h"

/* At least as many as the table of options has rows. */
enum { OPTIONS_MAX = 128 };

/* An option's arguments as they were given, each time it was. */
struct texts {
	char **list;
	size_t size;
};

/* The settings of a sweep, each with the rest of the command line. */
struct settings {
	struct options *list;
	char **lines; /* as they were written */
	size_t size;
	char *text; /* that the options point into */
};

struct temps {
	struct temp *list;
	size_t size;
};

/* What to do: draw, or print something and exit. */
enum action {
	ACTION_DRAW,
	ACTION_HELP,
	ACTION_BRIEF_HELP,
	ACTION_VERSION,
	ACTION_COMPLETIONS,
	ACTION_SHOW_MODEL,
	ACTION_INFO,
};

/* What the lowest code in a row of log-probabilities is. */
enum floor { FLOOR_MASK, FLOOR_KEEP };

/* What a line to the model carries. */
enum exec_prefix { PREFIX_NEW, PREFIX_FULL };

/* Whether random numbers go on from row to row, or are each row's own. */
enum stream { STREAM_RUN, STREAM_ROW };

/* What to do where the grammar allows no token. */
enum dead_end { DEAD_END_ERROR, DEAD_END_STOP, DEAD_END_DRAW };

enum shell { SHELL_BASH, SHELL_ZSH, SHELL_FISH };

struct options {
	enum action action;
	bool given[OPTIONS_MAX]; /* by row of the table: on the command line */
	bool saved[OPTIONS_MAX]; /* likewise: its value is the state's … */
	bool modelled[OPTIONS_MAX]; /* … or the model file's */
	int shell;                  /* enum shell, whose completions */
	bool swept;                 /* one setting of a sweep */
	size_t operands;            /* words that are no options */
	char **files;               /* operands; "-" alone if there are none,
	                               and none with exec */
	size_t n_files;

	int64_t vocab; /* 0: not given */
	int dtype;     /* enum dtype */
	int input;     /* enum input_format */
	char *tensor;
	int floor; /* enum floor */
	char *rows_text;
	int64_t first_row, last_row; /* 1 and 0: all */
	bool info;
	int64_t max_window;
	int64_t limit_ids;     /* 0: none */
	int64_t threads;       /* 0: not given */
	int64_t row_base;      /* the number of the first row */
	int64_t batch;         /* sequences that take turns, 0: one alone */
	int64_t sequence_rows; /* rows that are a sequence each, 0: all */
	char *pieces;
	char *gguf;
	struct gguf *model; /* what --gguf names, or NULL */
	bool show_model;
	char *mask;

	int policy; /* index in policies[] */
	struct sampling sampling;
	bool random_seed; /* the seed came from the kernel */
	bool greedy;
	bool no_defaults;
	char *temps_text;
	struct temps temps; /* one, or several to inspect side by side */
	int stream;         /* enum stream */
	char *rng_state;
	int64_t draws;
	char *samplers;
	char *sampler_seq;
	struct texts biases;
	bool ignore_eos;
	struct texts breaker_ids;
	struct texts breaker_texts;
	int64_t mirostat;

	char *prompt_text;
	struct texts ends_text;
	struct ids prompt;
	struct stop_rules stop;
	char *grammar;
	char *grammar_file;
	char *grammar_root;
	char *json_schema; /* or @FILE */
	int dead_end;      /* enum dead_end */
	char *history;     /* NULL also where it is none, */
	bool no_history;   /* which this tells */
	char *expect;
	char *exec;
	int exec_prefix; /* enum exec_prefix */
	char *save_state;
	char *load_state;
	bool force_settings;
	struct state *state; /* what --load-state names, or NULL */
	bool reseeded;       /* the seed, not the state, starts a generator */

	char *sweep_file;
	char *grid;
	bool sweep_summary;
	struct settings sweep;

	int output; /* enum output_format */
	int64_t top;
	bool inspect;
	char *summary;
	char *report;
	bool progress;
	bool no_progress;
	bool verbose;
	bool quiet;
};

/*
 * Parse the command line; what the options hold lives until
 * options_free(), argv's strings included.  The value of an option that was
 * not given is its default under the policy, or its off value under
 * --no-defaults.  Before that comes the value of a saved state, and that of
 * a model file.
 */
bool options_parse(struct options *, int argc, char **argv, struct error *);
void options_free(struct options *);

/* Does the command line give it, or a saved state? */
bool options_tell(const struct options *, const char *name);

/* Does one of them name a grammar? */
bool options_have_grammar(const struct options *);

/* Put one value where its row of the table says, as if it were given. */
struct option_row;
bool options_set(
    struct options *, const struct option_row *, char *text, struct error *);

/* How many ids of a row count: all, or as many as there are tokens. */
size_t options_limit(const struct options *);

/* Set the temperature, and greedy where it means that. */
void options_set_temp(struct sampling *, const struct temp *);

#endif
