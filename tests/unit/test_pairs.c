/* SPDX-License-Identifier: MIT */
/*
 * Each policy draws as one that takes its rules by the letter: random
 * settings out of a command line, random rows and conversations, each set of
 * kernels (conversation.h).
 *
 * TOKPICK_PAIRS is how many pairs of a row and settings are tried, 20000 if
 * it is not set; NAME:NUMBER, as a failure has it, is that conversation alone.
 */
#include "conversation.h"
#include "golem_settings.h"
#include "llama_settings.h"
#include "strict_settings.h"

static size_t wanted = 20000;
static const char *alone = NULL; /* the one conversation, NAME:NUMBER */

/* Is the one that is wanted alone of this policy?  *number is its own. */
static bool
is_alone(const char *name, uint64_t *number)
{
	size_t length = strlen(name);

	if (strncmp(alone, name, length) != 0 || alone[length] != ':')
		return false;
	*number = strtoull(alone + length + 1, NULL, 10);
	return true;
}

/* So many in a hundred of all pairs. */
static void
check(const char *name, const struct reference *reference, size_t percent)
{
	static struct conversation p;
	size_t last = wanted * percent / 100 / ROWS_A_CONVERSATION;

	p = (struct conversation){.name = name, .reference = reference};
	if (alone != NULL) {
		if (is_alone(name, &p.number))
			run_conversation(&p);
		return;
	}
	while (p.number++ < last)
		run_conversation(&p);
	print_message("# %zu pairs, %d sets of kernels\n",
	    last * ROWS_A_CONVERSATION, (int)LANES);
}

static void
golem_draws_by_the_letter(void **state)
{
	(void)state;
	check("golem", &reference_golem, 35);
}

static void
strict_draws_by_the_letter(void **state)
{
	(void)state;
	check("strict", &reference_strict, 10);
}

static void
llama_draws_by_the_letter(void **state)
{
	(void)state;
	check("llama", &reference_llama, 55);
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
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(golem_draws_by_the_letter),
	    cmocka_unit_test(strict_draws_by_the_letter),
	    cmocka_unit_test(llama_draws_by_the_letter),
	    cmocka_unit_test(the_deviation_is_rounded_as_llama_rounds_it),
	};
	const char *pairs = getenv("TOKPICK_PAIRS");

	if (pairs != NULL && strchr(pairs, ':') != NULL)
		alone = pairs;
	else if (pairs != NULL)
		wanted = strtoul(pairs, NULL, 10);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
