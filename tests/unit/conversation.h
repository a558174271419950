/* SPDX-License-Identifier: MIT */
/*
 * Pairs of a row and settings, at random: what the sampler does with them is
 * what a plain one does that takes every rule by the letter.  Each
 * conversation is made out of its own number, so that one that fails can be
 * had again alone.
 *
 * The sampler runs once with each set of kernels that a test build can be
 * told to leave out, and each time takes one of the ways around that rows
 * have: as bf16, and with their best already found.  Where there is a
 * constraint it allows the same tokens all along.
 */
#ifndef TOKPICK_TEST_CONVERSATION_H
#define TOKPICK_TEST_CONVERSATION_H

#include "comparing.h"
#include "hard_rows.h"

/* What the mask and the constraint allow. */
static inline void
confine(struct conversation *p)
{
	p->dead_end = true;
	for (size_t id = 0; id < p->row.size; id++) {
		if (id % 32 == 0)
			p->inside[id / 32] = 0;
		if (id >= p->spelt || !row_allows(&p->row, id) ||
		    (p->letters >> id % LETTERS & 1) == 0)
			continue;
		p->inside[id / 32] |= UINT32_C(1) << id % 32;
		p->dead_end = false;
	}
	p->weighed_again = false;
}

static inline void
join(struct conversation *p, uint32_t id)
{
	struct error err;

	assert_true(p->n_ids < IDS_MAX);
	p->ids[p->n_ids++] = id;
	p->reference->join(id);
	for (size_t i = 0; i < LANES; i++) {
		assert_true(window_add(p->lanes[i].window, id, &err));
		sampler_join(p->lanes[i].sampler, id);
	}
}

/* Few ids, repetitions, and some that the vocabulary lacks. */
static inline uint32_t
random_id(struct conversation *p)
{
	uint64_t *random = &p->words.random;
	size_t back = 1 + random_below(random, 5), vocab = p->words.vocab;
	size_t few = vocab < 6 ? vocab + 1 : 6;

	if (back <= p->n_ids && !one_in(random, 3))
		return p->ids[p->n_ids - back];
	return (uint32_t)random_below(
	    random, one_in(random, 4) ? vocab + 3 : few);
}

/* Weigh the row by one of the ways around that it may have. */
static inline bool
weigh(struct conversation *p, struct lane *l, struct error *err)
{
	uint64_t *random = &p->words.random;

	l->row = p->row;
	if (p->is_bf16 && one_in(random, 2)) {
		l->bf16 = (struct bf16_row){p->halves, l->floats, false};
		l->row.bf16 = &l->bf16;
		l->row.logits = NULL;
	}
	return (!one_in(random, 2) || best_find(&l->best, &l->row, err)) &&
	    sampler_weigh(l->sampler, &l->row, l->window, err);
}

static inline void
use_kernels(size_t lane)
{
	assert_int_equal(setenv("TOKPICK_WITHOUT", without[lane], 1), 0);
}

/* Weigh the row in each lane; false if it is refused, by all. */
static inline bool
weigh_all(struct conversation *p)
{
	const struct reference *r = p->reference;
	struct row row = p->row;
	bool should, good;
	struct error err;

	if (p->grammar != NULL) {
		confine(p);
		if (r->wide && !p->dead_end)
			row.mask = p->inside;
	}
	should = r->weigh(&row);

	for (size_t i = 0; i < LANES; i++) {
		struct lane *l = &p->lanes[i];

		use_kernels(i);
		err = (struct error){0};
		sampler_mark(l->sampler);
		good = weigh(p, l, &err);
		EXPECT(good == should, "%s, not %s",
		    good ? "weighed" : err.text,
		    should ? "weighed" : "refused");
		if (!good) {
			sampler_back(l->sampler);
			compare_refusal(p, err.text);
			continue;
		}
		if (one_in(&p->words.random, 2))
			compare_kept(p, l->sampler);
		if (r->compare != NULL)
			r->compare(l->sampler);
	}
	return should;
}

/* One draw by the letter, or two; false if the second one fails. */
static inline bool
draw_plainly(struct conversation *p, size_t nth, struct decision *d)
{
	const struct reference *r = p->reference;
	struct decision first = *d = r->draw();
	enum outcome outcome;

	if (p->grammar == NULL)
		return true;
	if (r->wide) {
		d->dead_end = p->dead_end;
		return true;
	}
	if ((p->letters >> d->id % LETTERS & 1) != 0 && d->id < p->spelt)
		return true;
	if (r->refused != NULL)
		r->refused();
	if (!p->weighed_again) {
		outcome = r->weigh_again(&p->row, p->inside);
		if (outcome == FAILED)
			return false;
		p->dead_end = outcome == DEAD_END;
		p->weighed_again = true;
	}
	d->dead_end = p->dead_end;
	if (p->dead_end)
		return true;
	*d = r->draw_again(nth);
	d->again = true;
	d->refused.id = first.id;
	d->refused.p = first.p;
	d->refused.random = first.random;
	d->refused.unit = first.unit;
	return true;
}

