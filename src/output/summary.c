/* SPDX-License-Identifier: MIT */
/* The summary: what a run did, as one JSON object. */
#include "summary.h"

#include <float.h>

#include "json.h"

static void
put_biases(struct json *j, const struct sampling *s)
{
	json_open(j, "logit_bias", '[');
	for (size_t i = 0; i < s->n_biases; i++) {
		json_open(j, NULL, '[');
		json_unsigned(j, NULL, s->biases[i].id);
		if (s->biases[i].add < -FLT_MAX)
			json_string(j, NULL, "-inf");
		else
			json_float(j, NULL, s->biases[i].add);
		json_close(j, ']');
	}
	json_close(j, ']');
}

static void
put_temp(struct json *j, const struct sampling *s)
{
	if (s->policy->wide)
		json_double(j, "temp", s->temp.wide);
	else
		json_float(j, "temp", s->temp.narrow);
}

/* What only policies made of stages have. */
static void
put_chain(struct json *j, const struct sampling *s)
{
	json_open(j, "samplers", '[');
	for (size_t i = 0; i < s->n_stages; i++)
		json_string(j, NULL, s->stages[i]->name);
	json_close(j, ']');
	json_signed(j, "top_k", s->top_k);
	json_float(j, "top_p", s->top_p);
	json_float(j, "min_p", s->min_p);
	json_signed(j, "min_keep", s->min_keep);
	json_signed(j, "repeat_last_n", s->repeat_last_n);
	json_float(j, "repeat_penalty", s->repeat_penalty);
	json_float(j, "frequency_penalty", s->frequency_penalty);
	json_float(j, "presence_penalty", s->presence_penalty);
	put_biases(j, s);
}

/* What llama.cpp's chain has beyond that. */
static void
put_llama(struct json *j, const struct sampling *s)
{
	json_string(j, "finish", s->finish->name);
	json_float(j, "typical", s->typical);
	json_float(j, "top_nsigma", s->top_nsigma);
	json_float(j, "xtc_probability", s->xtc_probability);
	json_float(j, "xtc_threshold", s->xtc_threshold);
	json_float(j, "dynatemp_range", s->dynatemp_range);
	json_float(j, "dynatemp_exp", s->dynatemp_exponent);
	json_float(j, "dry_multiplier", s->dry_multiplier);
	json_float(j, "dry_base", s->dry_base);
	json_signed(j, "dry_allowed_length", s->dry_allowed_length);
	json_signed(j, "dry_penalty_last_n", s->dry_last_n);
	json_float(j, "mirostat_lr", s->mirostat_rate);
	json_float(j, "mirostat_ent", s->mirostat_entropy);
	json_float(j, "adaptive_target", s->adaptive_target);
	json_float(j, "adaptive_decay", s->adaptive_decay);
}

static void
put_settings(struct json *j, const struct sampling *s)
{
	json_open(j, "settings", '{');
	json_string(j, "policy", s->policy->name);
	json_bool(j, "greedy", s->greedy);
	put_temp(j, s);
	if (!s->policy->wide)
		put_chain(j, s);
	else if (s->top_k_given)
		json_signed(j, "top_k", s->top_k);
	if (s->policy->extra[0] != NULL)
		put_llama(j, s);
	json_close(j, '}');
}

bool
summary_write(struct buffer *buffer, const struct outcome *o, struct error *err)
{
	char state[RNG_TEXT];
	struct json j;

	json_begin(&j, buffer, err);
	json_open(&j, NULL, '{');
	json_unsigned(&j, "rows", o->rows);
	json_unsigned(&j, "tokens", o->tokens);
	json_unsigned(&j, "prompt", o->prompt);
	if (o->sequences > 0)
		json_unsigned(&j, "sequences", o->sequences);
	if (o->looped)
		json_unsigned(&j, "model_calls", o->model_calls);
	json_unsigned(&j, "vocab", o->vocab);
	if (o->limit < o->vocab)
		json_unsigned(&j, "limit_ids", o->limit);
	json_string(&j, "stop", stop_name(o->stop));
	if (o->error != NULL)
		json_string(&j, "error", o->error->text);
	json_unsigned(&j, "seed", o->settings->seed);
	json_string(&j, "generator", o->settings->generator->name);
	if (o->sampler != NULL) {
		rng_print(
		    o->settings->generator, sampler_rng(o->sampler), state);
		json_string(&j, "rng_state", state);
	}
	put_settings(&j, o->settings);
	json_close(&j, '}');
	return json_end(&j);
}
