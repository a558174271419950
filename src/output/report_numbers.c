/* SPDX-License-Identifier: MIT */
/* A report in numbers: settings, a table for people, JSON for programs. */
#include <inttypes.h>
#include <string.h>

#include "json.h"
#include "report_page.h"

/* Lists may be long: a line can be broken behind their separators. */
static void
put_value(struct page *p, const char *value)
{
	size_t n;

	while (*value != '\0') {
		n = strcspn(value, ",;");
		n += value[n] != '\0';
		html_text(&p->html, value, n);
		html_put(&p->html, "<wbr>");
		value += n;
	}
}

void
page_settings(struct page *p)
{
	const struct pairs *s = p->facts->settings;
	const char *name = "";

	/* There are some: the policy is one. */
	html_put(&p->html, "<section>\n<h2>Settings</h2>\n<dl>\n");
	for (size_t i = 0; i < s->size; i++) {
		/* Items of one list stand beside each other. */
		if (strcmp(name, s->list[i].name) == 0) {
			html_put(&p->html, ", ");
		} else {
			html_put(&p->html, "%s<div><dt>",
			    i > 0 ? "</dd></div>\n" : "");
			name = s->list[i].name;
			page_text(p, name);
			html_put(&p->html, "</dt><dd>");
		}
		put_value(p, s->list[i].value);
	}
	html_put(&p->html, "</dd></div>\n</dl>\n</section>\n");
}

static void
put_cell(struct page *p, size_t point, size_t figure)
{
	const struct points *all = &p->report->points;
	const struct range *range = points_get(all, point, figure);

	html_put(&p->html, "<td>");
	html_number(&p->html, points_mean(all, point, figure));
	if (all->span > 1 && range->least < range->most) {
		html_put(&p->html, " (");
		html_number(&p->html, range->least);
		html_put(&p->html, " to ");
		html_number(&p->html, range->most);
		html_put(&p->html, ")");
	}
	html_put(&p->html, "</td>");
}

static void
put_line(struct page *p, size_t point)
{
	const struct report *r = p->report;
	const struct points *all = &r->points;
	uint64_t row = r->first + all->span * point;

	html_put(&p->html, "<tr><th scope=\"row\">%" PRIu64, row);
	if (points_rows(all, point) > 1)
		html_put(&p->html, "\xe2\x80\x93%" PRIu64,
		    row + points_rows(all, point) - 1);
	html_put(&p->html, "</th>");
	for (size_t f = 0; f < all->figures; f++)
		if (f != FIGURE_DIFFERS || r->expects)
			put_cell(p, point, f);
	html_put(&p->html, "</tr>\n");
}

void
page_table(struct page *p)
{
	const struct report *r = p->report;

	html_put(&p->html,
	    "<section>\n<h2>All points as a table</h2>\n"
	    "<details><summary>Show it</summary>\n"
	    "<div class=\"box\" tabindex=\"0\" role=\"region\" "
	    "aria-label=\"Table of all points\">\n<table>\n<caption>%s"
	    "</caption>\n<thead><tr><th scope=\"col\">row</th>"
	    "<th scope=\"col\">entropy</th><th scope=\"col\">p</th>"
	    "<th scope=\"col\">rank</th>",
	    r->points.span > 1 ? "Means, and in brackets least and greatest"
	                       : "Figures of each row");
	if (r->expects)
		html_put(
		    &p->html, "<th scope=\"col\">other than recorded</th>");
	for (size_t i = 0; i < r->steps; i++) {
		html_put(&p->html, "<th scope=\"col\">left after ");
		page_text(p, r->names[i]);
		html_put(&p->html, "</th>");
	}
	html_put(&p->html, "</tr></thead>\n<tbody>\n");
	for (size_t i = 0; i < r->points.size; i++)
		put_line(p, i);
	html_put(&p->html,
	    "</tbody>\n</table>\n</div></details>\n"
	    "</section>\n");
}

static void
put_figure(
    struct json *j, const struct points *all, const char *name, size_t figure)
{
	static const char *const parts[] = {"mean", "least", "most"};
	const struct range *r;

	json_open(j, name, '{');
	for (size_t part = 0; part < (all->span > 1 ? 3 : 1); part++) {
		json_open(j, parts[part], '[');
		for (size_t i = 0; i < all->size; i++) {
			r = points_get(all, i, figure);
			json_double(j, NULL,
			    part == 0       ? points_mean(all, i, figure)
			        : part == 1 ? r->least
			                    : r->most);
		}
		json_close(j, ']');
	}
	json_close(j, '}');
}

static void
put_ids(struct json *j, const struct report *r)
{
	const struct report_token *t;

	json_open(j, "ids", '[');
	for (uint64_t i = 0; i < r->points.rows; i++) {
		t = report_token(r, i);
		if (t != NULL)
			json_unsigned(j, NULL, t->id);
		else
			i = r->points.rows - REPORT_TEXT - 1;
	}
	json_close(j, ']');
}

/* It holds numbers and names of ours: nothing that could end a script. */
void
page_data(struct page *p)
{
	const struct report *r = p->report;
	const struct points *all = &r->points;
	struct json j;

	html_put(&p->html, "<script type=\"application/json\" id=\"data\">\n");
	json_begin(&j, p->html.buffer, p->html.error);
	json_open(&j, NULL, '{');
	json_unsigned(&j, "rows", all->rows);
	json_unsigned(&j, "vocab", p->facts->vocab);
	json_unsigned(&j, "first", r->first);
	json_unsigned(&j, "span", all->span);
	if (r->expects) {
		json_unsigned(&j, "compared", r->compared);
		put_figure(&j, all, "differs", FIGURE_DIFFERS);
	}
	put_figure(&j, all, "entropy", FIGURE_ENTROPY);
	put_figure(&j, all, "p", FIGURE_P);
	put_figure(&j, all, "rank", FIGURE_RANK);
	json_open(&j, "kept", '{');
	for (size_t i = 0; i < r->steps; i++)
		put_figure(&j, all, r->names[i], FIGURE_STEPS + i);
	json_close(&j, '}');
	put_ids(&j, r);
	json_close(&j, '}');
	p->html.failed |= !json_end(&j);
	html_put(&p->html, "</script>\n");
}
