/* SPDX-License-Identifier: MIT */
/* JSON lines: the trace of a draw, or a distribution, one object a row. */
#include "jsonl.h"

#include <math.h>

#include "../sampler/dmath.h"
#include "../utf8.h"
#include "json.h"
#include "trace.h"

/* One object in the making. */
struct line {
	struct json json;
	const struct sink *sink;
	const struct shown *shown;
};

/* As wide as it came: what reads back is the logit itself. */
static void
put_logit(struct line *l, const char *key, double value)
{
	if (l->shown->row->wide != NULL)
		json_double(&l->json, key, value);
	else
		json_float(&l->json, key, (float)value);
}

static bool
is_utf8(const char *bytes, size_t n)
{
	const unsigned char *at = (const unsigned char *)bytes;
	size_t length;

	for (; n > 0; at += length, n -= length) {
		length = utf8_length(at, n);
		if (length == 0)
			return false;
	}
	return true;
}

/* A piece that JSON can't hold as text stands beside it byte by byte. */
static void
put_piece(struct line *l, uint32_t id)
{
	const char *bytes;
	size_t n;

	if (!trace_piece(l->sink, id, &bytes, &n))
		return;
	json_text(&l->json, "piece", bytes, n);
	if (is_utf8(bytes, n))
		return;
	json_open(&l->json, "bytes", '[');
	for (size_t i = 0; i < n; i++)
		json_unsigned(&l->json, NULL, (unsigned char)bytes[i]);
	json_close(&l->json, ']');
}

static void
put_unit(struct line *l, bool random, double unit)
{
	if (random)
		json_double(&l->json, "u", unit);
	else
		json_null(&l->json, "u");
}

/* What the grammar refused before this was drawn, or could not better. */
static void
put_refused(struct line *l, const struct decision *d)
{
	if (d->dead_end)
		json_bool(&l->json, "dead_end", true);
	if (!d->again)
		return;
	json_open(&l->json, "refused", '{');
	json_unsigned(&l->json, "id", d->refused.id);
	put_piece(l, d->refused.id);
	json_double(&l->json, "p", d->refused.p);
	put_unit(l, d->refused.random, d->refused.unit);
	json_close(&l->json, '}');
}

static void
put_chance(struct line *l, const struct decision *d)
{
	put_unit(l, d->random, d->unit);
	json_open(&l->json, "interval", '[');
	json_double(&l->json, NULL, d->at.start);
	json_double(&l->json, NULL, d->at.end);
	json_close(&l->json, ']');
	put_refused(l, d);
}

static void
put_draw(struct line *l, const struct decision *d)
{
	const struct row *row = l->shown->row;

	json_unsigned(&l->json, "id", d->id);
	put_piece(l, d->id);
	put_logit(l, "logit", row_logit(row, d->id));
	json_double(&l->json, "p", d->p);
	json_double(&l->json, "logprob", math_log(d->p));
	json_unsigned(&l->json, "rank", trace_rank(row, d->id));
	put_chance(l, d);
}

static void
put_draws(struct line *l)
{
	const struct shown *shown = l->shown;

	if (shown->draws < 2)
		return;
	json_open(&l->json, "draws", '[');
	for (size_t i = 0; i < shown->draws; i++) {
		json_open(&l->json, NULL, '{');
		json_unsigned(&l->json, "id", shown->drawn[i].id);
		json_double(&l->json, "p", shown->drawn[i].p);
		put_chance(l, &shown->drawn[i]);
		json_close(&l->json, '}');
	}
	json_close(&l->json, ']');
}

static void
put_kept(struct line *l, const struct sampler *s)
{
	char name[STEP_NAME];

	json_open(&l->json, "kept", '{');
	for (size_t i = 0; i < sampler_steps(s); i++) {
		trace_step_name(s, i, name);
		json_unsigned(&l->json, name, sampler_step(s, i).left);
	}
	json_close(&l->json, '}');
}

