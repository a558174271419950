/* SPDX-License-Identifier: MIT */
/* A table for people: the likeliest candidates of a row. */
#include "table.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../always.h"
#include "excerpt.h"
#include "layout.h"
#include "pen.h"
#include "shortest.h"
#include "trace.h"

/* Room for any text of a cell that is no piece. */
enum { CELL = 48 };

/* One row's table in the making. */
struct table {
	struct pen pen;
	const struct sink *sink;
	const struct shown *shown;
	const struct sampler *first; /* whose order the candidates stand in */
	struct layout layout;
	double cumulative; /* p of the candidates so far */
};

/* A candidate, and where it stands in the list. */
struct line {
	struct listed listed;
	size_t place;
	size_t drawn; /* how often */
};

static bool
compares(const struct table *t)
{
	return t->shown->n_samplers > 1;
}

/* --- The running text above ---------------------------------------------- */

static void
write_temp(const struct table *t, size_t i, char text[SHORTEST])
{
	const struct temp *temp = &t->shown->temps[i];

	if (t->shown->row->wide != NULL)
		shortest_double(text, temp->wide);
	else
		shortest_float(text, temp->narrow);
}

/* From i on, the first step that left fewer than that; none: their number. */
static size_t
next_cut(const struct sampler *s, size_t i, size_t left)
{
	while (i < sampler_steps(s) && sampler_step(s, i).left >= left)
		i++;
	return i;
}

/* How many are kept, and the steps that had a part in it. */
static void
put_kept(struct table *t, const struct sampler *s)
{
	size_t left = t->shown->row->size, i, next;
	char name[STEP_NAME];
	bool first = true;

	pen_word(&t->pen, 2, "kept %zu of %zu", sampler_kept(s), left);
	for (i = next_cut(s, 0, left); i < sampler_steps(s); i = next) {
		left = sampler_step(s, i).left;
		trace_step_name(s, i, name);
		next = next_cut(s, i + 1, left);
		pen_word(&t->pen, 1, "%s%s %zu%s", first ? "(" : "", name, left,
		    next < sampler_steps(s) ? "," : ")");
		first = false;
	}
}

static void
put_measures(struct table *t, const struct sampler *s)
{
	pen_word(&t->pen, 2, "entropy %.12f", trace_entropy(s));
	put_kept(t, s);
	pen_word(&t->pen, 2, "retained mass %.12f", sampler_mass(s).retained);
}

static void
put_draw(struct table *t)
{
	const struct decision *d = &t->shown->drawn[0];

	if (t->shown->draws != 1)
		return;
	pen_word(&t->pen, 2, "drawn %" PRIu32, d->id);
	if (d->random)
		pen_word(&t->pen, 1, "by %.12f", d->unit);
	if (d->again)
		pen_word(&t->pen, 1, "for %" PRIu32 " outside the grammar",
		    d->refused.id);
	if (d->dead_end)
		pen_word(&t->pen, 1, "outside the grammar");
}

static void
put_head(struct table *t)
{
	char temp[SHORTEST];

	pen_style(&t->pen, STYLE_BOLD);
	pen_word(&t->pen, 0, "row %" PRIu64, t->shown->row->number);
	pen_style(&t->pen, STYLE_PLAIN);
	if (!compares(t)) {
		put_measures(t, t->first);
		put_draw(t);
		pen_line(&t->pen);
		return;
	}
	pen_line(&t->pen);
	for (size_t i = 0; i < t->shown->n_samplers; i++) {
		write_temp(t, i, temp);
		pen_word(&t->pen, 0, "temp %s", temp);
		put_measures(t, t->shown->samplers[i]);
		pen_line(&t->pen);
	}
}

/* --- Cells ---------------------------------------------------------------- */

/* As exact as there is room for, between the fixed and the floating point. */
static void
put_logit(struct table *t, double logit, size_t width)
{
	char text[CELL];

	snprintf(text, sizeof(text),
	    fabs(logit) < 9999.5 || isinf(logit) ? "%.4f" : "%.2e", logit);
	pen_right(&t->pen, text, width);
}

static void
put_piece(struct table *t, uint32_t id, size_t width)
{
	struct excerpt e = {.size = 0};
	const char *bytes;
	size_t n;

	if (trace_piece(t->sink, id, &bytes, &n)) {
		excerpt_make(&e, bytes, n, width, t->pen.terminal.unicode);
		pen_text(&t->pen, e.text, e.size, e.columns);
	}
	pen_blanks(&t->pen, width - e.columns);
}

