/* SPDX-License-Identifier: MIT */
/* Settings out of a model file: what nothing that goes before it says. */
#include "model.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "table.h"

/* The option that each of gguf_setting_keys[] is a value of. */
static const char *const option_names[GGUF_SETTINGS] = {"samplers", "top-k",
    "top-p", "min-p", "xtc-probability", "xtc-threshold", "temp",
    "repeat-last-n", "repeat-penalty", "mirostat", "mirostat-ent",
    "mirostat-lr"};

/* A state may go on with another limit only if told to. */
static bool
lower_limit(struct options *o, int64_t tokens, struct error *err)
{
	bool *saved = &o->saved[option_find("limit-ids") - option_table];

	message_note("%s: %" PRId64 " tokens: ids %" PRId64 " to %" PRId64
	             " are never drawn",
	    o->gguf, tokens, tokens, o->vocab - 1);
	if (o->limit_ids > 0 && o->limit_ids <= tokens)
		return true;
	if (*saved && !o->force_settings)
		return error_set(err, STATUS_USAGE,
		    "--gguf: %s has %" PRId64 " tokens, and %s was saved with "
		    "%" PRId64 ": give the same model, or change it with "
		    "--force-settings",
		    o->gguf, tokens, o->state->file, o->limit_ids);
	*saved = false;
	o->limit_ids = tokens;
	return true;
}

bool
model_open(struct options *o, struct error *err)
{
	int64_t tokens;

	if (o->gguf == NULL)
		return true;
	if (o->model == NULL) /* a sweep reads it once for all */
		o->model = gguf_read(o->gguf, err);
	if (o->model == NULL)
		return false;
	tokens = (int64_t)gguf_tokens(o->model);
	return model_widen(o, o->vocab == 0 ? tokens : o->vocab, err);
}

bool
model_widen(struct options *o, int64_t vocab, struct error *err)
{
	int64_t tokens;

	o->vocab = vocab;
	if (o->model == NULL)
		return true;
	tokens = (int64_t)gguf_tokens(o->model);
	if (tokens > o->vocab)
		message_note("%s: %" PRId64 " tokens, of which rows have the "
		             "first %" PRId64,
		    o->gguf, tokens, o->vocab);
	return tokens == 0 || tokens >= o->vocab || lower_limit(o, tokens, err);
}

/* Leave out of a sequence, in its place, the stages the policy lacks. */
static void
drop_stages(const struct options *o, char *sequence)
{
	const struct policy *policy = policies[o->policy];
	char *from = sequence, *to = sequence;
	size_t length;

	for (; *from != '\0'; from += length + (from[length] == ';')) {
		length = strcspn(from, ";");
		if (policy_stage(policy, from, length) == NULL) {
			message_note("%s: general.sampling.sequence: the %s "
			             "policy has no stage '%.*s': left out",
			    o->gguf, policy->name,
			    length < 40 ? (int)length : 40, from);
			continue;
		}
		if (to > sequence)
			*to++ = ';';
		memmove(to, from, length);
		to += length;
	}
	*to = '\0';
}

static bool
fill_one(struct options *o, size_t i, struct error *err)
{
	const struct option_row *row = option_find(option_names[i]);
	struct gguf_value *v = &o->model->settings[i];
	size_t at = (size_t)(row - option_table);

	if (v->text == NULL || o->given[at] || o->saved[at] ||
	    (i == 0 && o->sampler_seq != NULL))
		return true;
	if (!option_is_taken(row, o->policy)) {
		message_note("%s: general.sampling.%s: the %s policy has no "
		             "such setting: left out",
		    o->gguf, gguf_setting_keys[i], policy_names[o->policy]);
		return true;
	}
	if (strcmp(row->name, "samplers") == 0)
		drop_stages(o, v->text);
	o->modelled[at] = true;
	if (options_set(o, row, v->text, err))
		return true;
	model_blame(o, err);
	return false;
}

bool
model_fill(struct options *o, struct error *err)
{
	if (o->model == NULL || o->no_defaults)
		return true;
	for (size_t i = 0; i < GGUF_SETTINGS; i++)
		if (!fill_one(o, i, err))
			return false;
	return true;
}

bool
model_ends(struct options *o, struct error *err)
{
	struct ids *ends = &o->stop.ends;
	size_t limit = options_limit(o);

	if (o->model == NULL || o->model->n_ends == 0)
		return true;
	ends->list = malloc(o->model->n_ends * sizeof(*ends->list));
	if (ends->list == NULL)
		return error_system(err, ENOMEM, "--gguf: %s", o->gguf);
	for (size_t i = 0; i < o->model->n_ends; i++)
		if (limit == 0 || o->model->ends[i] < limit)
			ends->list[ends->size++] = o->model->ends[i];
	return true;
}

void
model_blame(const struct options *o, struct error *err)
{
	struct error inner = *err;
	char where[40];
	size_t n, at;

	for (size_t i = 0; o->model != NULL && i < GGUF_SETTINGS; i++) {
		at = (size_t)(option_find(option_names[i]) - option_table);
		n = (size_t)snprintf(
		    where, sizeof(where), "--%s: ", option_names[i]);
		if (o->modelled[at] && strncmp(inner.text, where, n) == 0)
			error_set(err, STATUS_FAILED,
			    "%s: byte %" PRIu64 ": general.sampling.%s: %s",
			    o->gguf, o->model->settings[i].at,
			    gguf_setting_keys[i], inner.text + n);
	}
}

bool
model_show(struct options *o, struct error *err)
{
	if (o->gguf == NULL)
		return error_set(err, STATUS_USAGE,
		    "--show-model: name the model with --gguf FILE");
	o->action = ACTION_SHOW_MODEL;
	o->model = gguf_read(o->gguf, err);
	return o->model != NULL;
}
