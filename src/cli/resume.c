/* SPDX-License-Identifier: MIT */
/* Settings out of a saved state, and what the command line has against it. */
#include "resume.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "print.h"
#include "table.h"

/* Room for a value in a message, and for how it goes on. */
enum { SHOWN = 64 };

static const struct pair *
next_of(const struct pairs *p, const char *name, size_t *i)
{
	for (; *i < p->size; ++*i)
		if (strcmp(p->list[*i].name, name) == 0)
			return &p->list[(*i)++];
	return NULL;
}

/* Are these the state's values of an option? */
static bool
is_same(const struct state *s, const char *name, const struct pairs *now)
{
	const struct pair *was;
	size_t at = 0;

	for (size_t i = 0; i < now->size; i++) {
		was = next_of(&s->settings, name, &at);
		if (was == NULL || strcmp(was->value, now->list[i].value) != 0)
			return false;
	}
	return next_of(&s->settings, name, &at) == NULL;
}

/* The values of that name, commas between, cut where it grows too long. */
static void
show(const struct pairs *p, const char *name, char text[SHOWN + 4])
{
	const struct pair *value;
	size_t at = 0, used = 0;

	strcpy(text, "none");
	while ((value = next_of(p, name, &at)) != NULL && used < SHOWN)
		used += (size_t)snprintf(text + used, SHOWN - used, "%s%s",
		    used > 0 ? "," : "", value->value);
	if (used >= SHOWN)
		strcpy(text + SHOWN - 1, "...");
	else if (text[0] == '\0')
		strcpy(text, "''");
}

/*
 * Does the command line say what the value is?  By the option, or by another
 * one: --no-defaults gives a value to what has one for being off.
 */
static bool
is_stated(const struct options *o, const struct option_row *row)
{
	if (o->given[row - option_table] ||
	    (o->no_defaults && row->off != NULL &&
	        row->fallback[o->policy] != NULL))
		return true;
	return (row->print == print_samplers && o->sampler_seq != NULL) ||
	    (row->print == print_biases && o->ignore_eos) ||
	    (row->print == print_breakers && o->breaker_texts.size > 0);
}

static bool
not_as_printed(const struct options *o, const char *name,
    const struct pairs *now, struct error *err)
{
	char was_text[SHOWN + 4], now_text[SHOWN + 4];

	show(&o->state->settings, name, was_text);
	show(now, name, now_text);
	return error_set(err, STATUS_FAILED,
	    "%s: line %zu: %s is '%s', which would be written '%s': "
	    "the file was changed",
	    o->state->file, pairs_find(&o->state->settings, name)->line, name,
	    was_text, now_text);
}

/* The value is not the state's: may that be? */
static bool
settle(struct options *o, size_t i, const struct pairs *now, struct error *err)
{
	const struct option_row *row = &option_table[i];
	char was_text[SHOWN + 4], now_text[SHOWN + 4];

	/* Forced, another policy may round it otherwise. */
	if (o->saved[i] && o->force_settings)
		return true;
	if (o->saved[i])
		return not_as_printed(o, row->name, now, err);
	/* The state is older than the setting, or the policy another. */
	if (!is_stated(o, row))
		return true;
	show(&o->state->settings, row->name, was_text);
	show(now, row->name, now_text);
	if (!o->force_settings)
		return error_set(err, STATUS_USAGE,
		    "--%s: %s here, %s in %s: leave it out to go on with "
		    "that, or change it with --force-settings",
		    row->name, now_text, was_text, o->state->file);
	message_note(
	    "--%s: %s from here on; it was %s", row->name, now_text, was_text);
	o->reseeded |= row->kind == KIND_SEED;
	return true;
}

static bool
check_value(struct options *o, const struct option_row *row, struct error *err)
{
	size_t i = (size_t)(row - option_table);
	struct pairs now = {0};
	bool good;

	good = print_value(o, row, &now, err);
	if (good && !is_same(o->state, row->name, &now))
		good = settle(o, i, &now, err);
	pairs_free(&now);
	return good;
}

static bool
check_together(const struct options *o, struct error *err)
{
	if (o->save_state != NULL && strcmp(o->save_state, "-") == 0)
		return error_set(err, STATUS_USAGE,
		    "--save-state: -: a state is a file, which is replaced as "
		    "a whole; name one");
	if (o->save_state != NULL && o->inspect)
		return error_set(err, STATUS_USAGE,
		    "--save-state: --inspect draws nothing: there is nothing "
		    "to save");
	if (o->load_state == NULL && o->force_settings)
		return error_set(err, STATUS_USAGE,
		    "--force-settings: for the settings in a state; there is "
		    "no --load-state");
	if (o->load_state != NULL && o->prompt_text != NULL)
		return error_set(err, STATUS_USAGE,
		    "--prompt: the prompt is part of what --load-state goes "
		    "on with; leave it out");
	if (o->load_state != NULL && o->exec != NULL)
		return error_set(err, STATUS_USAGE,
		    "--exec: a state does not hold the whole conversation, "
		    "which the model would have to be sent");
	return true;
}

