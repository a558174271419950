/* SPDX-License-Identifier: MIT */
/* What a sampler remembers from row to row, as texts and back. */
#include "memory.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../constraint/constraint.h"
#include "dry.h"

/* Digits that tell any two floats apart, and the longest id with a blank. */
enum { FLOAT_DIGITS = 9, ID_ROOM = 11 };

/* Whose memory, or whose to be. */
struct owner {
	const struct sampling *settings;
	struct rng *rng;
	struct chain *chain;
};

/* One thing that is remembered. */
struct memory_row {
	const char *name;
	bool generator;
	bool (*in_use)(const struct owner *);
	/* The value as a text that is the caller's to free, or NULL. */
	char *(*print)(const struct owner *);
	bool (*parse)(const struct owner *, const char *text, struct error *);
};

/* --- Generators: "pcg-dxsm 0123…" ---------------------------------------- */

static char *
print_state(const struct generator *g, const struct rng *rng)
{
	size_t room = strlen(g->name) + 1 + RNG_TEXT;
	char *text = malloc(room), state[RNG_TEXT];

	if (text == NULL)
		return NULL;
	rng_print(g, rng, state);
	snprintf(text, room, "%s %s", g->name, state);
	return text;
}

static bool
parse_state(
    const struct owner *o, const char *text, struct rng *rng, struct error *err)
{
	const struct generator *g = o->settings->generator;
	size_t length = strlen(g->name);

	if (strncmp(text, g->name, length) == 0 && text[length] == ' ' &&
	    rng_parse(g, text + length + 1, rng))
		return true;
	return error_set(err, STATUS_FAILED,
	    "'%.40s' is no state of %s, with which the %s policy draws", text,
	    g->name, o->settings->policy->name);
}

static bool
always(const struct owner *o)
{
	(void)o;
	return true;
}

static char *
print_rng(const struct owner *o)
{
	return print_state(o->settings->generator, o->rng);
}

static bool
parse_rng(const struct owner *o, const char *text, struct error *err)
{
	return parse_state(o, text, o->rng, err);
}

static bool
has_coin(const struct owner *o)
{
	return sampling_has(o->settings, &stage_xtc) &&
	    stage_xtc.is_on(o->settings);
}

static char *
print_coin(const struct owner *o)
{
	return print_state(o->settings->generator, &o->chain->memory->coin);
}

static bool
parse_coin(const struct owner *o, const char *text, struct error *err)
{
	return parse_state(o, text, &o->chain->memory->coin, err);
}

/* --- Numbers ------------------------------------------------------------- */

/* Settings as large as floats come to NaN, whose sign is the processor's. */
static double
without_sign(float value)
{
	return isnan(value) ? (double)NAN : (double)value;
}

static char *
print_floats(float a, const float *b)
{
	const size_t room = 64;
	char *text = malloc(room);

	if (text == NULL)
		return NULL;
	if (b == NULL)
		snprintf(text, room, "%.*g", FLOAT_DIGITS, without_sign(a));
	else
		snprintf(text, room, "%.*g %.*g", FLOAT_DIGITS, without_sign(a),
		    FLOAT_DIGITS, without_sign(*b));
	return text;
}

/* A number, up to what is to stand behind it; *text moves past that. */
static bool
read_float(const char **text, char behind, float *value)
{
	char *end;

	*value = strtof(*text, &end);
	if (end == *text || *end != behind)
		return false;
	*text = end + 1;
	return true;
}

static bool
has_mu(const struct owner *o)
{
	return o->settings->finish == &finish_mirostat_1 ||
	    o->settings->finish == &finish_mirostat_2;
}

static char *
print_mu(const struct owner *o)
{
	return print_floats(o->chain->memory->mu, NULL);
}

static bool
parse_mu(const struct owner *o, const char *text, struct error *err)
{
	const char *at = text;

	if (read_float(&at, '\0', &o->chain->memory->mu))
		return true;
	return error_set(err, STATUS_FAILED, "'%.60s' is not a number", text);
}

