/* SPDX-License-Identifier: MIT */
/* What follows from the command line: defaults, lists, what goes together. */
#include <inttypes.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "idle.h"
#include "lists.h"
#include "model.h"
#include "number.h"
#include "options.h"
#include "resume.h"
#include "settle.h"
#include "table.h"

/* An option that the policy ignores would be a setting silently lost. */
static bool
check_taken(const struct options *o, struct error *err)
{
	for (size_t i = 0; i < option_count; i++) {
		if (!o->given[i] ||
		    option_is_taken(&option_table[i], o->policy))
			continue;
		error_set(err, STATUS_USAGE,
		    "--%s: the %s policy has no such setting; it is for "
		    "--policy",
		    option_table[i].name, policy_names[o->policy]);
		for (int p = 0; p < POLICIES; p++)
			if (option_is_taken(&option_table[i], p))
				error_append(err, policy_names[p]);
		return false;
	}
	return true;
}

/* What the table says by itself is taken: a test holds it to that. */
static void
set_defaults(struct options *o)
{
	const struct option_row *row;
	struct error none;
	const char *text;

	for (size_t i = 0; i < option_count; i++) {
		row = &option_table[i];
		text = row->fallback[o->policy];
		if (o->no_defaults && row->off != NULL && text != NULL)
			text = row->off;
		/* Parsed as if given; options_set() keeps no such text. */
		if (!o->given[i] && !o->saved[i] && !o->modelled[i] &&
		    text != NULL)
			options_set(o, row, (char *)(uintptr_t)text, &none);
	}
}

static bool
add_ends(struct options *o, const char *text, struct error *err)
{
	size_t before = o->stop.ends.size;

	if (!lists_ids(text, "--eos", &o->stop.ends, err))
		return false;
	if (o->stop.ends.size == before)
		return error_set(
		    err, STATUS_USAGE, "--eos: '%s' has no token id", text);
	return true;
}

/* The stages by name, by letter, or the one that mirostat leaves. */
static bool
parse_stages(struct options *o, struct error *err)
{
	if (o->mirostat > 0)
		return lists_stages("temperature", &o->sampling, err);
	if (o->sampler_seq != NULL)
		return lists_letters(o->sampler_seq, &o->sampling, err);
	return lists_stages(o->samplers, &o->sampling, err);
}

/* The values that are more than one word. */
static bool
parse_lists(struct options *o, struct error *err)
{
	struct sampling *s = &o->sampling;

	if (!parse_stages(o, err))
		return false;
	if (!lists_temps(o->temps_text, s->policy->wide, &o->temps, err))
		return false;
	o->first_row = 1;
	if (o->rows_text != NULL &&
	    !number_range(
	        o->rows_text, &o->first_row, &o->last_row, "--rows", err))
		return false;
	if (o->prompt_text != NULL &&
	    !lists_ids(o->prompt_text, "--prompt", &o->prompt, err))
		return false;
	for (size_t i = 0; i < o->ends_text.size; i++)
		if (!add_ends(o, o->ends_text.list[i], err))
			return false;
	if (o->ends_text.size == 0 && !model_ends(o, err))
		return false;
	for (size_t i = 0; o->ignore_eos && i < o->stop.ends.size; i++)
		if (!lists_ban(s, o->stop.ends.list[i], err))
			return false;
	for (size_t i = 0; i < o->breaker_ids.size; i++)
		if (!lists_breaker(o->breaker_ids.list[i], s, err))
			return false;
	return lists_biases(&o->biases, s, err);
}

void
options_set_temp(struct sampling *s, const struct temp *temp)
{
	s->temp = *temp;
	if (!s->policy->wide && !s->policy->cold_greedy && temp->narrow < 0)
		s->temp.narrow = 0; /* as upstream has it */
	if (s->policy->cold_greedy && temp->narrow <= 0 &&
	    sampling_has(s, &stage_temperature))
		s->greedy = true;
}

static bool
was_given(const struct options *o, const char *name)
{
	return o->given[option_find(name) - option_table];
}

