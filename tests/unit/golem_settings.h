/* SPDX-License-Identifier: MIT */
/* golem's settings at random, and golem by the letter beside them. */
#ifndef TOKPICK_TEST_GOLEM_SETTINGS_H
#define TOKPICK_TEST_GOLEM_SETTINGS_H

#include "plain_golem.h"
#include "reference.h"

static struct plain_golem golem, golem_again;
static const struct plain_golem *golem_shown; /* one of them */

/* Any stages in any order; the usual ones as often. */
static void
golem_stages(struct words *w, struct plain_golem_settings *s)
{
	static const char letters[] = "ekpmt";
	static const char *const names[] = {
	    "penalties", "top_k", "top_p", "min_p", "temperature"};
	char list[PLAIN_GOLEM_STAGES_MAX * 16] = "'";
	size_t n, i;

	strcpy(s->stages, letters);
	if (one_in(&w->random, 2))
		return;
	n = random_below(&w->random, PLAIN_GOLEM_STAGES_MAX + 1);
	s->stages[n] = '\0';
	for (size_t at = 0; at < n; at++) {
		i = random_below(&w->random, LENGTH(names));
		s->stages[at] = letters[i];
		strcat(list, at > 0 ? ";" : "");
		strcat(list, names[i]);
	}
	strcat(list, "'");
	add(w, "samplers", list);
}

/* A penalty below 0 is refused, and 0 is none. */
static void
golem_penalties(struct words *w, struct plain_golem_settings *s)
{
	s->last_n = WHOLE("repeat-last-n", "64", "0", "1", "3", "-1", "1000");
	s->repeat = NUMBER("repeat-penalty", 0.1, 3, "1", "1", "1.1", "2",
	    "0.5", "0", "1e-30", "3e38");
	s->frequency = NUMBER("frequency-penalty", -1, 2, "0", "0", "0.3",
	    "-0.3", "10", "3e38", "-3e38");
	s->presence = NUMBER(
	    "presence-penalty", -1, 2, "0", "0", "0.7", "-0.7", "20", "3e38");
}

static void
golem_choose(struct words *w)
{
	struct plain_golem_settings *s = &golem.set;

	*s = (struct plain_golem_settings){.greedy = w->greedy,
	    .generator = w->by_row ? &generator_philox : &generator_pcg,
	    .seed = random_below(&w->random, INT64_MAX)};
	add(w, "policy", "golem");
	add_int(w, "seed", (int64_t)s->seed);
	golem_stages(w, s);
	golem_penalties(w, s);
	s->n_biases = add_biases(w, s->biases, PLAIN_GOLEM_BIASES_MAX);
	s->top_k = add_top_k(w, 64);
	s->top_p = left_off(w) ? 1
	                       : NUMBER("top-p", 0, 1, "0.95", "1", "0.5",
	                             "0.1", "0.999", "0", "1e-10");
	s->min_p = left_off(w)
	    ? 0
	    : NUMBER("min-p", 0, 1, "0.05", "0", "0.5", "1e-10", "1", "1e-45");
	s->min_keep = WHOLE("min-keep", "0", "0", "1", "3", "1000");
	s->temp = left_off(w)
	    ? 1
	    : NUMBER("temp", 0.05, 5, "1", "0.7", "1.5", "30", "0.001", "1e-38",
	          "1e-45", "3e38", "0", "-1");
}

static void
golem_begin(size_t vocab)
{
	plain_golem_begin(&golem, vocab);
}

static void
golem_join(uint32_t id)
{
	assert_true(golem.n_ids < PLAIN_GOLEM_IDS_MAX);
	golem.ids[golem.n_ids++] = id;
}

static bool
golem_weigh(const struct row *row)
{
	golem_shown = &golem;
	return plain_golem_weigh(&golem, row);
}

static enum outcome
golem_weigh_again(const struct row *row, const uint32_t *inside)
{
	golem_again.set = golem.set;
	golem_again.vocab = golem.vocab;
	memcpy(golem_again.ids, golem.ids, sizeof(golem.ids));
	golem_again.n_ids = golem.n_ids;
	golem_again.inside = inside;
	if (plain_golem_weigh(&golem_again, row))
		return WEIGHED;
	return golem_again.refused ? FAILED : DEAD_END;
}

static size_t
golem_kept(void)
{
	return golem_shown->n;
}

static struct place
golem_at(size_t i)
{
	const struct plain_golem_token *token = &golem_shown->list[i];

	return (struct place){token->id, (double)token->p};
}

static struct decision
golem_draw_from(struct plain_golem *g)
{
	struct plain_golem_draw d = plain_golem_draw(g);

	return (struct decision){.id = g->list[d.index].id,
	    .p = (double)g->list[d.index].p,
	    .random = d.random,
	    .unit = d.unit,
	    .at = {d.start, d.end}};
}

static struct decision
golem_draw(void)
{
	return golem_draw_from(&golem);
}

static struct decision
golem_draw_again(size_t nth)
{
	struct decision d;

	golem_again.rng = golem.rng;
	golem_again.draws = (uint32_t)nth;
	d = golem_draw_from(&golem_again);
	golem.rng = golem_again.rng;
	if (nth == 0)
		golem_shown = &golem_again;
	return d;
}

static const struct reference reference_golem = {.choose = golem_choose,
    .begin = golem_begin,
    .join = golem_join,
    .weigh = golem_weigh,
    .kept = golem_kept,
    .at = golem_at,
    .draw = golem_draw,
    .weigh_again = golem_weigh_again,
    .draw_again = golem_draw_again};

#endif
