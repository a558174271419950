/* SPDX-License-Identifier: MIT */
/* Lists given as arguments: token ids, biases, stages. */
#include "lists.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../input/slurp.h"
#include "../vocab/breakers.h"
#include "number.h"

/*
 * One more place in an array that doubles; NULL when memory runs out.  No
 * array is larger than half of what a size_t can tell.
 */
static void *
one_more(void *array, size_t used, size_t item)
{
	if ((used & (used - 1)) != 0) /* room until the next power of two */
		return array;
	return realloc(array, (used > 0 ? 2 * used : 1) * item);
}

/* A text to read a list from: the argument itself, or the file after @. */
static char *
text_of(const char *argument, const char **where, const char *option,
    struct error *err)
{
	struct error inner;
	size_t size;
	char *text;

	*where = option;
	if (argument[0] != '@') {
		text = strdup(argument);
		if (text == NULL)
			error_system(err, ENOMEM, "%s", option);
		return text;
	}
	*where = argument + 1;
	text = slurp(argument + 1, &size, &inner);
	if (text == NULL)
		error_set(err, inner.status, "%s: %s", option, inner.text);
	else if (strlen(text) != size) {
		error_set(err, STATUS_FAILED,
		    "%s: %s: not a text: it has a NUL byte at %zu", option,
		    argument + 1, strlen(text));
		free(text);
		text = NULL;
	}
	return text;
}

static bool
add_id(struct ids *ids, const char *word, const char *where, struct error *err)
{
	uint32_t *larger;
	int64_t id;

	if (!number_int(word, 0, INT32_MAX, &id, where, err))
		return false;
	larger = one_more(ids->list, ids->size, sizeof(*ids->list));
	if (larger == NULL)
		return error_system(
		    err, ENOMEM, "%s: %zu token ids", where, ids->size);
	ids->list = larger;
	ids->list[ids->size++] = (uint32_t)id;
	return true;
}

bool
lists_ids(const char *argument, const char *option, struct ids *ids,
    struct error *err)
{
	static const char between[] = ", \t\r\n\v\f";
	char *text, *word, *rest;
	const char *where;
	bool good = true;

	text = text_of(argument, &where, option, err);
	if (text == NULL)
		return false;
	for (word = strtok_r(text, between, &rest); good && word != NULL;
	     word = strtok_r(NULL, between, &rest))
		good = add_id(ids, word, where, err);
	free(text);
	return good;
}

bool
lists_ids_file(
    const char *file, const char *option, struct ids *ids, struct error *err)
{
	size_t room = strlen(file) + 2;
	char *argument = malloc(room);
	bool good;

	if (argument == NULL)
		return error_system(err, ENOMEM, "%s", option);
	snprintf(argument, room, "@%s", file);
	good = lists_ids(argument, option, ids, err);
	free(argument);
	return good;
}

/* ID+B or ID-B; B may be inf after a minus: the token is banned. */
static bool
parse_bias(char *text, const char *where, struct bias *bias, struct error *err)
{
	char *sign = text + strspn(text, "0123456789"), kept = *sign;
	int64_t id;

	if (sign == text || (kept != '+' && kept != '-'))
		return error_set(err, STATUS_USAGE,
		    "%s: '%s' is no bias: ID+B or ID-B is wanted", where, text);
	*sign = '\0';
	if (!number_int(text, 0, INT32_MAX, &id, where, err))
		return false;
	*sign = kept;
	bias->id = (uint32_t)id;
	bias->add = -INFINITY;
	return strcmp(sign, "-inf") == 0 ||
	    number_float(sign, 0, 0, &bias->add, where, err);
}

static bool
add_bias(struct sampling *s, char *text, const char *where, struct error *err)
{
	struct bias *larger;

	larger = one_more(s->biases, s->n_biases, sizeof(*s->biases));
	if (larger == NULL)
		return error_system(
		    err, ENOMEM, "%s: %zu biases", where, s->n_biases);
	s->biases = larger;
	if (!parse_bias(text, where, &s->biases[s->n_biases], err))
		return false;
	s->n_biases++;
	return true;
}

/* The biases of a file, one a line; blanks around them and empty lines. */
static bool
add_lines(struct sampling *s, char *text, const char *file, struct error *err)
{
	static const char blank[] = " \t\r\v\f";
	char *line, *end, where[512];

	for (size_t number = 1; text != NULL; number++) {
		line = text + strspn(text, blank);
		text = strchr(text, '\n');
		end = text != NULL ? text++ : line + strlen(line);
		while (end > line && strchr(blank, end[-1]) != NULL)
			end--;
		if (end <= line)
			continue;
		*end = '\0';
		snprintf(where, sizeof(where), "--logit-bias: %s: line %zu",
		    file, number);
		if (!add_bias(s, line, where, err))
			return false;
	}
	return true;
}

static bool
add_biases(struct sampling *s, const char *argument, struct error *err)
{
	const char *where;
	char *text;
	bool good;

	text = text_of(argument, &where, "--logit-bias", err);
	if (text == NULL)
		return false;
	good = argument[0] == '@' ? add_lines(s, text, where, err)
	                          : add_bias(s, text, where, err);
	free(text);
	return good;
}

