/* SPDX-License-Identifier: MIT */
/*
 * Settings for llama.cpp's chain at random: as words of a command line, and
 * as what the chain that goes by the letter is told.
 */
#ifndef TOKPICK_TEST_LLAMA_SETTINGS_H
#define TOKPICK_TEST_LLAMA_SETTINGS_H

#include "plain_llama.h"

#include "drawing.h"

struct trial {
	uint64_t random;
	size_t vocab;
	bool greedy; /* in all of them */
	bool traced;
	char command[2048], words[2048];
	size_t length;
	struct options options;
	float logits[PLAIN_VOCAB_MAX];
	uint32_t mask[PLAIN_VOCAB_MAX / 32 + 1];
	struct plain plain;
};

/* Settings, as words of a command line and as what they mean. */

static inline void
add(struct trial *t, const char *option, const char *value)
{
	t->length += (size_t)snprintf(t->command + t->length,
	    sizeof(t->command) - t->length, " --%s=%s", option, value);
	assert_true(t->length < sizeof(t->command));
}

static inline void
add_int(struct trial *t, const char *option, int64_t value)
{
	char text[24];

	snprintf(text, sizeof(text), "%lld", (long long)value);
	add(t, option, text);
}

/* One of several values; the first, the default, need not be given. */
static inline const char *
any(struct trial *t, const char *option, const char *const *values)
{
	size_t n = 0, i;

	while (values[n] != NULL)
		n++;
	i = random_below(&t->random, n);
	if (i > 0 || one_in(&t->random, 2))
		add(t, option, values[i]);
	return values[i];
}

#define NUMBER(option, ...) \
	strtof(any(t, option, (const char *const[]){__VA_ARGS__, NULL}), NULL)
#define WHOLE(option, ...)                                                \
	strtoll(any(t, option, (const char *const[]){__VA_ARGS__, NULL}), \
	    NULL, 10)

static inline void
add_policy(struct trial *t, struct plain_settings *s)
{
	static const char *const names[] = {
	    "llama.cpp", "llama.cpp-2026-07", "llama.cpp-2026-05"};
	size_t i = random_below(&t->random, LENGTH(names));

	add(t, "policy", names[i]);
	s->lone_draw = i == 0;
	s->sigma_sorts = i == 2;
}

/* Any stages in any order, by one of their names. */
static inline void
add_names(struct trial *t, struct plain_settings *s)
{
	const struct plain_stage *stage;
	char list[PLAIN_STAGES_MAX * 16] = "'";
	size_t names;

	for (size_t i = 0; i < s->n_stages; i++) {
		stage = s->stages[i];
		for (names = 0; names < LENGTH(stage->names); names++)
			if (stage->names[names] == NULL)
				break;
		strcat(list, i > 0 ? ";" : "");
		strcat(list, stage->names[random_below(&t->random, names)]);
	}
	strcat(list, "'");
	add(t, "samplers", list);
}

static inline void
add_letters(struct trial *t, const struct plain_settings *s)
{
	char list[PLAIN_STAGES_MAX + 3] = "'";

	for (size_t i = 0; i < s->n_stages; i++)
		list[1 + i] = s->stages[i]->letter;
	strcat(list, "'");
	add(t, "sampler-seq", list);
}

static inline void
usual_stages(struct plain_settings *s)
{
	for (s->n_stages = 0; s->n_stages + 1 < PLAIN_STAGES; s->n_stages++)
		s->stages[s->n_stages] = &plain_stages[s->n_stages];
}

static inline void
add_stages(struct trial *t, struct plain_settings *s)
{
	usual_stages(s);
	if (one_in(&t->random, 4))
		return;
	if (one_in(&t->random, 2))
		s->n_stages = random_below(&t->random, PLAIN_STAGES_MAX + 1);
	for (size_t i = 0; i < s->n_stages; i++)
		s->stages[i] =
		    &plain_stages[random_below(&t->random, PLAIN_STAGES)];
	if (one_in(&t->random, 2))
		add_names(t, s);
	else
		add_letters(t, s);
}

/* Mirostat leaves the list alone, and the temperature without a range. */
static inline void
add_mirostat(struct trial *t, struct plain_settings *s)
{
	s->mirostat = one_in(&t->random, 5)
	    ? 1 + (int64_t)random_below(&t->random, 2)
	    : 0;
	s->rate = NUMBER("mirostat-lr", "0.1", "0.9", "0", "3", "-0.5");
	s->entropy = NUMBER("mirostat-ent", "5", "2", "0.5", "0", "9", "-1");
	if (s->mirostat == 0)
		return;
	add_int(t, "mirostat", s->mirostat);
	s->stages[0] = &plain_stages[PLAIN_TEMPERATURE];
	s->n_stages = 1;
	s->range = 0;
}

/* Several may be for one token: they are added in the order given. */
static inline void
add_biases(struct trial *t, struct plain_settings *s)
{
	static const char *const adds[] = {
	    "-inf", "-inf", "+2", "-3", "+50", "+0", "+1e-45", "+3e38"};
	const char *text;
	char bias[32];

	s->n_biases = one_in(&t->random, 2)
	    ? 0
	    : random_below(&t->random, PLAIN_BIASES_MAX + 1);
	for (size_t i = 0; i < s->n_biases; i++) {
		text = adds[random_below(&t->random, LENGTH(adds))];
		s->biases[i].id = (uint32_t)random_below(&t->random, t->vocab);
		s->biases[i].add = strtof(text, NULL);
		snprintf(bias, sizeof(bias), "%u%s", s->biases[i].id, text);
		add(t, "logit-bias", bias);
	}
}