/*
 * The same candidate at another temperature, mostly at the same place.  What
 * it does not list, its first step that removes any has removed.
 */
static struct listed
at_temp(const struct table *t, const struct line *line, size_t temp)
{
	const struct sampler *s = t->shown->samplers[temp];
	size_t n = sampler_listed(s);
	struct listed l = {.id = line->listed.id, .removed = true};

	/* Each lists as many as are shown, if there are so many. */
	if (ALWAYS(line->place < n) && sampler_list(s, line->place).id == l.id)
		return sampler_list(s, line->place);
	for (size_t place = 0; place < n; place++)
		if (sampler_list(s, place).id == l.id)
			return sampler_list(s, place);
	l.removal = next_cut(s, 0, t->shown->row->size);
	return l;
}

/* Beside each other there is no column for what was removed. */
static void
put_p(struct table *t, const struct line *line, const struct column *c)
{
	struct listed l = at_temp(t, line, c->temp);
	char text[CELL];

	if (!compares(t) ||
	    !trace_removal(
	        t->shown->samplers[c->temp], t->shown->row, &l, text))
		snprintf(text, sizeof(text), "%.12f", l.p);
	pen_right(&t->pen, text, c->width);
}

static void
put_removal(struct table *t, const struct line *line, size_t width)
{
	char name[STEP_NAME];

	if (!trace_removal(t->first, t->shown->row, &line->listed, name))
		name[0] = '\0';
	pen_left(&t->pen, name, width);
}

static void
put_drawn(struct table *t, const struct line *line, size_t width)
{
	char text[CELL] = "";

	if (line->drawn > 0 && t->shown->draws > 1)
		snprintf(text, sizeof(text), "%zu", line->drawn);
	else if (line->drawn > 0)
		strcpy(text, ">");
	pen_right(&t->pen, text, width);
}

static void
put_number(struct table *t, uint64_t number, size_t width)
{
	char text[CELL];

	snprintf(text, sizeof(text), "%" PRIu64, number);
	pen_right(&t->pen, text, width);
}

static void
put_cumulative(struct table *t, size_t width)
{
	char text[CELL];

	snprintf(text, sizeof(text), "%.*f", (int)width - 2, t->cumulative);
	pen_right(&t->pen, text, width);
}

static void
put_cell(struct table *t, const struct line *line, const struct column *c)
{
	const struct row *row = t->shown->row;
	uint32_t id = line->listed.id;
	double p;

	switch (c->kind) {
	case COLUMN_DRAWN:
		put_drawn(t, line, c->width);
		break;
	case COLUMN_RANK:
		put_number(t, trace_rank(row, id), c->width);
		break;
	case COLUMN_ID:
		put_number(t, id, c->width);
		break;
	case COLUMN_PIECE:
		put_piece(t, id, c->width);
		break;
	case COLUMN_LOGIT:
		put_logit(t, row_logit(row, id), c->width);
		break;
	case COLUMN_CUMULATIVE:
		put_cumulative(t, c->width);
		break;
	case COLUMN_REMOVED:
		put_removal(t, line, c->width);
		break;
	case COLUMN_P:
		put_p(t, line, c);
		break;
	default: /* COLUMN_BAR */
		p = at_temp(t, line, c->temp).p;
		pen_bar(&t->pen, c->most > 0 ? p / c->most : 0, c->width);
		break;
	}
}

static void
put_heading(struct table *t, const struct column *c)
{
	static const char *const headings[] = {
	    [COLUMN_DRAWN] = "",
	    [COLUMN_RANK] = "rank",
	    [COLUMN_ID] = "id",
	    [COLUMN_PIECE] = "piece",
	    [COLUMN_LOGIT] = "logit",
	    [COLUMN_CUMULATIVE] = "cumul.",
	    [COLUMN_REMOVED] = "removed",
	    [COLUMN_P] = "probability",
	    [COLUMN_BAR] = "",
	};
	char text[CELL], temp[SHORTEST];

	snprintf(text, sizeof(text), "%s", headings[c->kind]);
	if (c->kind == COLUMN_P && compares(t)) {
		write_temp(t, c->temp, temp);
		snprintf(text, sizeof(text), "temp %s", temp);
		if (strlen(text) > c->width)
			snprintf(text, sizeof(text), "%.6g",
			    t->shown->temps[c->temp].wide);
	}
	if (c->kind == COLUMN_PIECE || c->kind == COLUMN_REMOVED)
		pen_left(&t->pen, text, c->width);
	else
		pen_right(&t->pen, text, c->width);
}