bool
options_tell(const struct options *o, const char *name)
{
	size_t i = (size_t)(option_find(name) - option_table);

	return o->given[i] || o->saved[i];
}

/* The first of these that was given; NULL ends them, and is what none is. */
static const char *
first_given(const struct options *o, const char *const *names)
{
	while (*names != NULL && !was_given(o, *names))
		names++;
	return *names;
}

/* Does a state or a model file say it? */
static bool
was_read(const struct options *o, const char *name)
{
	size_t i = (size_t)(option_find(name) - option_table);

	return o->saved[i] || o->modelled[i];
}

/* tokpick(1), "llama.cpp", "Settings": what the chain ends with. */
static void
choose_finish(struct options *o)
{
	static const struct finish *const mirostats[] = {
	    NULL, &finish_mirostat_1, &finish_mirostat_2};
	struct sampling *s = &o->sampling;

	s->finish = s->policy->finish;
	if (o->mirostat > 0) {
		s->finish = mirostats[o->mirostat];
		s->dynatemp_range = 0;
	} else if (sampling_has(s, &stage_adaptive_p)) {
		s->finish = &finish_adaptive_p;
	}
}

/* Values that stand for others, and a random seed of the right length. */
static void
adjust(struct options *o)
{
	struct sampling *s = &o->sampling;

	if (s->policy->short_seed && o->random_seed)
		s->seed %= UINT32_MAX;
	if (o->policy == POLICY_GOLEM && s->repeat_penalty == 0)
		s->repeat_penalty = 1;
	if (s->policy->bounded && s->repeat_last_n < 0)
		s->repeat_last_n = 0;
	if (s->dry_base < 1)
		s->dry_base = 1.75f;
	if (s->adaptive_decay > 0.99f)
		s->adaptive_decay = 0.99f;
	s->dry_most = o->stop.context > 0 ? o->stop.context : 32768;
}

size_t
options_limit(const struct options *o)
{
	return (size_t)(o->limit_ids > 0 && o->limit_ids < o->vocab
	        ? o->limit_ids
	        : o->vocab);
}

static bool
is_trace(int output)
{
	return output == OUTPUT_JSONL || output == OUTPUT_TABLE;
}

/* What follows from the values. */
static void
derive(struct options *o)
{
	struct sampling *s = &o->sampling;

	choose_finish(o);
	adjust(o);
	if (o->history != NULL && strcmp(o->history, "none") == 0) {
		o->history = NULL;
		o->no_history = true;
	}
	s->generator = o->stream == STREAM_ROW ? &generator_philox
	                                       : s->policy->generator;
	s->masked = o->mask != NULL;
	s->greedy = o->greedy;
	s->top_k_given = was_given(o, "top-k") || was_read(o, "top-k");
	/* Of several temperatures each is set in a copy of its own. */
	if (o->temps.size == 1)
		options_set_temp(s, &o->temps.list[0]);
	else
		s->temp = o->temps.list[0];
	if (!was_given(o, "output") && o->inspect)
		o->output = isatty(STDOUT_FILENO) ? OUTPUT_TABLE : OUTPUT_JSONL;
	if (!was_given(o, "top"))
		o->top = o->output == OUTPUT_TABLE || o->inspect ? TOP_SHOWN
		                                                 : 0;
	s->traced = is_trace(o->output) || o->report != NULL;
}

/* The rows of a closed loop are the model's. */
static bool
check_exec(const struct options *o, struct error *err)
{
	static const char *const files[] = {
	    "input", "tensor", "floor", "rows", "info"};

	if (o->exec == NULL && was_given(o, "exec-prefix"))
		return error_set(
		    err, STATUS_USAGE, "--exec-prefix: it is for --exec CMD");
	if (o->exec == NULL)
		return true;
	if (o->n_files > 0)
		return error_set(err, STATUS_USAGE,
		    "--exec: the rows come from CMD: %s would not be read",
		    o->files[0]);
	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++)
		if (was_given(o, files[i]))
			return error_set(err, STATUS_USAGE,
			    "--%s: the rows of --exec are raw, and as many as "
			    "are asked for",
			    files[i]);
	if (o->sampling.policy->wide && o->prompt.size == 0)
		return error_set(err, STATUS_USAGE,
		    "--exec: the strict policy does not start from nothing: "
		    "give the ids to start from with --prompt");
	return true;
}

