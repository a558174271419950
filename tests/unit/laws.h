/* SPDX-License-Identifier: MIT */
/* Settings, and the distributions that come of them by definition. */
#ifndef TOKPICK_TEST_LAWS_H
#define TOKPICK_TEST_LAWS_H

#include "ideal.h"

enum { STEPS_MAX = 10 };

/* Of both signs; the two that are equal are no stage's border. */
static const float logits[IDEAL_VOCAB] = {0.3f, 1.9f, -0.9f, 1.1f, -0.1f, 0.7f,
    1.5f, -0.5f, -0.7f, 0.9f, 1.3f, -0.3f, 0.5f, -0.9f, 0.1f, 1.7f};

/* What is said to the sampler, and beside it to the ideal. */
#define BIASES "--logit-bias 1-0.8 --logit-bias 6-inf --logit-bias 7+1.5 "
static inline void
ideal_biases(struct ideal *x, double unused)
{
	(void)unused;
	x->logit[1] -= 0.8;
	x->gone[6] = true;
	x->logit[7] += 1.5;
}

#define PROMPT "--prompt 1,15,15,1,7,2,4,4,3,1 "
static const unsigned seen[IDEAL_VOCAB] = {[1] = 3, 1, 1, 2, [7] = 1, [15] = 2};

/* To go on with 3 would repeat three ids, one more than two. */
#define REPETITION "--prompt 5,1,10,3,5,1,10 --dry-allowed-length 2 "
static inline void
ideal_dry(struct ideal *x, double penalty)
{
	x->logit[3] -= penalty;
}

static const uint32_t mask = 0x5db7;
static const char grammar[] = "root ::= [abdeghijkmop]*";
static const char lines[] = "a\nb\nc\nd\ne\nf\ng\nh\ni\nj\nk\nl\nm\nn\no\np\n";
static const uint32_t grammatical = 0xd7db;

struct law {
	const char *name, *args;
	struct ideal_step steps[STEPS_MAX];
	double coin;    /* how often xtc cuts, if that is one of the steps */
	unsigned draws; /* of each row, 16 where it is not given */
	bool masked, inside;
};

#define GOLEM "-V 16 --seed 1 --no-defaults "
#define STRICT "-V 16 --seed 2 --policy strict "
#define LLAMA "-V 16 --seed 3 --policy llama.cpp --no-defaults "
#define BY_ROW "--stream row "

