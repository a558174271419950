/* SPDX-License-Identifier: MIT */
/* A report's page in the making: its parts, in the order in which they come. */
#ifndef TOKPICK_REPORT_PAGE_H
#define TOKPICK_REPORT_PAGE_H

#include "html.h"
#include "report.h"

struct page {
	struct html html;
	const struct report *report;
	const struct report_facts *facts;
};

/* Text that may hold anything. */
void page_text(struct page *, const char *);

/* The tokens drawn, each shaded by its probability; there are some. */
void page_tokens(struct page *);

/* What was set, and all points as a table. */
void page_settings(struct page *);
void page_table(struct page *);

/* All figures as JSON, for the page's script and for whoever else. */
void page_data(struct page *);

#endif
