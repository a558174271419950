/* SPDX-License-Identifier: MIT */
/* The one table of options. */
#include <float.h>
#include <stdbool.h>
#include <string.h>

#include "options.h"
#include "table.h"

#define TARGET(field) .target = offsetof(struct options, field)
#define EVERY(text) .fallback = {text}

static const char *const input_names[] = {"auto", "raw", "zstd", NULL};
static const char *const policy_names[] = {"golem", NULL};
static const char *const shell_names[] = {"bash", "zsh", "fish", NULL};

const char *const group_titles[GROUP_COUNT] = {
    [GROUP_INPUT] = "Input",
    [GROUP_DRAW] = "What is drawn from",
    [GROUP_CONVERSATION] = "The conversation",
    [GROUP_OUTPUT] = "Output",
};

const struct option_row option_table[] = {
    /* Input */
    {.name = "vocab", .letter = 'V', .group = GROUP_INPUT, .brief = true,
        .kind = KIND_INT, TARGET(vocab), .low = 1, .high = INT32_MAX,
        .argument = "N",
        .help = "values in a row; raw rows do not say"},
    {.name = "dtype", .letter = 'd', .group = GROUP_INPUT, .brief = true,
        .kind = KIND_CHOICE, TARGET(dtype), .words = dtype_names,
        .argument = "TYPE",
        .help = "type of a value, little-endian: f32, f64, f16 or bf16",
        EVERY("f32")},
    {.name = "input", .group = GROUP_INPUT, .kind = KIND_CHOICE,
        TARGET(input), .words = input_names, .argument = "FORMAT",
        .help = "auto (by magic bytes), raw or zstd", EVERY("auto")},
    {.name = "max-window", .group = GROUP_INPUT, .kind = KIND_INT,
        TARGET(max_window), .low = 10, .high = 31, .argument = "LOG",
        .help = "largest zstd window accepted, as a power of two",
        EVERY("27")},
    {.name = "pieces", .group = GROUP_INPUT, .kind = KIND_TEXT,
        .operand = OPERAND_FILE, TARGET(pieces), .argument = "FILE",
        .help = "token pieces, one a line, the line's number from 0 being "
                "the id"},

    /* What is drawn from */
    {.name = "policy", .group = GROUP_DRAW, .kind = KIND_CHOICE,
        TARGET(policy), .words = policy_names, .argument = "POLICY",
        .help = "whose rules and arithmetic: golem", EVERY("golem")},
    {.name = "seed", .letter = 's', .group = GROUP_DRAW, .brief = true,
        .kind = KIND_SEED, TARGET(sampling.seed), .argument = "N",
        .help = "where the random numbers start, 64 bits, or 'random'",
        EVERY("0")},
    {.name = "temp", .group = GROUP_DRAW, .brief = true,
        .kind = KIND_FLOAT, TARGET(sampling.temp), .argument = "T",
        .help = "divide the logits by T; 0 or less draws the highest",
        EVERY("1"), .off = "1",
        .stage = "temperature"},
    {.name = "greedy", .group = GROUP_DRAW, .kind = KIND_FLAG,
        TARGET(sampling.greedy),
        .help = "draw the highest logit, using no random number"},
    {.name = "no-defaults", .group = GROUP_DRAW, .kind = KIND_FLAG,
        TARGET(no_defaults),
        .help = "every stage off unless an option turns it on"},
    {.name = "top-k", .group = GROUP_DRAW, .brief = true, .kind = KIND_INT,
        TARGET(sampling.top_k), .argument = "K",
        .help = "keep the K highest; 0 or less keeps all", EVERY("64"),
        .off = "0",
        .stage = "top_k"},
    {.name = "top-p", .group = GROUP_DRAW, .brief = true,
        .kind = KIND_FLOAT, TARGET(sampling.top_p), .argument = "P",
        .help = "keep the likeliest until their probabilities reach P; "
                "1 or more keeps all",
        EVERY("0.95"), .off = "1",
        .stage = "top_p"},
    {.name = "min-p", .group = GROUP_DRAW, .brief = true,
        .kind = KIND_FLOAT, TARGET(sampling.min_p), .low = -FLT_MAX,
        .high = 1, .argument = "P",
        .help = "keep those at least P times as likely as the best; "
                "0 or less keeps all",
        EVERY("0.05"), .off = "0",
        .stage = "min_p"},
    {.name = "repeat-last-n", .group = GROUP_DRAW, .kind = KIND_INT,
        TARGET(sampling.repeat_last_n), .argument = "N",
        .help = "tokens the penalties look back on; 0 is off, less is all",
        EVERY("64"),
        .stage = "penalties"},
    {.name = "repeat-penalty", .group = GROUP_DRAW, .brief = true,
        .kind = KIND_FLOAT, TARGET(sampling.repeat_penalty), .low = 0,
        .high = FLT_MAX, .argument = "R",
        .help = "divide the logit of a token seen (multiply one that is "
                "not above 0); 1 is off",
        EVERY("1"), .off = "1",
        .stage = "penalties"},
    {.name = "frequency-penalty", .group = GROUP_DRAW, .kind = KIND_FLOAT,
        TARGET(sampling.frequency_penalty), .argument = "F",
        .help = "subtract F for each time a token was seen", EVERY("0"),
        .off = "0",
        .stage = "penalties"},
    {.name = "presence-penalty", .group = GROUP_DRAW, .kind = KIND_FLOAT,
        TARGET(sampling.presence_penalty), .argument = "F",
        .help = "subtract F from a token seen at all", EVERY("0"),
        .off = "0",
        .stage = "penalties"},
    {.name = "logit-bias", .letter = 'l', .group = GROUP_DRAW,
        .kind = KIND_LIST, .operand = OPERAND_AT_FILE, TARGET(biases),
        .argument = "ID(+|-)B",
        .help = "add B to a token's logit; ID-inf bans it; @FILE has one a "
                "line; may be repeated"},
    {.name = "min-keep", .group = GROUP_DRAW, .kind = KIND_INT,
        TARGET(sampling.min_keep), .low = 0, .high = INT32_MAX,
        .argument = "N", .help = "no stage leaves fewer than N",
        EVERY("0"), .off = "0"},
    {.name = "samplers", .group = GROUP_DRAW, .kind = KIND_TEXT,
        TARGET(samplers), .argument = "LIST",
        .help = "the stages to run and their order, ';' between names"},

    /* The conversation */
    {.name = "prompt", .group = GROUP_CONVERSATION, .kind = KIND_TEXT,
        .operand = OPERAND_AT_FILE, TARGET(prompt_text), .argument = "IDS",
        .help = "ids before the first row: 1,2,3 or @FILE"},
    {.name = "predict", .letter = 'n', .group = GROUP_CONVERSATION,
        .brief = true, .kind = KIND_INT, TARGET(stop.predict), .low = -1,
        .high = 0x1p53, .argument = "N",
        .help = "stop after N tokens; -1 is no limit", EVERY("-1")},
    {.name = "eos", .group = GROUP_CONVERSATION, .kind = KIND_LIST,
        TARGET(ends_text), .argument = "ID",
        .help = "stop after this token, which is written; may be repeated"},
    {.name = "ctx-size", .letter = 'c', .group = GROUP_CONVERSATION,
        .kind = KIND_INT, TARGET(stop.context), .low = 0, .high = 0x1p53,
        .argument = "N",
        .help = "stop when prompt and tokens together pass N; 0 is no limit",
        EVERY("0")},

    /* Output */
    {.name = "output", .letter = 'o', .group = GROUP_OUTPUT, .brief = true,
        .kind = KIND_CHOICE, TARGET(output), .words = output_names,
        .argument = "FORMAT",
        .help = "ids (one a line), i32 (little-endian) or text (pieces)",
        EVERY("ids")},
    {.name = "summary", .group = GROUP_OUTPUT, .kind = KIND_TEXT,
        .operand = OPERAND_FILE, TARGET(summary), .argument = "FILE",
        .help = "write what was done as a JSON object; - is standard error"},
    {.name = "verbose", .letter = 'v', .group = GROUP_OUTPUT,
        .kind = KIND_FLAG, TARGET(verbose),
        .help = "say more on standard error"},
    {.name = "quiet", .letter = 'q', .group = GROUP_OUTPUT,
        .kind = KIND_FLAG, TARGET(quiet),
        .help = "say nothing on standard error but errors"},
    {.name = "completions", .group = GROUP_OUTPUT, .kind = KIND_CHOICE,
        .value = ACTION_COMPLETIONS, TARGET(shell), .words = shell_names,
        .argument = "SHELL",
        .help = "print completions for bash, zsh or fish"},
    {.name = "help", .letter = 'h', .group = GROUP_OUTPUT, .brief = true,
        .kind = KIND_ACTION, .value = ACTION_HELP,
        .help = "print all options; -h prints the main ones"},
    {.name = "version", .group = GROUP_OUTPUT, .kind = KIND_ACTION,
        TARGET(action), .value = ACTION_VERSION,
        .help = "print the version"},
};

const size_t option_count = sizeof(option_table) / sizeof(option_table[0]);

const struct option_row *
option_find(const char *name)
{
	for (size_t i = 0; i < option_count; i++)
		if (strcmp(option_table[i].name, name) == 0)
			return &option_table[i];
	return NULL;
}
