/* SPDX-License-Identifier: MIT */
/*
 * Pairs of a row and settings, at random: what the sampler does with them is
 * what a plain one does that takes every rule by the letter.  Each
 * conversation is made out of its own number, so that one that fails can be
 * had again alone.
 *
 * The sampler runs once with each set of kernels that a test build can be
 * told to leave out, and each time takes one of the ways around that rows
 * have: as bf16, and with their best already found.
 */
#ifndef TOKPICK_TEST_CONVERSATION_H
#define TOKPICK_TEST_CONVERSATION_H

#include <float.h>

#include "words.h"

#include "../../src/sampler/best.h"

enum {
	VOCAB_MOST = 4600,
	IDS_MAX = 80,
	ROWS_A_CONVERSATION = 4,
	DRAWS_MAX = 3,
	PROMPT_MAX = 40,
};

struct place {
	uint32_t id;
	double p;
};

/* A sampler by the letter. */
struct reference {
	bool wide;                      /* are its rows doubles? */
	void (*choose)(struct words *); /* settings, and say them in words */
	void (*begin)(size_t vocab);
	void (*join)(uint32_t id);
	bool (*weigh)(const struct row *); /* false: it is refused */
	size_t (*kept)(void);
	struct place (*at)(size_t place);
	struct decision (*draw)(void);
	void (*accept)(void); /* the first draw was taken, or NULL */
	void (*compare)(const struct sampler *); /* what else there is */
};

/* What cpu.h leaves out of each sampler's kernels. */
static const char *const without[] = {"",
#ifdef TOKPICK_TEST
    "neon avx512", "avx512 avx2", "avx512 avx2 sse2"
#endif
};
enum { LANES = LENGTH(without) };

/* A sampler as a run has it. */
struct lane {
	struct sampler *sampler;
	struct window *window;
	struct best best;
	struct row row;
	struct bf16_row bf16;
	float floats[VOCAB_MOST];
};

struct conversation {
	const char *name;
	const struct reference *reference;
	uint64_t number; /* its own, from which it is made */
	struct words words;
	char parsed[WORDS_ROOM];
	struct options options;
	size_t show; /* of the best, as many are looked at */
	struct lane lanes[LANES];
	uint32_t ids[IDS_MAX]; /* the conversation */
	size_t n_ids;

	/* The row at hand. */
	struct row row;
	float logits[VOCAB_MOST];
	double wide[VOCAB_MOST];
	struct bf16 halves[VOCAB_MOST];
	bool is_bf16; /* are the logits such as these can hold? */
	uint32_t mask[VOCAB_MOST / 32 + 1];
};

/* What a failing pair was, to try it again. */
static struct conversation *at_hand;

static inline void
describe(void)
{
	const struct conversation *p = at_hand;
	const struct row *row = &p->row;

	print_message("TOKPICK_PAIRS=%s:%llu, row %llu\ntokpick%s\nids:",
	    p->name, (unsigned long long)p->number,
	    (unsigned long long)row->number, p->words.text);
	for (size_t i = 0; i < p->n_ids; i++)
		print_message(" %u", p->ids[i]);
	print_message("\nrow:");
	for (size_t id = 0; id < row->size && id < 16; id++)
		print_message(" %a%s", row_logit(row, id),
		    row_allows(row, id) ? "" : " (masked)");
	print_message(row->size > 16 ? " and more\n" : "\n");
}

#define EXPECT(condition, ...)                 \
	do {                                   \
		if (!(condition)) {            \
			describe();            \
			fail_msg(__VA_ARGS__); \
		}                              \
	} while (0)

/* Rows. */

/* Mostly few; some about where other ways begin. */
static inline size_t
random_vocab(uint64_t *random)
{
	static const size_t edges[] = {32, 64, 128, 256, 512, 1024, 2048, 4096};
	size_t kind = random_below(random, 100);

	if (kind < 60)
		return 1 + random_below(random, 40);
	if (kind < 82)
		return 1 + random_below(random, 300);
	if (kind < 94)
		return edges[random_below(random, LENGTH(edges))] - 1 +
		    random_below(random, 3);
	if (kind < 96)
		return 1000;
	return 1 + random_below(random, VOCAB_MOST);
}

