/* SPDX-License-Identifier: MIT */
/* The tokens of a report, each shaded by its probability. */
#include <inttypes.h>
#include <string.h>

#include "report_page.h"

/* From which probability on a piece is shaded so little: class s0, s1, … */
static const double shades[] = {0.5, 0.2, 0.1, 0.05, 0.01, 0};
enum { SHADES = sizeof(shades) / sizeof(shades[0]) };

static int
shade_of(double p)
{
	int shade = 0;

	while (shade + 1 < SHADES && p < shades[shade])
		shade++;
	return shade;
}

static void
put_legend(struct page *p)
{
	html_put(&p->html,
	    "<p class=\"legend\">Shaded by the probability of each token: ");
	for (int i = 0; i < SHADES; i++)
		html_put(&p->html, "<span class=\"s%d\">%s%g</span> ", i,
		    i + 1 < SHADES ? "from " : "below ",
		    shades[i + 1 < SHADES ? i : i - 1]);
	if (p->report->expects)
		html_put(&p->html,
		    "<span class=\"other\">other than recorded</span>");
	html_put(&p->html, "</p>\n");
}

/* Newlines break the line, and the style sheet shows them too. */
static void
put_piece(struct page *p, uint32_t id)
{
	const struct pieces *pieces = p->report->pieces;
	const char *bytes, *newline;
	size_t n, before;

	if (pieces == NULL || !pieces_get(pieces, id, &bytes, &n)) {
		html_put(&p->html, "%" PRIu32, id);
		return;
	}
	while ((newline = memchr(bytes, '\n', n)) != NULL) {
		before = (size_t)(newline - bytes);
		html_text(&p->html, bytes, before);
		html_put(&p->html, "<i></i>\n");
		bytes += before + 1;
		n -= before + 1;
	}
	html_text(&p->html, bytes, n);
}

static void
put_token(struct page *p, uint64_t i)
{
	const struct report_token *t = report_token(p->report, i);

	html_put(&p->html,
	    "<span class=\"s%d%s\" title=\"row %" PRIu64 ": id %" PRIu32
	    ", p %.3g, rank %" PRIu64,
	    shade_of(t->p), t->differs ? " other" : "", p->report->first + i,
	    t->id, t->p, t->rank);
	if (t->differs)
		html_put(&p->html, "; recorded is %" PRIu32, t->recorded);
	html_put(&p->html, "\">");
	put_piece(p, t->id);
	html_put(&p->html, "</span>");
}

/* The tokens from one row up to before another, counted from 0. */
static void
put_block(struct page *p, uint64_t from, uint64_t to)
{
	html_put(&p->html,
	    "<div class=\"text%s\" dir=\"auto\" data-row=\"%" PRIu64 "\">",
	    p->report->pieces == NULL ? " ids" : "", p->report->first + from);
	for (uint64_t i = from; i < to; i++)
		put_token(p, i);
	html_put(&p->html, "</div>\n");
}

void
page_tokens(struct page *p)
{
	uint64_t rows = p->report->points.rows;
	uint64_t gap = rows > 2 * REPORT_TEXT ? rows - 2 * REPORT_TEXT : 0;

	html_put(&p->html, "<section>\n<h2>The %s drawn</h2>\n",
	    p->report->pieces != NULL ? "text" : "ids");
	put_legend(p);
	if (gap > 0)
		html_put(&p->html,
		    "<p>Of %" PRIu64 " tokens the first %d and the last %d "
		    "are here.</p>\n",
		    rows, REPORT_TEXT, REPORT_TEXT);
	html_put(&p->html,
	    "<div class=\"box\" tabindex=\"0\" role=\"region\" "
	    "aria-label=\"The tokens drawn\">\n");
	put_block(p, 0, gap > 0 ? REPORT_TEXT : rows);
	if (gap > 0) {
		html_put(&p->html,
		    "<p class=\"gap\">%" PRIu64 " tokens are left out "
		    "here</p>\n",
		    gap);
		put_block(p, rows - REPORT_TEXT, rows);
	}
	html_put(&p->html, "</div>\n</section>\n");
}