/* Only what the settings have is told. */
static void
put_steering(struct line *l, const struct sampler *s)
{
	struct steering t = sampler_steering(s);
	const struct {
		const char *name;
		float value;
	} told[] = {
	    {"dynamic_temp", t.dynamic_temp},
	    {"coin", t.coin},
	    {"mu", t.mu},
	    {"weighted", t.weighted},
	    {"weight", t.weight},
	};
	bool any = false;

	for (size_t i = 0; i < sizeof(told) / sizeof(told[0]); i++) {
		if (isnan(told[i].value))
			continue;
		if (!any)
			json_open(&l->json, "state", '{');
		any = true;
		json_float(&l->json, told[i].name, told[i].value);
	}
	if (any)
		json_close(&l->json, '}');
}

static void
put_measures(struct line *l, const struct sampler *s)
{
	struct mass mass = sampler_mass(s);

	put_kept(l, s);
	put_steering(l, s);
	json_double(&l->json, "entropy", trace_entropy(s));
	json_double(&l->json, "retained_mass", mass.retained);
	json_double(&l->json, "removed_mass", mass.removed);
}

static void
put_candidate(struct line *l, const struct sampler *s, size_t rank)
{
	const struct row *row = l->shown->row;
	struct listed c = sampler_list(s, rank);
	char name[STEP_NAME];

	json_open(&l->json, NULL, '{');
	json_unsigned(&l->json, "id", c.id);
	put_piece(l, c.id);
	put_logit(l, "logit", row_logit(row, c.id));
	json_double(&l->json, "p", c.p);
	if (trace_removal(s, row, &c, name))
		json_string(&l->json, "removed", name);
	else
		json_null(&l->json, "removed");
	json_close(&l->json, '}');
}

static void
put_candidates(struct line *l, const struct sampler *s)
{
	size_t top = l->sink->top, n = sampler_listed(s);

	if (top == 0)
		return;
	json_open(&l->json, "candidates", '[');
	for (size_t rank = 0; rank < n && rank < top; rank++)
		put_candidate(l, s, rank);
	json_close(&l->json, ']');
}

/* The textbook tells what it retained from what may be drawn of that. */
static void
put_support(struct line *l, const struct sampler *s)
{
	const double *p = sampler_by_id(s);

	if (p == NULL)
		return;
	json_open(&l->json, "retained", '[');
	for (size_t rank = 0; rank < sampler_kept(s); rank++)
		json_unsigned(&l->json, NULL, sampler_list(s, rank).id);
	json_close(&l->json, ']');
	json_open(&l->json, "support", '[');
	for (size_t id = 0; id < l->shown->row->size; id++)
		if (p[id] > 0)
			json_unsigned(&l->json, NULL, id);
	json_close(&l->json, ']');
}

static void
put_temps(struct line *l)
{
	const struct shown *shown = l->shown;
	const struct sampler *s;

	json_open(&l->json, "temps", '[');
	for (size_t i = 0; i < shown->n_samplers; i++) {
		s = shown->samplers[i];
		json_open(&l->json, NULL, '{');
		if (shown->row->wide != NULL)
			json_double(&l->json, "temp", shown->temps[i].wide);
		else
			json_float(&l->json, "temp", shown->temps[i].narrow);
		put_measures(l, s);
		put_candidates(l, s);
		put_support(l, s);
		json_close(&l->json, '}');
	}
	json_close(&l->json, ']');
}

static void
put_distribution(struct line *l)
{
	const struct sampler *s = l->shown->samplers[0];

	put_measures(l, s);
	json_unsigned(&l->json, "prefix", l->shown->prefix);
	put_candidates(l, s);
	put_draws(l);
	put_support(l, s);
}

bool
jsonl_write(const struct sink *s, const struct shown *shown, size_t setting,
    struct error *err)
{
	struct line l = {.sink = s, .shown = shown};

	json_begin(&l.json, s->buffer, err);
	json_open(&l.json, NULL, '{');
	json_unsigned(&l.json, "row", shown->row->number);
	if (s->sequences)
		json_unsigned(&l.json, "seq", shown->row->sequence);
	if (s->settings)
		json_unsigned(&l.json, "setting", setting);
	if (shown->draws > 0)
		put_draw(&l, &shown->drawn[0]);
	if (shown->n_samplers == 1) {
		put_distribution(&l);
	} else {
		json_unsigned(&l.json, "prefix", shown->prefix);
		put_temps(&l);
	}
	json_close(&l.json, '}');
	return json_end(&l.json);
}
