/* SPDX-License-Identifier: MIT */
/*
 * Each policy draws as one that takes its rules by the letter: random
 * settings out of a command line, random rows and conversations, each set of
 * kernels (conversation.h).
 *
 * TOKPICK_PAIRS is how many pairs of a row and settings are tried, 20000 if
 * it is not set; NAME:NUMBER, as a failure has it, is that conversation alone.
 */
#include "golem_settings.h"
#include "llama_settings.h"
#include "strict_settings.h"

static const struct part {
	const char *name;
	const struct reference *reference;
	size_t percent;
} parts[] = {
    {"golem", &reference_golem, 35},
    {"strict", &reference_strict, 10},
    {"llama", &reference_llama, 55},
};

static size_t pairs_wanted = 20000;
static const char *alone = NULL; /* the one conversation */

/* Is it the one, if one alone is wanted?  *number becomes its own. */
static bool
is_alone(const struct part *part, uint64_t *number)
{
	size_t length = strlen(part->name);

	if (strncmp(alone, part->name, length) != 0 || alone[length] != ':')
		return false;
	*number = strtoull(alone + length + 1, NULL, 10);
	return true;
}

static void
draws_are_those_by_the_letter(void **state)
{
	const struct part *part = *state;
	static struct conversation p;
	uint64_t last = pairs_wanted * part->percent / 100 /
	    ROWS_A_CONVERSATION;

	p = (struct conversation){
	    .name = part->name, .reference = part->reference};
	if (alone != NULL) {
		if (is_alone(part, &p.number))
			run_conversation(&p);
		return;
	}
	while (p.number++ < last)
		run_conversation(&p);
	print_message("%llu pairs, %d sets of kernels\n",
	    (unsigned long long)last * ROWS_A_CONVERSATION, LANES);
}

/* As many deviations from the best as one of the logits is, nearly. */
static void
edge_settings(struct conversation *p)
{
	struct words *w = &p->words;
	float best, edge;
	char text[32];

	llama.set = (struct plain_settings){.generator = &generator_mt19937,
	    .lone_draw = true,
	    .stages = {&plain_stages[PLAIN_TOP_N_SIGMA]},
	    .n_stages = 1};
	plain_begin(&llama, w->vocab, 0);
	plain_take(&llama, &p->row);
	best = llama.list[plain_best(&llama)].logit;
	edge = llama.list[random_below(&w->random, w->vocab)].logit;
	llama.set.n_sigma = (best - edge) / plain_deviation(&llama);
	snprintf(text, sizeof(text), "%.9g", (double)llama.set.n_sigma);
	w->length = 0;
	add(w, "policy", "llama.cpp");
	add_int(w, "vocab", (int64_t)w->vocab);
	add(w, "samplers", "top_n_sigma");
	add(w, "top-nsigma", text);
	strcpy(p->parsed, w->text);
	parse_options(&p->options, p->parsed);
}

/* There the last bit of the deviation shows. */
static void
the_deviation_is_rounded_as_llama_rounds_it(void **state)
{
	static struct conversation p = {
	    .name = "deviation", .reference = &reference_llama};
	struct words *w = &p.words;

	(void)state;
	w->random = 1;
	at_hand = &p;
	for (size_t i = scaled(2000); i > 0; i--) {
		w->vocab = 2 + random_below(&w->random, 100);
		p.row = (struct row){
		    .number = 1, .size = w->vocab, .logits = p.logits};
		for (size_t id = 0; id < w->vocab; id++)
			p.logits[id] = random_normal(&w->random, 3);
		edge_settings(&p);
		p.n_ids = 0;
		open_lanes(&p);
		if (weigh_all(&p))
			draw_all(&p);
		close_lanes(&p);
		options_free(&p.options);
	}
}

int
main(void)
{
	struct CMUnitTest tests[LENGTH(parts) + 1] = {
	    cmocka_unit_test(the_deviation_is_rounded_as_llama_rounds_it)};
	const char *wanted = getenv("TOKPICK_PAIRS");

	if (wanted != NULL && strchr(wanted, ':') != NULL)
		alone = wanted;
	else if (wanted != NULL)
		pairs_wanted = strtoul(wanted, NULL, 10);
	for (size_t i = 0; i < LENGTH(parts); i++) {
		tests[i + 1].name = parts[i].name;
		tests[i + 1].test_func = draws_are_those_by_the_letter;
		tests[i + 1].initial_state = (void *)(uintptr_t)&parts[i];
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
