/* SPDX-License-Identifier: MIT */
/* The report as a page: one file, with nothing from elsewhere. */
#include <inttypes.h>
#include <string.h>

#include "../whole_file.h"
#include "chart.h"
#include "report_page.h"
#include "report_parts.h"

/* Inputs that are named; of more the number is told. */
enum { TITLE_INPUTS = 3 };

void
page_text(struct page *p, const char *text)
{
	html_text(&p->html, text, strlen(text));
}

/* --- The head, and what there is to say in numbers -------------------- */

static void
put_title(struct page *p)
{
	const struct report_facts *f = p->facts;

	html_put(&p->html, "tokpick: %" PRIu64 " row%s", p->report->points.rows,
	    p->report->points.rows == 1 ? "" : "s");
	for (size_t i = 0; i < f->n_inputs && i < TITLE_INPUTS; i++) {
		html_put(&p->html, i == 0 ? " of " : ", ");
		page_text(p, f->inputs[i]);
	}
	if (f->n_inputs > TITLE_INPUTS)
		html_put(&p->html, " and %zu more", f->n_inputs - TITLE_INPUTS);
}

/* Nothing may be loaded, whatever a piece or a name looks like. */
static void
put_head(struct page *p)
{
	html_put(&p->html,
	    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
	    "<meta charset=\"utf-8\">\n"
	    "<meta http-equiv=\"Content-Security-Policy\" content=\""
	    "default-src 'none'; style-src 'unsafe-inline'; "
	    "script-src 'unsafe-inline'\">\n"
	    "<meta name=\"viewport\" content=\"width=device-width, "
	    "initial-scale=1\">\n<title>");
	put_title(p);
	html_put(&p->html, "</title>\n<style>\n");
	html_lines(&p->html, report_style);
	html_put(&p->html, "</style>\n</head>\n<body>\n<header>\n<h1>");
	put_title(p);
	html_put(&p->html, "</h1>\n");
}

static void
put_tile(struct page *p, const char *name, double value, const char *unit)
{
	html_put(&p->html, "<div><dt>%s</dt><dd>", name);
	html_number(&p->html, value);
	html_put(&p->html, "%s</dd></div>\n", unit);
}

static void
put_tiles(struct page *p)
{
	const struct report *r = p->report;
	const struct points *all = &r->points;
	double rows = (double)all->rows;

	html_put(&p->html, "<dl class=\"tiles\">\n");
	put_tile(p, "rows", rows, "");
	if (all->rows > 0) {
		put_tile(p, "mean entropy",
		    points_total(all, FIGURE_ENTROPY).sum / rows, " nats");
		put_tile(p, "mean probability",
		    points_total(all, FIGURE_P).sum / rows, "");
		put_tile(p, "drew the likeliest",
		    100 * (double)r->likeliest / rows, " %");
	}
	if (r->expects)
		html_put(&p->html,
		    "<div><dt>as recorded</dt><dd>%" PRIu64 " of %" PRIu64
		    "</dd></div>\n",
		    r->compared -
		        (uint64_t)points_total(all, FIGURE_DIFFERS).sum,
		    r->compared);
	html_put(&p->html, "<div><dt>ended by</dt><dd>%s</dd></div>\n</dl>\n",
	    p->facts->stop);
	if (p->facts->error != NULL) {
		html_put(&p->html, "<p class=\"error\">");
		page_text(p, p->facts->error);
		html_put(&p->html, "</p>\n");
	}
	html_put(&p->html, "</header>\n<main>\n");
}

/* --- Charts ------------------------------------------------------------ */

/* How rows became points: the reader must know what is shown. */
static void
put_thinning(struct page *p)
{
	const struct points *all = &p->report->points;
	uint64_t last = points_rows(all, all->size - 1);

	if (all->span == 1) {
		html_put(&p->html, "<p>Each point is one row.</p>\n");
		return;
	}
	html_put(&p->html,
	    "<p>There are more rows than the %d that could be a point each, so "
	    "each stands for %" PRIu64 " rows",
	    POINTS_MAX, all->span);
	if (last < all->span)
		html_put(&p->html, ", the last one for %" PRIu64, last);
	html_put(&p->html,
	    ". The line is their mean, the band reaches from the least to the "
	    "greatest of them: no row is left out.</p>\n");
}

/* Did a step ever remove anything?  Sums of whole numbers are exact. */
static bool
removes(const struct page *p, size_t step)
{
	const struct points *all = &p->report->points;
	double before = (double)p->facts->vocab * (double)all->rows;

	if (step > 0)
		before = points_total(all, FIGURE_STEPS + step - 1).sum;
	return points_total(all, FIGURE_STEPS + step).sum < before;
}

