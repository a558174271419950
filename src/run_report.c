/* SPDX-License-Identifier: MIT */
/* The report of a run: what it is made from, and what it tells besides. */
#include "cli/help.h"
#include "cli/print.h"
#include "run.h"
#include "whole_file.h"

/* Whether the page could be written is worth knowing before the work. */
bool
run_report_open(struct run *r, struct error *err)
{
	const struct options *o = &r->options;

	return whole_file_check(o->report, err) &&
	    report_open(&r->report, r->lanes[0].sampler, r->pieces,
	        o->expect != NULL, err);
}

bool
run_report_write(struct run *r, const struct error *failure, struct error *err)
{
	struct options *o = &r->options;
	struct pairs settings = {0};
	struct report_facts facts = {.version = TOKPICK_VERSION,
	    .inputs = o->exec != NULL ? &o->exec : o->files,
	    .n_inputs = o->exec != NULL ? 1 : o->n_files,
	    .vocab = (size_t)o->vocab,
	    .stop = stop_name(failure != NULL ? STOP_ERROR : r->stop),
	    .error = failure != NULL ? failure->text : NULL,
	    .settings = &settings};
	bool good;

	good = print_settings(o, &settings, err) &&
	    report_write(&r->report, &facts, o->report, err);
	pairs_free(&settings);
	return good;
}