static const struct law laws[] = {
    {.name = "golem", .args = GOLEM},
    {.name = "golem, top_k",
        .args = GOLEM "--top-k 6",
        .steps = {{ideal_top_k, 6}}},
    {.name = "golem, top_p",
        .args = GOLEM "--top-p 0.8",
        .steps = {{ideal_top_p, 0.8}}},
    {.name = "golem, min_p",
        .args = GOLEM "--min-p 0.3",
        .steps = {{ideal_min_p, 0.3}}},
    {.name = "golem, cold",
        .args = GOLEM "--temp 0.7",
        .steps = {{ideal_temperature, 0.7}}},
    {.name = "golem, hot",
        .args = GOLEM "--temp 1.8",
        .steps = {{ideal_temperature, 1.8}}},
    {.name = "golem, penalties",
        .args = GOLEM PROMPT
        "--repeat-penalty 1.3 --frequency-penalty 0.2 --presence-penalty 0.3",
        .steps = {{ideal_repeat, 1.3}, {ideal_frequency, 0.2},
            {ideal_presence, 0.3}}},
    {.name = "golem, biases",
        .args = GOLEM BIASES,
        .steps = {{ideal_biases, 0}}},
    {.name = "golem, mask", .args = GOLEM, .masked = true},
    {.name = "golem, min-keep",
        .args = GOLEM "--top-p 0.1 --min-keep 5",
        .steps = {{ideal_top_k, 5}}},
    {.name = "golem, temperature before top_p",
        .args = GOLEM "--temp 0.6 --top-p 0.8 --samplers 'temperature;top_p'",
        .steps = {{ideal_temperature, 0.6}, {ideal_top_p, 0.8}}},
    {.name = "golem, top_p before temperature",
        .args = GOLEM "--temp 0.6 --top-p 0.8",
        .steps = {{ideal_top_p, 0.8}, {ideal_temperature, 0.6}}},
    {.name = "golem, all together",
        .args = GOLEM BIASES PROMPT
        "--repeat-penalty 1.3 --frequency-penalty 0.2 --presence-penalty 0.3 "
        "--top-k 12 --top-p 0.9 --min-p 0.1 --temp 1.4",
        .steps = {{ideal_biases, 0}, {ideal_repeat, 1.3},
            {ideal_frequency, 0.2}, {ideal_presence, 0.3}, {ideal_top_k, 12},
            {ideal_top_p, 0.9}, {ideal_min_p, 0.1}, {ideal_temperature, 1.4}},
        .masked = true},
    {.name = "golem, number by row", .args = GOLEM BY_ROW, .draws = 1},
    {.name = "golem, three draws by row",
        .args = GOLEM BY_ROW "--temp 0.8",
        .steps = {{ideal_temperature, 0.8}},
        .draws = 3},
    {.name = "golem, grammar", .args = GOLEM, .inside = true},
    {.name = "golem, grammar and stages",
        .args = GOLEM "--top-k 7 --temp 1.2",
        .steps = {{ideal_top_k, 7}, {ideal_temperature, 1.2}},
        .inside = true},
    {.name = "golem, grammar and mask",
        .args = GOLEM "--min-p 0.2",
        .steps = {{ideal_min_p, 0.2}},
        .masked = true,
        .inside = true},
    {.name = "golem, grammar, by row",
        .args = GOLEM BY_ROW,
        .inside = true,
        .draws = 2},
    {.name = "llama.cpp", .args = LLAMA},
    {.name = "llama.cpp, top_k",
        .args = LLAMA "--top-k 6",
        .steps = {{ideal_top_k, 6}}},
    {.name = "llama.cpp, top_p",
        .args = LLAMA "--top-p 0.8",
        .steps = {{ideal_top_p, 0.8}}},
    {.name = "llama.cpp, min_p",
        .args = LLAMA "--min-p 0.3",
        .steps = {{ideal_min_p, 0.3}}},
    {.name = "llama.cpp, cold",
        .args = LLAMA "--temp 0.7",
        .steps = {{ideal_temperature, 0.7}}},
    {.name = "llama.cpp, hot",
        .args = LLAMA "--temp 1.8",
        .steps = {{ideal_temperature, 1.8}}},
    {.name = "llama.cpp, penalties",
        .args = LLAMA PROMPT
        "--repeat-penalty 1.3 --frequency-penalty 0.2 --presence-penalty 0.3",
        .steps = {{ideal_repeat, 1.3}, {ideal_frequency, 0.2},
            {ideal_presence, 0.3}}},
    {.name = "llama.cpp, biases",
        .args = LLAMA BIASES,
        .steps = {{ideal_biases, 0}}},
    {.name = "llama.cpp, mask", .args = LLAMA, .masked = true},
    {.name = "llama.cpp, min-keep",
        .args = LLAMA "--top-p 0.1 --min-keep 5",
        .steps = {{ideal_top_k, 5}}},
    {.name = "llama.cpp, temperature before top_p",
        .args = LLAMA "--temp 0.6 --top-p 0.8 --samplers 'temperature;top_p'",
        .steps = {{ideal_temperature, 0.6}, {ideal_top_p, 0.8}}},
    {.name = "llama.cpp, top_p before temperature",
        .args = LLAMA "--temp 0.6 --top-p 0.8",
        .steps = {{ideal_top_p, 0.8}, {ideal_temperature, 0.6}}},
    {.name = "llama.cpp, all together",
        .args = LLAMA BIASES PROMPT
        "--repeat-penalty 1.3 --frequency-penalty 0.2 --presence-penalty 0.3 "
        "--top-k 12 --top-p 0.9 --min-p 0.1 --temp 1.4",
        .steps = {{ideal_biases, 0}, {ideal_repeat, 1.3},
            {ideal_frequency, 0.2}, {ideal_presence, 0.3}, {ideal_top_k, 12},
            {ideal_top_p, 0.9}, {ideal_min_p, 0.1}, {ideal_temperature, 1.4}},
        .masked = true},
    {.name = "llama.cpp, number by row", .args = LLAMA BY_ROW, .draws = 1},
    {.name = "llama.cpp, three draws by row",
        .args = LLAMA BY_ROW "--temp 0.8",
        .steps = {{ideal_temperature, 0.8}},
        .draws = 3},
    {.name = "llama.cpp, grammar", .args = LLAMA, .inside = true},
    {.name = "llama.cpp, grammar and stages",
        .args = LLAMA "--top-k 7 --temp 1.2",
        .steps = {{ideal_top_k, 7}, {ideal_temperature, 1.2}},
        .inside = true},
    {.name = "llama.cpp, grammar and mask",
        .args = LLAMA "--min-p 0.2",
        .steps = {{ideal_min_p, 0.2}},
        .masked = true,
        .inside = true},
    {.name = "llama.cpp, grammar, by row",
        .args = LLAMA BY_ROW,
        .inside = true,
        .draws = 2},
    {.name = "golem's defaults",
        .args = "-V 16 --seed 4",
        .steps = {{ideal_top_p, 0.95}, {ideal_min_p, 0.05}}},
    {.name = "the defaults of llama.cpp",
        .args = "-V 16 --seed 5 --policy llama.cpp",
        .steps = {{ideal_top_p, 0.95}, {ideal_min_p, 0.05},
            {ideal_temperature, 0.8}}},
    {.name = "top_n_sigma, llama.cpp",
        .args = "-V 16 --seed 6 --no-defaults --policy llama.cpp "
                "--top-nsigma 1.3",
        .steps = {{ideal_sigma, 1.3}}},
    {.name = "the defaults of llama.cpp-2026-07",
        .args = "-V 16 --seed 5 --policy llama.cpp-2026-07",
        .steps = {{ideal_top_p, 0.95}, {ideal_min_p, 0.05},
            {ideal_temperature, 0.8}}},
    {.name = "top_n_sigma, llama.cpp-2026-07",
        .args = "-V 16 --seed 6 --no-defaults --policy llama.cpp-2026-07 "
                "--top-nsigma 1.3",
        .steps = {{ideal_sigma, 1.3}}},
    {.name = "the defaults of llama.cpp-2026-05",
        .args = "-V 16 --seed 5 --policy llama.cpp-2026-05",
        .steps = {{ideal_top_p, 0.95}, {ideal_min_p, 0.05},
            {ideal_temperature, 0.8}}},
    {.name = "top_n_sigma, llama.cpp-2026-05",
        .args = "-V 16 --seed 6 --no-defaults --policy llama.cpp-2026-05 "
                "--top-nsigma 1.3",
        .steps = {{ideal_sigma, 1.3}}},
    {.name = "typ_p",
        .args = LLAMA "--typical 0.7",
        .steps = {{ideal_typical, 0.7}}},
    {.name = "typ_p and temperature",
        .args = LLAMA "--typical 0.6 --temp 0.8",
        .steps = {{ideal_typical, 0.6}, {ideal_temperature, 0.8}}},
    {.name = "dry",
        .args = LLAMA REPETITION "--dry-multiplier 0.8 --dry-base 1.75",
        .steps = {{ideal_dry, 0.8 * 1.75}}},
    {.name = "temperature within a range",
        .args = LLAMA "--temp 0.9 --dynatemp-range 0.5 --dynatemp-exp 1.5",
        .steps = {{ideal_dynamic, 0.9}}},
    {.name = "top_k, temperature within a range",
        .args = LLAMA "--top-k 9 --temp 1.1 --dynatemp-range 0.5 "
                      "--dynatemp-exp 1.5",
        .steps = {{ideal_top_k, 9}, {ideal_dynamic, 1.1}}},
    {.name = "xtc",
        .args = LLAMA "--xtc-probability 0.4 --xtc-threshold 0.1",
        .steps = {{ideal_xtc, 0.1}},
        .coin = 0.4,
        .draws = 1},
    {.name = "xtc between stages",
        .args = LLAMA "--top-k 10 --xtc-probability 0.7 --xtc-threshold 0.12 "
                      "--temp 1.2",
        .steps = {{ideal_top_k, 10}, {ideal_xtc, 0.12},
            {ideal_temperature, 1.2}},
        .coin = 0.7,
        .draws = 1},
    {.name = "xtc, number by row",
        .args = LLAMA BY_ROW "--xtc-probability 0.4 --xtc-threshold 0.1",
        .steps = {{ideal_xtc, 0.1}},
        .coin = 0.4,
        .draws = 1},
    {.name = "xtc always",
        .args = LLAMA "--xtc-probability 1 --xtc-threshold 0.1",
        .steps = {{ideal_xtc, 0.1}},
        .coin = 1,
        .draws = 1},
    {.name = "the first row of mirostat 1",
        .args = LLAMA "--mirostat 1 --mirostat-ent 1.7",
        .steps = {{ideal_zipf, 3.4}}},
    {.name = "the first row of mirostat 2",
        .args = LLAMA "--mirostat 2 --mirostat-ent 1.8 --temp 1.1",
        .steps = {{ideal_temperature, 1.1}, {ideal_surprise, 3.6}}},
    {.name = "the first row of adaptive_p",
        .args = LLAMA "--samplers adaptive_p --adaptive-target 0.09",
        .steps = {{ideal_aim, 0.09}}},
    {.name = "adaptive_p behind stages",
        .args = LLAMA "--samplers 'top_k;temperature;adaptive_p' --top-k 9 "
                      "--temp 1.3 --adaptive-target 0.13",
        .steps = {{ideal_top_k, 9}, {ideal_temperature, 1.3},
            {ideal_aim, 0.13}}},
    {.name = "nearly all of llama.cpp",
        .args = LLAMA REPETITION BIASES
        "--dry-multiplier 0.5 --dry-base 1.75 "
        "--top-nsigma 1.6 --top-k 11 --typical 0.95 --top-p 0.97 --min-p 0.1 "
        "--xtc-probability 0.5 --xtc-threshold 0.14 --temp 0.9",
        .steps = {{ideal_biases, 0}, {ideal_dry, 0.5 * 1.75},
            {ideal_sigma, 1.6}, {ideal_top_k, 11}, {ideal_typical, 0.95},
            {ideal_top_p, 0.97}, {ideal_min_p, 0.1}, {ideal_xtc, 0.14},
            {ideal_temperature, 0.9}},
        .coin = 0.5,
        .draws = 1},
    {.name = "strict", .args = STRICT},
    {.name = "strict, cold",
        .args = STRICT "--temp 0.7",
        .steps = {{ideal_temperature, 0.7}}},
    {.name = "strict, hot, top_k",
        .args = STRICT "--temp 1.8 --top-k 9",
        .steps = {{ideal_top_k, 9}, {ideal_temperature, 1.8}}},
    {.name = "strict, mask", .args = STRICT, .masked = true},
    {.name = "strict, number by row",
        .args = STRICT BY_ROW "--top-k 9",
        .steps = {{ideal_top_k, 9}},
        .draws = 2},
    {.name = "strict, grammar",
        .args = STRICT "--temp 1.3",
        .steps = {{ideal_temperature, 1.3}},
        .inside = true},
};

#endif