/* --- Lines ---------------------------------------------------------------- */

static size_t
times_drawn(const struct shown *shown, uint32_t id)
{
	size_t times = 0;

	for (size_t i = 0; i < shown->draws; i++)
		times += shown->drawn[i].id == id;
	return times;
}

static struct line
line_at(const struct table *t, size_t place)
{
	struct line line = {sampler_list(t->first, place), place, 0};

	line.drawn = times_drawn(t->shown, line.listed.id);
	return line;
}

static void
put_line(struct table *t, const struct line *line)
{
	if (line->drawn > 0)
		pen_style(&t->pen, STYLE_BOLD);
	else if (line->listed.removed)
		pen_style(&t->pen, STYLE_DIM);
	for (size_t i = 0; i < t->layout.size; i++) {
		pen_blanks(&t->pen, i > 0);
		put_cell(t, line, &t->layout.list[i]);
	}
	pen_line(&t->pen);
}

/* Where one draw fell further down in the list: that line is shown too. */
static void
put_drawn_below(struct table *t, size_t place)
{
	struct line line;

	pen_text(&t->pen, "...", 3, 3);
	pen_line(&t->pen);
	do {
		line = line_at(t, place++);
		t->cumulative += line.listed.p;
	} while (line.drawn == 0 && ALWAYS(place < sampler_kept(t->first)));
	put_line(t, &line);
}

/* The likeliest candidates in the columns that were laid out. */
static void
put_lines(struct table *t)
{
	size_t n = sampler_listed(t->first), draws = t->shown->draws, place;
	size_t drawn = 0;
	struct line line;

	for (size_t i = 0; i < t->layout.size; i++) {
		pen_blanks(&t->pen, i > 0);
		put_heading(t, &t->layout.list[i]);
	}
	pen_line(&t->pen);
	t->cumulative = 0;
	for (place = 0; place < n && place < t->sink->top; place++) {
		line = line_at(t, place);
		t->cumulative += line.listed.p;
		drawn += line.drawn;
		put_line(t, &line);
	}
	if (drawn == 0 && draws == 1)
		put_drawn_below(t, place);
	else if (drawn < draws) {
		pen_word(&t->pen, 0, "...  %zu of %zu draws are of others",
		    draws - drawn, draws);
		pen_line(&t->pen);
	}
}

/* The longest name of a step that removed something. */
static size_t
longest_removal(const struct table *t)
{
	const struct sampler *s = t->first;
	size_t left = t->shown->row->size, longest = strlen("mask"), length, i;
	char name[STEP_NAME];

	for (i = next_cut(s, 0, left); i < sampler_steps(s);
	     i = next_cut(s, i + 1, left)) {
		left = sampler_step(s, i).left;
		trace_step_name(s, i, name);
		length = strlen(name);
		if (length > longest)
			longest = length;
	}
	return longest;
}

/* A bar over the whole width is the likeliest candidate shown. */
static void
scale_bars(struct table *t)
{
	size_t n = sampler_listed(t->first);
	struct column *c;
	struct line line;
	double p;

	for (c = t->layout.list; c < t->layout.list + t->layout.size; c++) {
		if (c->kind != COLUMN_BAR)
			continue;
		for (size_t i = 0; i < n && i < t->sink->top; i++) {
			line = line_at(t, i);
			p = at_temp(t, &line, c->temp).p;
			if (p > c->most)
				c->most = p;
		}
	}
}

bool
table_write(const struct sink *s, const struct shown *shown, struct error *err)
{
	struct table t = {
	    .sink = s, .shown = shown, .first = shown->samplers[0]};
	struct layout_needs needs = {.width = s->terminal.width,
	    .vocab = shown->row->size,
	    .draws = shown->draws,
	    .removed = longest_removal(&t),
	    .pieces = s->pieces != NULL,
	    .compare = compares(&t),
	    .temps = shown->n_samplers};

	pen_begin(&t.pen, s->buffer, s->terminal, err);
	put_head(&t);
	/* More temperatures than fit are tables below each other. */
	while (needs.temps > 0) {
		layout_make(&t.layout, &needs);
		scale_bars(&t);
		put_lines(&t);
		needs.first += t.layout.temps;
		needs.temps -= t.layout.temps;
	}
	pen_line(&t.pen);
	return pen_end(&t.pen);
}