static bool
has_sums(const struct owner *o)
{
	return o->settings->finish == &finish_adaptive_p;
}

static char *
print_sums(const struct owner *o)
{
	return print_floats(
	    o->chain->memory->weighted, &o->chain->memory->weight);
}

static bool
parse_sums(const struct owner *o, const char *text, struct error *err)
{
	const char *at = text;

	if (read_float(&at, ' ', &o->chain->memory->weighted) &&
	    read_float(&at, '\0', &o->chain->memory->weight))
		return true;
	return error_set(
	    err, STATUS_FAILED, "'%.60s' is not two numbers", text);
}

/* --- The ids that dry looks back on, the oldest first -------------------- */

static bool
has_dry(const struct owner *o)
{
	return o->chain->dry != NULL;
}

static char *
print_dry(const struct owner *o)
{
	size_t n = dry_size(o->chain->dry), used = 0;
	char *text = calloc(n + 1, ID_ROOM);

	for (size_t i = 0; text != NULL && i < n; i++)
		used += (size_t)snprintf(text + used, ID_ROOM + 1, "%s%" PRIu32,
		    i > 0 ? " " : "", dry_at(o->chain->dry, i));
	return text;
}

static bool
parse_dry(const struct owner *o, const char *text, struct error *err)
{
	unsigned long id;
	char *end;

	while (*text != '\0') {
		id = strtoul(text, &end, 10);
		if (*text < '0' || id > INT32_MAX ||
		    (*end != ' ' && *end != '\0') ||
		    (*end == ' ' && end[1] == '\0'))
			return error_set(err, STATUS_FAILED,
			    "'%.20s' is no id of 0 to %d", text, INT32_MAX);
		dry_join(o->chain->dry, (uint32_t)id);
		text = end + (*end == ' ');
	}
	return true;
}

/* --- Where in the grammar the next token stands -------------------------- */

static bool
has_grammar(const struct owner *o)
{
	return o->settings->inside != NULL;
}

static char *
print_grammar(const struct owner *o)
{
	struct error unheard; /* memory is all that can run out */

	return constraint_print(o->settings->inside, &unheard);
}

static bool
parse_grammar(const struct owner *o, const char *text, struct error *err)
{
	return constraint_parse(o->settings->inside, text, err);
}

static const struct memory_row rows[] = {
    {"rng", true, always, print_rng, parse_rng},
    {"xtc-rng", true, has_coin, print_coin, parse_coin},
    {"mirostat-mu", false, has_mu, print_mu, parse_mu},
    {"adaptive-sums", false, has_sums, print_sums, parse_sums},
    {"dry", false, has_dry, print_dry, parse_dry},
    {"grammar", false, has_grammar, print_grammar, parse_grammar},
};
enum { ROWS = sizeof(rows) / sizeof(rows[0]) };

bool
memory_print(const struct sampling *settings, const struct rng *rng,
    const struct chain *chain, struct pairs *to, struct error *err)
{
	/* Printing changes nothing. */
	const struct owner owner = {settings, (struct rng *)(uintptr_t)rng,
	    (struct chain *)(uintptr_t)chain};
	char *text;
	bool good;

	for (size_t i = 0; i < ROWS; i++) {
		if (!rows[i].in_use(&owner))
			continue;
		text = rows[i].print(&owner);
		if (text == NULL)
			return error_system(err, ENOMEM, "%s", rows[i].name);
		good = pairs_add(to, rows[i].name, text, 0, err);
		free(text);
		if (!good)
			return false;
	}
	return true;
}

bool
memory_parse(const struct sampling *settings, struct rng *rng,
    struct chain *chain, const struct pair *p, bool reseeded, struct error *err)
{
	const struct owner owner = {settings, rng, chain};
	const struct memory_row *row = rows;

	while (strcmp(row->name, p->name) != 0) /* one of them, see memory.h */
		row++;
	return (reseeded && row->generator) ||
	    row->parse(&owner, p->value, err);
}