/* All but one banned, all of them, the ends of float, steep, and flat. */
static inline void
edge_row(uint64_t *random, float *logits, size_t n)
{
	size_t kind = random_below(random, 6), one = random_below(random, n);

	for (size_t id = 0; id < n; id++) {
		logits[id] = random_normal(random, 1);
		if (kind < 2)
			logits[id] = -INFINITY;
		else if (kind == 2)
			logits[id] = one_in(random, 2) ? FLT_MAX : -FLT_MAX;
		else if (kind == 3)
			logits[id] *= 1e30f;
		else if (kind == 4)
			logits[id] = 1 +
			    (float)random_below(random, 3) * 0x1p-23f;
	}
	if (kind == 1)
		logits[one] = -3;
	else if (kind == 5)
		logits[one] = 60;
}

/* The same as doubles, or doubles that no float is; strict takes no -inf. */
static inline void
widen_row(struct conversation *p)
{
	uint64_t *random = &p->words.random;
	bool more = one_in(random, 2), finite = !one_in(random, 20);

	for (size_t id = 0; id < p->row.size; id++) {
		p->wide[id] = (double)p->logits[id];
		if (more)
			p->wide[id] *= 1 + 0x1p-40 * (double)(id % 7);
		if (finite && p->wide[id] == (double)-INFINITY)
			p->wide[id] = -1e300;
	}
	p->row.wide = p->wide;
}

/* One row in twenty has a value that must be refused. */
static inline void
next_row(struct conversation *p, uint64_t number)
{
	uint64_t *random = &p->words.random;
	size_t n = p->words.vocab;

	p->row = (struct row){.number = number,
	    .size = n,
	    .step = one_in(random, 4) ? random_bits(random) : number,
	    .sequence = one_in(random, 4) ? (uint32_t)random_bits(random) : 0,
	    .logits = p->logits,
	    .mask = p->options.sampling.masked ? p->mask : NULL};
	if (one_in(random, 4))
		edge_row(random, p->logits, n);
	else
		random_row(random, p->logits, n);
	if (one_in(random, 20))
		p->logits[random_below(random, n)] = one_in(random, 2)
		    ? NAN
		    : INFINITY;
	p->is_bf16 = one_in(random, 3);
	if (p->is_bf16)
		make_bf16(p->logits, n, p->halves);
	for (size_t i = 0; i <= n / 32; i++)
		p->mask[i] = (uint32_t)(random_bits(random) |
		    random_bits(random));
	if (p->reference->wide)
		widen_row(p);
}

/* Comparing. */

/* The first value that no row may have, if there is one, is what is told. */
static inline void
compare_refusal(const struct conversation *p, const char *text)
{
	const struct row *row = &p->row;
	char expected[80] = "";
	double logit = 0;
	size_t id = 0;

	while (id < row->size) {
		logit = row_logit(row, id);
		if (!(logit < (double)INFINITY) ||
		    (row->wide != NULL && logit == (double)-INFINITY))
			break;
		id++;
	}
	if (id < row->size)
		snprintf(expected, sizeof(expected),
		    "row %llu: logit of token %zu is %s: ",
		    (unsigned long long)row->number, id,
		    isnan(logit)    ? "NaN"
		        : logit > 0 ? "+inf"
		                    : "-inf");
	EXPECT(
	    text[0] != '\0' && strncmp(text, expected, strlen(expected)) == 0,
	    "refused with '%s', not '%s'", text, expected);
}

static inline int
by_id(const void *first, const void *second)
{
	const struct place *a = first, *b = second;

	return a->id < b->id ? -1 : a->id > b->id;
}

/*
 * The same are kept, in the same order and to the bit as likely.  Where some
 * were ranked to be shown, the order of these is that of their probabilities.
 */
