/* SPDX-License-Identifier: MIT */
/* Options given for stages that do not run. */
#include "idle.h"

#include <string.h>

#include "table.h"

/* The option that a value comes from: its own, or the model file's. */
static const char *
whence(const struct options *o, const char *name, const char *own)
{
	return o->modelled[option_find(name) - option_table] ? "--gguf" : own;
}

/* What leaves out the stage of an option that was given, or NULL. */
static const char *
leaves_out(const struct options *o, const struct option_row *row)
{
	static const char *const lists[] = {
	    "samplers", "sampler-seq", "dynatemp-range", "dynatemp-exp"};
	const struct stage *stage = NULL;

	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
		if (o->mirostat > 0 && strcmp(row->name, lists[i]) == 0)
			return whence(o, "mirostat", "--mirostat");
	if (row->stage != NULL)
		stage = policy_stage(
		    o->sampling.policy, row->stage, strlen(row->stage));
	if (stage == NULL || sampling_has(&o->sampling, stage))
		return NULL;
	if (o->mirostat > 0)
		return whence(o, "mirostat", "--mirostat");
	return whence(o, "samplers", "--samplers");
}

void
idle_warn(const struct options *o)
{
	const struct option_row *row;
	const char *by;

	for (size_t i = 0; i < option_count; i++) {
		row = &option_table[i];
		by = o->given[i] ? leaves_out(o, row) : NULL;
		if (by != NULL)
			message_warn("--%s has no effect: %s leaves out %s",
			    row->name, by,
			    row->stage != NULL ? row->stage : "all stages");
	}
}