static bool
state_error(const struct options *o, const struct pair *p, const char *what,
    struct error *err)
{
	return error_set(err, STATUS_FAILED, "%s: line %zu: %s: %s",
	    o->state->file, p->line, p->name, what);
}

/* A value of the state takes its place. */
static bool
set_saved(struct options *o, const struct option_row *row, const struct pair *p,
    struct error *err)
{
	struct error inner;

	o->saved[row - option_table] = true;
	if (row->kind == KIND_FLAG && strcmp(p->value, "no") == 0)
		return true;
	/* What was random, or in a file, then was written out. */
	if (row->kind == KIND_SEED && strcmp(p->value, "random") == 0)
		return state_error(o, p, "a state names a number", err);
	if (row->operand == OPERAND_AT_FILE && p->value[0] == '@')
		return state_error(o, p, "a state names no other file", err);
	if (options_set(o, row, p->value, &inner))
		return true;
	return state_error(o, p, inner.text, err);
}

bool
resume_open(struct options *o, struct error *err)
{
	const struct option_row *row = option_find("policy");
	const struct pair *p;

	if (!check_together(o, err))
		return false;
	if (o->load_state == NULL)
		return true;
	o->state = state_read(o->load_state, err);
	if (o->state == NULL)
		return false;
	p = pairs_find(&o->state->settings, row->name);
	if (p == NULL)
		return error_set(err, STATUS_FAILED,
		    "%s: there is no line 'setting policy'", o->state->file);
	if (!o->given[row - option_table])
		return set_saved(o, row, p, err);
	return check_value(o, row, err);
}

/* Forced, another policy may have no such setting. */
static bool
is_dropped(const struct options *o, const struct option_row *row)
{
	return o->force_settings && !option_is_taken(row, o->policy);
}

static bool
fill_one(struct options *o, const struct pair *p, bool seen[OPTIONS_MAX],
    struct error *err)
{
	const struct option_row *row = option_find(p->name);
	size_t i;

	if (row == NULL || !row->saved)
		return state_error(
		    o, p, "no setting that this tokpick knows", err);
	i = (size_t)(row - option_table);
	if (seen[i] && row->kind != KIND_LIST)
		return state_error(o, p, "for the second time", err);
	seen[i] = true;
	if (is_stated(o, row) || is_dropped(o, row) ||
	    row == option_find("policy"))
		return true;
	if (!option_is_taken(row, o->policy))
		return state_error(o, p, "the policy has no such setting", err);
	return set_saved(o, row, p, err);
}

bool
resume_fill(struct options *o, struct error *err)
{
	bool seen[OPTIONS_MAX] = {false};

	for (size_t i = 0; o->state != NULL && i < o->state->settings.size; i++)
		if (!fill_one(o, &o->state->settings.list[i], seen, err))
			return false;
	return true;
}

void
resume_blame(const struct options *o, struct error *err)
{
	struct error inner = *err;
	char where[SHOWN];

	for (size_t i = 0; o->state != NULL && i < option_count; i++) {
		snprintf(where, sizeof(where), "--%s: ", option_table[i].name);
		if (o->saved[i] &&
		    strncmp(inner.text, where, strlen(where)) == 0)
			state_error(o,
			    pairs_find(
			        &o->state->settings, option_table[i].name),
			    inner.text + strlen(where), err);
	}
}

/* --rng-state is no setting, but stands against the state as they do. */
static bool
check_rng_state(const struct options *o, struct error *err)
{
	const struct pair *rng = pairs_find(&o->state->memory, "rng");
	const char *was = rng != NULL ? strrchr(rng->value, ' ') : NULL;

	if (o->rng_state == NULL || o->force_settings || was == NULL ||
	    strcasecmp(o->rng_state, was + 1) == 0)
		return true;
	return error_set(err, STATUS_USAGE,
	    "--rng-state: %.*s here, %.*s in %s: leave it out to go on with "
	    "that, or change it with --force-settings",
	    SHOWN, o->rng_state, SHOWN, was + 1, o->state->file);
}

bool
resume_check(struct options *o, struct error *err)
{
	const char *was;

	if (o->state == NULL)
		return true;
	for (size_t i = 0; i < option_count; i++)
		if (option_table[i].saved && !option_table[i].of_rows &&
		    !check_value(o, &option_table[i], err))
			return false;
	if (!check_rng_state(o, err))
		return false;
	/* Forced, another policy may have another generator. */
	was = pairs_find(&o->state->settings, "policy")->value;
	for (size_t i = 0; policies[i] != NULL; i++)
		if (strcmp(policies[i]->name, was) == 0 &&
		    policies[i]->generator != o->sampling.generator)
			o->reseeded = true;
	return true;
}