static bool
is_dash(const char *file)
{
	return file != NULL && strcmp(file, "-") == 0;
}

/* Standard input is one thing. */
static bool
check_dashes(const struct options *o, struct error *err)
{
	const char *option = is_dash(o->mask) ? "--mask" : "--gguf";

	if (!is_dash(o->mask) && !is_dash(o->gguf))
		return true;
	if (is_dash(o->mask) && is_dash(o->gguf))
		return error_set(err, STATUS_USAGE,
		    "--gguf: -: the masks are on standard input; name a file");
	for (size_t i = 0; i < o->n_files; i++)
		if (is_dash(o->files[i]))
			return error_set(err, STATUS_USAGE,
			    "%s: -: the rows are on standard input; "
			    "name a file",
			    option);
	return true;
}

bool
options_have_grammar(const struct options *o)
{
	return o->grammar != NULL || o->grammar_file != NULL ||
	    o->json_schema != NULL;
}

/* One grammar, and the pieces to spell it with. */
static bool
check_grammar(const struct options *o, struct error *err)
{
	static const char *const kinds[] = {
	    "grammar", "grammar-file", "json-schema"};
	static const char *const needs[] = {"grammar-root", "dead-end"};
	const char *first = NULL;

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		if (!was_given(o, kinds[i]))
			continue;
		if (first != NULL)
			return error_set(err, STATUS_USAGE,
			    "--%s: there is a grammar already, by --%s: one "
			    "is wanted",
			    kinds[i], first);
		first = kinds[i];
	}
	for (size_t i = 0; i < sizeof(needs) / sizeof(*needs); i++)
		if (first == NULL && was_given(o, needs[i]) && !o->swept)
			message_warn("--%s has no effect: there is no "
			             "--grammar, --grammar-file or "
			             "--json-schema",
			    needs[i]);
	if (o->json_schema != NULL && was_given(o, "grammar-root"))
		return error_set(err, STATUS_USAGE,
		    "--grammar-root: a JSON Schema has no named rules");
	if (first != NULL && o->pieces == NULL && o->gguf == NULL)
		return error_set(err, STATUS_USAGE,
		    "--%s: a grammar is about the tokens' bytes: give them "
		    "with --pieces FILE or the model with --gguf FILE",
		    first);
	return true;
}

/* What has no meaning where nothing is drawn. */
static bool
check_inspect(const struct options *o, struct error *err)
{
	static const char *const draws[] = {
	    "draws", "expect", "history", "report"};

	for (size_t i = 0; o->inspect && i < sizeof(draws) / sizeof(*draws);
	     i++)
		if (was_given(o, draws[i]) &&
		    (strcmp(draws[i], "history") != 0 || o->rows_text == NULL))
			return error_set(err, STATUS_USAGE,
			    "--%s: --inspect draws nothing and leaves the "
			    "window as it is",
			    draws[i]);
	return true;
}