/* Stable, so that the biases of one id are added in the order given. */
static void
sort_by_id(struct bias *list, struct bias *scratch, size_t n)
{
	size_t half = n / 2, left = 0, right = half;

	if (n < 2)
		return;
	sort_by_id(list, scratch, half);
	sort_by_id(list + half, scratch + half, n - half);
	for (size_t i = 0; i < n; i++) {
		if (right == n ||
		    (left < half && list[left].id <= list[right].id))
			scratch[i] = list[left++];
		else
			scratch[i] = list[right++];
	}
	memcpy(list, scratch, n * sizeof(*list));
}

bool
lists_ban(struct sampling *s, uint32_t id, struct error *err)
{
	struct bias *larger;

	larger = one_more(s->biases, s->n_biases, sizeof(*s->biases));
	if (larger == NULL)
		return error_system(err, ENOMEM, "a ban of token %u", id);
	s->biases = larger;
	s->biases[s->n_biases++] = (struct bias){id, -INFINITY};
	return true;
}

bool
lists_biases(const struct texts *texts, struct sampling *s, struct error *err)
{
	struct bias *scratch;

	for (size_t i = 0; i < texts->size; i++)
		if (!add_biases(s, texts->list[i], err))
			return false;
	if (s->n_biases < 2)
		return true;
	scratch = malloc(s->n_biases * sizeof(*scratch));
	if (scratch == NULL)
		return error_system(
		    err, ENOMEM, "--logit-bias: %zu biases", s->n_biases);
	sort_by_id(s->biases, scratch, s->n_biases);
	free(scratch);
	return true;
}

static bool
add_temp(struct temps *temps, const char *word, bool wide, struct error *err)
{
	struct temp *larger, temp;

	if (!number_double(word, &temp.wide, "--temp", err))
		return false;
	temp.narrow = (float)temp.wide;
	if (!wide && !number_float(word, 0, 0, &temp.narrow, "--temp", err))
		return false;
	larger = one_more(temps->list, temps->size, sizeof(*temps->list));
	if (larger == NULL)
		return error_system(err, ENOMEM, "--temp");
	temps->list = larger;
	temps->list[temps->size++] = temp;
	return true;
}

bool
lists_temps(const char *text, bool wide, struct temps *temps, struct error *err)
{
	char word[64];
	size_t length;

	for (;;) {
		length = strcspn(text, ",");
		if (length >= sizeof(word))
			return error_set(err, STATUS_USAGE,
			    "--temp: '%.20s...' is not a number", text);
		snprintf(word, sizeof(word), "%.*s", (int)length, text);
		if (!add_temp(temps, word, wide, err))
			return false;
		if (text[length] == '\0')
			return true;
		text += length + 1;
	}
}

static bool
unknown_stage(const struct policy *policy, const char *name, size_t length,
    struct error *err)
{
	error_set(err, STATUS_USAGE,
	    "--samplers: '%.*s' is no stage of the %s policy, which has",
	    length < 100 ? (int)length : 100, name, policy->name);
	for (size_t i = 0; policy->order[i] != NULL; i++)
		error_append(err, policy->order[i]->name);
	for (size_t i = 0; policy->extra[i] != NULL; i++)
		error_append(err, policy->extra[i]->name);
	return false;
}

static bool
add_stage(struct sampling *s, const struct stage *stage, struct error *err)
{
	const struct stage **larger;

	larger = one_more(s->stages, s->n_stages, sizeof(*s->stages));
	if (larger == NULL)
		return error_system(err, ENOMEM, "--samplers");
	s->stages = larger;
	s->stages[s->n_stages++] = stage;
	return true;
}

bool
lists_stages(const char *text, struct sampling *s, struct error *err)
{
	const struct stage *stage;
	size_t length;

	if (text == NULL) {
		for (size_t i = 0; s->policy->order[i] != NULL; i++)
			if (!add_stage(s, s->policy->order[i], err))
				return false;
		return true;
	}
	while (*text != '\0') {
		length = strcspn(text, ";");
		stage = policy_stage(s->policy, text, length);
		if (stage == NULL)
			return unknown_stage(s->policy, text, length, err);
		if (!add_stage(s, stage, err))
			return false;
		text += length;
		text += *text == ';';
	}
	return true;
}

static const struct stage *
stage_of_letter(const struct stage *const *stage, char letter)
{
	while (*stage != NULL && (*stage)->letter != letter)
		stage++;
	return *stage;
}

bool
lists_letters(const char *letters, struct sampling *s, struct error *err)
{
	const struct stage *stage;

	for (; *letters != '\0'; letters++) {
		stage = stage_of_letter(s->policy->order, *letters);
		if (stage == NULL)
			stage = stage_of_letter(s->policy->extra, *letters);
		if (stage == NULL)
			return error_set(err, STATUS_USAGE,
			    "--sampler-seq: '%c' is no stage's letter: "
			    "e penalties, d dry, s top_n_sigma, k top_k, "
			    "y typ_p, p top_p, m min_p, x xtc, "
			    "t temperature, a adaptive_p",
			    *letters);
		if (!add_stage(s, stage, err))
			return false;
	}
	return true;
}

bool
lists_breaker(const char *text, struct sampling *s, struct error *err)
{
	struct ids ids = {0};
	bool good;

	good = lists_ids(text, "--dry-breaker", &ids, err);
	if (good && ids.size == 0)
		good = error_set(err, STATUS_USAGE,
		    "--dry-breaker: no ids: the head comes first, 1,2,3");
	good = good &&
	    breakers_append(
	        &s->breakers, &s->n_breakers, ids.list, ids.size, err);
	free(ids.list);
	return good;
}