static inline void
compare_kept(const struct conversation *p, const struct sampler *sampler)
{
	static struct place ours[VOCAB_MOST], theirs[VOCAB_MOST];
	size_t n = p->reference->kept();
	struct listed l;

	EXPECT(sampler_kept(sampler) == n, "%zu kept, not %zu",
	    sampler_kept(sampler), n);
	for (size_t i = 0; i < n; i++) {
		l = sampler_list(sampler, i);
		EXPECT(!l.removed, "place %zu of %zu is removed", i, n);
		ours[i] = (struct place){l.id, l.p};
		theirs[i] = p->reference->at(i);
		EXPECT(!p->words.traced || i == 0 || i >= p->show ||
		        l.p <= ours[i - 1].p,
		    "place %zu of %zu: p %a after %a", i, n, l.p,
		    ours[i - 1].p);
	}
	if (p->words.traced) {
		qsort(ours, n, sizeof(*ours), by_id);
		qsort(theirs, n, sizeof(*theirs), by_id);
	}
	for (size_t i = 0; i < n; i++)
		EXPECT(ours[i].id == theirs[i].id && ours[i].p == theirs[i].p,
		    "place %zu of %zu: token %u, p %a, not %u, %a", i, n,
		    ours[i].id, ours[i].p, theirs[i].id, theirs[i].p);
}

/* What else is listed was removed, and is another token each. */
static inline void
compare_removed(const struct conversation *p, const struct sampler *sampler)
{
	static bool listed[VOCAB_MOST];
	struct listed l;

	memset(listed, 0, p->row.size * sizeof(*listed));
	for (size_t i = 0; i < sampler_listed(sampler); i++) {
		l = sampler_list(sampler, i);
		EXPECT(l.id < p->row.size && !listed[l.id],
		    "place %zu: token %u, again", i, l.id);
		listed[l.id] = true;
		EXPECT(i < sampler_kept(sampler) || (l.removed && l.p == 0),
		    "place %zu: token %u is not removed", i, l.id);
	}
}

static inline void
compare_draw(const struct decision *ours, const struct decision *theirs)
{
	EXPECT(ours->id == theirs->id && ours->p == theirs->p &&
	        ours->random == theirs->random,
	    "token %u, p %a, %s random number, not %u, %a, %s", ours->id,
	    ours->p, ours->random ? "a" : "no", theirs->id, theirs->p,
	    theirs->random ? "a" : "no");
	EXPECT(!ours->random || ours->unit == theirs->unit, "unit %a, not %a",
	    ours->unit, theirs->unit);
	EXPECT(ours->at.start == theirs->at.start &&
	        ours->at.end == theirs->at.end,
	    "interval %a, %a, not %a, %a", ours->at.start, ours->at.end,
	    theirs->at.start, theirs->at.end);
}

/* A conversation. */

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
	bool should = r->weigh(&p->row), good;
	struct error err;

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

/* Several draws, of which the first is taken; another id may join. */
static inline void
draw_all(struct conversation *p)
{
	size_t n = 1 + random_below(&p->words.random, DRAWS_MAX);
	struct decision theirs[DRAWS_MAX], ours, first = {0};
	struct error err;

	for (size_t i = 0; i < n; i++)
		theirs[i] = p->reference->draw();
	for (size_t i = 0; i < LANES; i++) {
		struct lane *l = &p->lanes[i];

		use_kernels(i);
		for (size_t d = 0; d < n; d++) {
			assert_true(sampler_draw(l->sampler, &ours, &err));
			compare_draw(&ours, &theirs[d]);
			if (d == 0)
				first = ours;
		}
		compare_kept(p, l->sampler);
		compare_removed(p, l->sampler);
		sampler_accept(l->sampler, &first);
	}
	if (p->reference->accept != NULL)
		p->reference->accept();
	join(p, one_in(&p->words.random, 2) ? random_id(p) : first.id);
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
	random_settings(p);
	p->reference->begin(p->words.vocab);
	open_lanes(p);
	for (size_t n = random_below(&p->words.random, PROMPT_MAX); n > 0; n--)
		join(p, random_id(p));
	for (uint64_t row = 1; row <= ROWS_A_CONVERSATION; row++) {
		next_row(p, row);
		if (weigh_all(p))
			draw_all(p);
	}
	close_lanes(p);
	options_free(&p->options);
}

#endif