static inline void
add_top_k(struct trial *t, struct plain_settings *s)
{
	const int64_t vocab = (int64_t)t->vocab;
	const int64_t some[] = {40, 0, 0, -1, 1, 2, 5, 12, vocab - 1, vocab,
	    vocab + 1, INT64_MAX, INT64_MIN};

	s->top_k = some[random_below(&t->random, LENGTH(some))];
	if (s->top_k != 40 || one_in(&t->random, 2))
		add_int(t, "top-k", s->top_k);
}

static inline void
add_penalties(struct trial *t, struct plain_settings *s)
{
	s->last_n = WHOLE("repeat-last-n", "64", "0", "1", "3", "-1", "3000");
	s->repeat = NUMBER("repeat-penalty", "1", "1", "1.1", "2", "0.5", "0",
	    "1e-30", "3e38");
	s->frequency = NUMBER("frequency-penalty", "0", "0", "0.3", "-0.3",
	    "10", "3e38", "-3e38");
	s->presence = NUMBER("presence-penalty", "0", "0", "0.7", "-0.7", "20");
}

/* An -1 that is given is as far as the context, or 32768. */
static inline void
add_dry(struct trial *t, struct plain_settings *s)
{
	struct plain_dry *d = &s->dry;
	char ids[64];
	int64_t last_n, context = WHOLE("ctx-size", "0", "0", "5", "30");

	d->multiplier = NUMBER("dry-multiplier", "0", "0.8", "5", "-0.5");
	d->base = NUMBER(
	    "dry-base", "1.75", "2", "1", "1.000002", "3e38", "0.9", "-3");
	if (d->base < 1)
		d->base = 1.75f;
	d->allowed = (size_t)WHOLE("dry-allowed-length", "2", "0", "1", "5");
	last_n = WHOLE("dry-penalty-last-n", "64", "0", "1", "7", "-1");
	if (last_n < 0)
		last_n = context > 0 ? context : 32768;
	d->last_n = (size_t)last_n;
	d->n_breakers = 0;
	for (size_t n = random_below(&t->random, BREAKERS_MAX + 1); n > 0; n--)
		plain_dry_break(d, &t->random, t->vocab < 6 ? t->vocab : 6);
	for (size_t b = 0; b < d->n_breakers; b++) {
		ids[0] = '\0';
		for (size_t i = 0; i < d->breakers[b].size; i++)
			snprintf(ids + strlen(ids), sizeof(ids) - strlen(ids),
			    "%u,", d->breakers[b].ids[i]);
		add(t, "dry-breaker", ids);
	}
}

static inline void
add_cuts(struct trial *t, struct plain_settings *s)
{
	add_top_k(t, s);
	s->top_p = NUMBER(
	    "top-p", "0.95", "0.5", "0.1", "0.999", "0", "1", "2", "-1");
	s->min_p = NUMBER("min-p", "0.05", "0", "0.5", "1e-10", "1", "-1");
	s->typical = NUMBER(
	    "typical", "1", "0.2", "0.6", "0.99", "0", "2", "-1");
	s->n_sigma = NUMBER("top-nsigma", "-1", "0", "0.5", "1", "2.5", "30");
	s->xtc_probability = NUMBER("xtc-probability", "0", "0.5", "1", "-1");
	s->xtc_threshold = NUMBER(
	    "xtc-threshold", "0.1", "0.02", "0", "0.5", "0.6", "-1");
	s->min_keep = WHOLE("min-keep", "0", "0", "1", "3", "1000");
}

/* A temperature below 0 is as 0.  Greedy draws are not about it. */
static inline void
add_temperature(struct trial *t, struct plain_settings *s)
{
	if (t->greedy) {
		add(t, "temp", "1");
		s->temp = 1;
		return;
	}
	s->temp = NUMBER("temp", "0.8", "0.8", "1.5", "1", "30", "0.001",
	    "1e-38", "1e-45", "3e38", "0", "-1");
	if (s->temp < 0)
		s->temp = 0;
	s->range = NUMBER("dynatemp-range", "0", "0", "0.5", "2", "-1");
	s->exponent = NUMBER("dynatemp-exp", "1", "0", "0.5", "2.5");
}

/* adaptive_p is rare among random stages: it is often off, too. */
static inline void
add_adaptive(struct trial *t, struct plain_settings *s)
{
	s->target = NUMBER("adaptive-target", "-1", "0", "0.3", "0.6", "1");
	s->decay = NUMBER("adaptive-decay", "0.9", "0", "0.5", "0.99", "1");
	if (s->decay > 0.99f)
		s->decay = 0.99f;
}

static inline void
random_settings(struct trial *t)
{
	struct plain_settings *s = &t->plain.set;

	*s = (struct plain_settings){
	    .generator = &generator_mt19937, .greedy = t->greedy};
	t->length = 0;
	add_policy(t, s);
	add_int(t, "vocab", (int64_t)t->vocab);
	add_int(t, "seed", (int64_t)random_below(&t->random, UINT32_MAX));
	add_stages(t, s);
	add_penalties(t, s);
	add_dry(t, s);
	add_cuts(t, s);
	add_temperature(t, s);
	add_adaptive(t, s);
	add_mirostat(t, s);
	add_biases(t, s);
	if (t->traced)
		add(t, "output", "jsonl");
	strcat(t->command, t->greedy ? " --greedy -q" : " -q");
	strcpy(t->words, t->command);
	parse_options(&t->options, t->words);
	t->options.sampling.masked = one_in(&t->random, 4);
}

#endif
