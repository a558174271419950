/* SPDX-License-Identifier: MIT */
/* A figure by row as a chart: SVG inside HTML. */
#include "chart.h"

#include <inttypes.h>
#include <string.h>

#include "../sampler/dmath.h"

/* The drawing's own units, and what is left free above and below. */
enum { WIDTH = 10000, HEIGHT = 1000, MARGIN = 30 };

/* Above this many points dots would touch. */
enum { DOTS_MAX = 300 };

/* A tick nearer to the top than that, as a part, would touch its label. */
static const double crowded = 0.15;

/* The place of a value between low and high, from 0 to 1. */
static double
place(const struct chart *c, double value)
{
	if (!c->is_log)
		return (value - c->low) / (c->high - c->low);
	return math_log(value / c->low) / math_log(c->high / c->low);
}

static int
at_y(const struct chart *c, double value)
{
	return HEIGHT - MARGIN -
	    (int)(place(c, value) * (HEIGHT - 2 * MARGIN) + 0.5);
}

/* The middle of a point's share of the width. */
static int
at_x(const struct points *p, size_t point)
{
	return (int)((2 * point + 1) * WIDTH / (2 * p->size));
}

static void
put_band(struct html *h, const struct points *p, const struct chart *c)
{
	html_put(h, "<path class=\"band\" d=\"");
	for (size_t i = 0; i < p->size; i++)
		html_put(h, "%c%d %d", i == 0 ? 'M' : 'L', at_x(p, i),
		    at_y(c, points_get(p, i, c->figure)->most));
	for (size_t i = p->size; i-- > 0;)
		html_put(h, "L%d %d", at_x(p, i),
		    at_y(c, points_get(p, i, c->figure)->least));
	html_put(h, "Z\"/>\n");
}

/* A line from mean to mean, or a dot at each. */
static void
put_means(struct html *h, const struct points *p, const struct chart *c,
    const char *class, bool dots)
{
	html_put(h, "<path class=\"%s\" d=\"", class);
	for (size_t i = 0; i < p->size; i++)
		html_put(h, "%c%d %d%s", i == 0 || dots ? 'M' : 'L', at_x(p, i),
		    at_y(c, points_mean(p, i, c->figure)), dots ? "h0" : "");
	html_put(h, "\"/>\n");
}

static void
put_label(struct html *h, const struct chart *c, double value)
{
	html_put(h, "<span style=\"bottom:%.1f%%\">",
	    100.0 * (HEIGHT - at_y(c, value)) / HEIGHT);
	html_number(h, value);
	html_put(h, "</span>");
}

/* What comes after a tick: powers of ten from low on, or the middle. */
static double
next_tick(const struct chart *c, double value)
{
	return c->is_log ? 10 * value : value + (c->high - c->low) / 2;
}

/* The values beside the drawing: both ends, and ticks between them. */
static void
put_axis(struct html *h, const struct chart *c)
{
	double tick = c->low;

	html_put(h, "<div class=\"y\" aria-hidden=\"true\">");
	while (tick < c->high && place(c, tick) < 1 - crowded) {
		put_label(h, c, tick);
		tick = next_tick(c, tick);
	}
	put_label(h, c, c->high);
	html_put(h, "</div>\n");
}

static void
put_grid(struct html *h, const struct chart *c)
{
	double tick = c->low;

	html_put(h, "<path class=\"grid\" d=\"");
	while (tick < c->high) {
		html_put(h, "M0 %dH%d", at_y(c, tick), WIDTH);
		tick = next_tick(c, tick);
	}
	html_put(h, "M0 %dH%d\"/>\n", at_y(c, c->high), WIDTH);
}

static void
begin(struct html *h, const struct points *p, const struct chart *c)
{
	struct range total = points_total(p, c->figure);

	html_put(h, "<figure class=\"%s\">\n<figcaption><h3>", c->kind);
	html_text(h, c->title, strlen(c->title));
	html_put(
	    h, "</h3> <p>%s</p></figcaption>\n<div class=\"plot\">\n", c->note);
	if (c->high > c->low)
		put_axis(h, c);
	html_put(h,
	    "<svg viewBox=\"0 0 %d %d\" preserveAspectRatio=\"none\" "
	    "role=\"img\" aria-label=\"",
	    WIDTH, HEIGHT);
	html_text(h, c->title, strlen(c->title));
	html_put(h, " by row: from ");
	html_number(h, total.least);
	html_put(h, " to ");
	html_number(h, total.most);
	html_put(h, ", mean ");
	html_number(h, total.sum / (double)p->rows);
	html_put(h, "\">\n");
}

static void
end(struct html *h, const struct points *p, uint64_t first)
{
	html_put(h,
	    "<path class=\"cursor\" d=\"\"/>\n</svg>\n</div>\n"
	    "<div class=\"rows\" aria-hidden=\"true\"><span>row %" PRIu64
	    "</span>",
	    first);
	if (p->rows > 2)
		html_put(h, "<span>%" PRIu64 "</span>", first + p->rows / 2);
	if (p->rows > 1)
		html_put(h, "<span>%" PRIu64 "</span>", first + p->rows - 1);
	html_put(h, "</div>\n</figure>\n");
}

void
chart_write(struct html *h, const struct points *p, uint64_t first,
    const struct chart *c)
{
	bool dots = p->size == 1 || (c->dots && p->size <= DOTS_MAX);

	begin(h, p, c);
	put_grid(h, c);
	if (p->span > 1)
		put_band(h, p, c);
	put_means(h, p, c, dots ? "faint" : "line", false);
	if (dots)
		put_means(h, p, c, "dots", true);
	end(h, p, first);
}

void
chart_marks(struct html *h, const struct points *p, uint64_t first,
    const struct chart *c)
{
	begin(h, p, c);
	html_put(h, "<path class=\"marks\" d=\"");
	for (size_t i = 0; i < p->size; i++)
		if (points_get(p, i, c->figure)->most > 0)
			html_put(h, "M%d 0V%d", at_x(p, i), HEIGHT);
	html_put(h, "\"/>\n");
	end(h, p, first);
}