/* So many draws of a lane are those by the letter, or the last one fails. */
static inline void
draw_lane(struct conversation *p, struct lane *l, const struct decision *theirs,
    size_t n)
{
	struct decision ours, first = {0};
	struct error err = {0};
	bool good;

	for (size_t i = 0; i < n; i++) {
		good = sampler_draw(l->sampler, &ours, &err);
		EXPECT(good == (i + 1 < n || !p->over), "%s",
		    good ? "drawn" : err.text);
		if (!good) {
			EXPECT(err.text[0] != '\0', "failed without a word");
			return;
		}
		compare_draw(&ours, &theirs[i]);
		if (i == 0)
			first = ours;
	}
	compare_kept(p, l->sampler);
	compare_removed(p, l->sampler);
	sampler_accept(l->sampler, &first);
}

/*
 * Several draws, of which the first is taken; another id may join.  If a
 * second draw fails, which ends a run, it is over.
 */
static inline void
draw_all(struct conversation *p)
{
	size_t most = 1 + random_below(&p->words.random, DRAWS_MAX), n = 0;
	struct decision theirs[DRAWS_MAX];

	for (; n < most && !p->over; n++)
		p->over = !draw_plainly(p, n, &theirs[n]);
	for (size_t i = 0; i < LANES; i++) {
		use_kernels(i);
		draw_lane(p, &p->lanes[i], theirs, n);
	}
	if (p->over)
		return;
	if (p->reference->accept != NULL)
		p->reference->accept();
	join(p, one_in(&p->words.random, 2) ? random_id(p) : theirs[0].id);
}

/* Some letters, all of the text so; some of the last ids can't be spelt. */
static inline void
open_constraint(struct conversation *p)
{
	uint64_t *random = &p->words.random;
	size_t vocab = p->words.vocab, lacking = random_below(random, 3);
	char text[64] = "root ::= [!";
	struct error err;

	p->letters = (uint32_t)random_bits(random) % (UINT32_C(1) << LETTERS);
	if (one_in(random, 2))
		p->letters &= (uint32_t)random_bits(random) &
		    (uint32_t)random_bits(random);
	for (size_t i = 0; i < LETTERS; i++)
		if ((p->letters >> i & 1) != 0)
			sprintf(text + strlen(text), "%c", (char)('a' + i));
	strcat(text, "]*");
	p->spelt = vocab > lacking ? vocab - lacking : vocab;
	p->pieces = pieces_new(&err);
	assert_non_null(p->pieces);
	for (size_t id = 0; id < p->spelt; id++)
		assert_true(pieces_add(p->pieces,
		    &"abcdefghijklmnopqrstuvwxyz"[id % LETTERS], 1, false,
		    &err));
	p->grammar = grammar_of(text);
	p->options.sampling.inside = constraint_new(
	    p->grammar, p->pieces, NULL, 0, vocab, &err);
	assert_non_null(p->options.sampling.inside);
}

static inline void
close_constraint(struct conversation *p)
{
	if (p->grammar == NULL)
		return;
	constraint_free(p->options.sampling.inside);
	grammar_free(p->grammar);
	pieces_free(p->pieces);
	p->grammar = NULL;
}

static inline void
open_lanes(struct conversation *p)
{
	const struct sampling *s = &p->options.sampling;
	const size_t shows[] = {0, 0, 1, 3, p->words.vocab};
	struct error err;

	p->show = shows[random_below(&p->words.random, LENGTH(shows))];
	for (size_t i = 0; i < LANES; i++) {
		struct lane *l = &p->lanes[i];

		l->window = window_new(p->words.vocab, s->repeat_last_n, &err);
		l->sampler = sampler_new(s, p->words.vocab, p->show, &err);
		assert_true(l->window != NULL && l->sampler != NULL);
		assert_true(best_open(
		    &l->best, sampler_wants(l->sampler), p->words.vocab, &err));
	}
}

static inline void
close_lanes(struct conversation *p)
{
	for (size_t i = 0; i < LANES; i++) {
		best_close(&p->lanes[i].best);
		sampler_free(p->lanes[i].sampler);
		window_free(p->lanes[i].window);
	}
}

static inline void
random_settings(struct conversation *p)
{
	struct words *w = &p->words;

	*w = (struct words){.random = p->number};
	w->random = random_bits(&w->random);
	w->vocab = random_vocab(&w->random);
	w->greedy = one_in(&w->random, 10);
	w->traced = one_in(&w->random, 5);
	w->by_row = one_in(&w->random, 4);
	w->bare = !p->reference->wide && one_in(&w->random, 6);
	add_int(w, "vocab", (int64_t)w->vocab);
	p->reference->choose(w);
	add(w, "output", w->traced ? "jsonl" : "ids");
	add(w, "stream", w->by_row ? "row" : "run");
	strcat(w->text, w->greedy ? " --greedy" : "");
	strcat(w->text, w->bare ? " --no-defaults -q" : " -q");
	strcpy(p->parsed, w->text);
	parse_options(&p->options, p->parsed);
	p->options.sampling.masked = one_in(&w->random, 4);
}

static inline void
run_conversation(struct conversation *p)
{
	at_hand = p;
	p->row = (struct row){0};
	p->n_ids = 0;
	p->over = false;
	random_settings(p);
	p->reference->begin(p->words.vocab);
	if (one_in(&p->words.random, 4))
		open_constraint(p);
	open_lanes(p);
	for (size_t n = random_below(&p->words.random, PROMPT_MAX); n > 0; n--)
		join(p, random_id(p));
	for (uint64_t row = 1; row <= ROWS_A_CONVERSATION && !p->over; row++) {
		next_row(p, row);
		if (weigh_all(p))
			draw_all(p);
	}
	close_lanes(p);
	close_constraint(p);
	options_free(&p->options);
}

#endif