/* The steps that removed nothing, in a sentence. */
static void
put_idle(struct page *p)
{
	const struct report *r = p->report;
	const char *before = "<p>Nothing was removed by ";

	for (size_t i = 0; i < r->steps; i++) {
		if (removes(p, i))
			continue;
		html_put(&p->html, "%s", before);
		page_text(p, r->names[i]);
		before = ", ";
	}
	if (before[0] == ',')
		html_put(&p->html, ".</p>\n");
}

static void
put_steps(struct page *p)
{
	const struct report *r = p->report;
	struct chart c = {.note = "",
	    .is_log = true,
	    .low = 1,
	    .high = (double)p->facts->vocab,
	    .kind = "small"};

	html_put(&p->html,
	    "<section>\n<h2>Candidates left after each step</h2>\n"
	    "<p>Of %zu tokens, on a logarithmic scale.</p>\n",
	    p->facts->vocab);
	put_idle(p);
	html_put(&p->html, "<div class=\"steps\">\n");
	for (size_t i = 0; i < r->steps; i++) {
		c.title = r->names[i];
		c.figure = FIGURE_STEPS + i;
		if (removes(p, i))
			chart_write(&p->html, &r->points, r->first, &c);
	}
	html_put(&p->html, "</div>\n</section>\n");
}

static void
put_charts(struct page *p)
{
	const struct report *r = p->report;
	const struct points *all = &r->points;
	double entropy = points_total(all, FIGURE_ENTROPY).most;
	double rank = points_total(all, FIGURE_RANK).most;
	const struct chart charts[] = {
	    {.title = "Entropy",
	        .note = "in nats, of what was left to draw from",
	        .figure = FIGURE_ENTROPY,
	        .high = entropy > 0 ? entropy : 1,
	        .dots = true,
	        .kind = "large"},
	    {.title = "Probability of the token drawn",
	        .note = "among what was left",
	        .figure = FIGURE_P,
	        .high = 1,
	        .dots = true,
	        .kind = "large"},
	    {.title = "Rank of the token drawn",
	        .note = "among the raw logits; 1 is the likeliest",
	        .figure = FIGURE_RANK,
	        .is_log = true,
	        .low = 1,
	        .high = rank > 10 ? rank : 10,
	        .dots = true,
	        .kind = "large"},
	};
	const struct chart differs = {.title = "Other than recorded",
	    .note = "a mark where the token drawn is not the one recorded",
	    .figure = FIGURE_DIFFERS,
	    .kind = "strip"};

	html_put(&p->html, "<section>\n<h2>Row by row</h2>\n");
	put_thinning(p);
	for (size_t i = 0; i < sizeof(charts) / sizeof(charts[0]); i++)
		chart_write(&p->html, all, r->first, &charts[i]);
	if (r->expects)
		chart_marks(&p->html, all, r->first, &differs);
	html_put(&p->html, "</section>\n");
	if (r->steps > 0)
		put_steps(p);
}

static void
put_slider(struct page *p)
{
	html_put(&p->html,
	    "<form id=\"look\" hidden>\n<label for=\"row\">%s</label>\n"
	    "<input type=\"range\" id=\"row\" min=\"0\" max=\"%zu\" "
	    "value=\"0\">\n<p id=\"told\"></p>\n</form>\n",
	    p->report->points.span > 1 ? "Rows" : "Row",
	    p->report->points.size - 1);
}

static bool
fill(void *context, struct buffer *buffer, struct error *err)
{
	struct page *p = context;
	bool any = p->report->points.rows > 0;

	p->html = (struct html){.buffer = buffer, .error = err};
	put_head(p);
	put_tiles(p);
	if (any) {
		put_charts(p);
		page_tokens(p);
	} else {
		html_put(&p->html, "<p>Nothing was drawn.</p>\n");
	}
	page_settings(p);
	if (any)
		page_table(p);
	html_put(&p->html,
	    "</main>\n<footer><p>Made by tokpick %s.</p>"
	    "</footer>\n",
	    p->facts->version);
	if (any) {
		put_slider(p);
		page_data(p);
		html_put(&p->html, "<script>\n");
		html_lines(&p->html, report_script);
		html_put(&p->html, "</script>\n");
	}
	html_put(&p->html, "</body>\n</html>\n");
	return !p->html.failed;
}

bool
report_write(const struct report *r, const struct report_facts *facts,
    const char *file, struct error *err)
{
	struct page page = {.report = r, .facts = facts};

	return whole_file_write(file, fill, &page, err);
}