/* Several conversations side by side; what that can't be done with. */
static bool
check_several(const struct options *o, struct error *err)
{
	static const char *const alone[] = {
	    "exec", "save-state", "load-state", "report", NULL};
	static const char *const not_swept[] = {
	    "draws", "inspect", "summary", NULL};
	static const char *const sequences[] = {"batch", "sequence-rows", NULL};
	static const char *const sweeps[] = {"sweep", "grid", NULL};
	const char *sweep = first_given(o, sweeps), *by = sweep, *beside;

	if (was_given(o, "batch") && was_given(o, "sequence-rows"))
		return error_set(err, STATUS_USAGE,
		    "--batch, --sequence-rows: which of them?");
	if (was_given(o, "sweep") && was_given(o, "grid"))
		return error_set(
		    err, STATUS_USAGE, "--sweep, --grid: which of them?");
	if (o->sweep_summary && sweep == NULL)
		return error_set(err, STATUS_USAGE,
		    "--sweep-summary: it is for --sweep or --grid");
	if (by == NULL && (by = first_given(o, sequences)) == NULL)
		return true;
	beside = first_given(o, alone);
	if (beside == NULL && sweep != NULL)
		beside = first_given(o, not_swept);
	if (beside != NULL)
		return error_set(err, STATUS_USAGE,
		    "--%s: it is for one conversation, --%s makes several",
		    beside, by);
	if (o->output != OUTPUT_IDS && o->output != OUTPUT_JSONL)
		return error_set(err, STATUS_USAGE,
		    "--output %s: what --%s makes several of can't be told "
		    "apart in it; ids and jsonl can",
		    output_names[o->output], by);
	return true;
}

static bool
check_together(const struct options *o, struct error *err)
{
	if (!check_inspect(o, err) || !check_grammar(o, err))
		return false;
	if (o->sampling.policy->short_seed && o->sampling.seed >= UINT32_MAX)
		return error_set(err, STATUS_USAGE,
		    "--seed: %" PRIu64 ": the %s policy takes 0 to 4294967294; "
		    "--seed random is what 4294967295 means upstream",
		    o->sampling.seed, o->sampling.policy->name);
	if (o->stream == STREAM_ROW && o->rng_state != NULL)
		return error_set(err, STATUS_USAGE,
		    "--rng-state: with --stream row no random number depends "
		    "on the one before");
	if (o->verbose && o->quiet)
		return error_set(
		    err, STATUS_USAGE, "--verbose and --quiet: which of them?");
	if (o->progress && o->no_progress)
		return error_set(err, STATUS_USAGE,
		    "--progress and --no-progress: which of them?");
	if (o->report != NULL && strcmp(o->report, "-") == 0)
		return error_set(err, STATUS_USAGE,
		    "--report: -: the page is written whole or not at all; "
		    "name a file");
	if (o->output == OUTPUT_TEXT && o->pieces == NULL && o->gguf == NULL)
		return error_set(err, STATUS_USAGE,
		    "--output text: give the pieces with --pieces FILE, or "
		    "the model with --gguf FILE");
	if (o->output == OUTPUT_TEXT && o->draws > 1)
		return error_set(err, STATUS_USAGE,
		    "--draws: the text of several draws can't be told apart; "
		    "--output ids or jsonl shows them");
	if (o->temps.size > 1 && !o->inspect)
		return error_set(err, STATUS_USAGE,
		    "--temp: %s: several are for --inspect", o->temps_text);
	if (o->inspect && !is_trace(o->output))
		return error_set(err, STATUS_USAGE,
		    "--inspect: --output is table or jsonl, not %s",
		    output_names[o->output]);
	if (was_given(o, "top") && !is_trace(o->output))
		return error_set(err, STATUS_USAGE,
		    "--top: for --output table and jsonl, not %s",
		    output_names[o->output]);
	return check_exec(o, err) && check_several(o, err);
}

/* Say where the value came from that is wrong. */
static bool
blame(const struct options *o, struct error *err)
{
	resume_blame(o, err);
	model_blame(o, err);
	return false;
}

bool
options_settle(struct options *o, struct error *err)
{
	message_verbosity(o->quiet ? QUIET : o->verbose ? VERBOSE : NORMAL);
	if (!resume_open(o, err) || !check_taken(o, err) ||
	    !resume_fill(o, err) || !check_dashes(o, err) ||
	    !model_open(o, err) || !model_fill(o, err))
		return false;
	set_defaults(o);
	o->sampling.policy = policies[o->policy];
	if (!parse_lists(o, err))
		return blame(o, err);
	derive(o);
	if (!check_together(o, err))
		return blame(o, err);
	if (!o->swept)
		idle_warn(o);
	return true;
}
