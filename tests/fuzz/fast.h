/* SPDX-License-Identifier: MIT */
/* The sampler as a run has it, for the fuzzers that hold it to plain ones. */
#ifndef TOKPICK_FUZZ_FAST_H
#define TOKPICK_FUZZ_FAST_H

#include <float.h>

#include "feed.h"

#include "../../src/constraint/constraint.h"
#include "../../src/constraint/gbnf.h"
#include "../../src/sampler/best.h"
#include "../../src/sampler/sampler.h"

enum {
	FAST_VOCAB_MAX = 4500,
	FAST_STAGES_MAX = 12,
	FAST_BIASES_MAX = 8,
	FAST_IDS_MAX = 256,
	FAST_LETTERS = 8,
};

struct fast {
	struct sampling set;
	const struct stage *stages[FAST_STAGES_MAX];
	struct bias biases[FAST_BIASES_MAX];
	size_t vocab, show;
	struct sampler *sampler;
	struct window *window;
	struct best best;
	uint32_t ids[FAST_IDS_MAX]; /* the conversation */
	size_t n_ids;

	/* With a constraint, ids that have certain letters, all along. */
	struct grammar *grammar; /* NULL: there is none */
	struct pieces *pieces;
	uint32_t letters;

	/* The row at hand. */
	struct row row;
	uint32_t inside[FAST_VOCAB_MAX / 32 + 1]; /* what it allows then */
	bool dead_end;                            /* nothing */
	float logits[FAST_VOCAB_MAX], floats[FAST_VOCAB_MAX];
	double wide[FAST_VOCAB_MAX];
	struct bf16 halves[FAST_VOCAB_MAX];
	struct bf16_row bf16;
	uint32_t mask[FAST_VOCAB_MAX / 32 + 1];
};

/*
 * A generator whose numbers are often those at which a draw goes one way or
 * the other: sums of a few equal probabilities, and both ends of [0, 1).
 */
static inline double
fast_edge(struct rng *rng)
{
	static const double ends[] = {0, 0x1p-53, 1 - 0x1p-53, 1 - 0x1p-25};
	uint64_t bits = random_bits(&rng->low);

	if (bits % 4 == 0)
		return ends[bits / 4 % LENGTH(ends)];
	if (bits % 4 == 1)
		return (double)(bits / 4 % 3) / 3;
	return (double)(bits / 4 % 16) / 16;
}

static inline float
fast_edge_coin(struct rng *rng)
{
	return (float)(random_bits(&rng->low) % 16) / 16;
}

/* The policy's own generator, the one by row, or that one. */
static inline const struct generator *
fast_generator(struct feed *f, const struct generator *own)
{
	static struct generator edges;

	edges = generator_splitmix64;
	edges.unit = fast_edge;
	edges.coin = fast_edge_coin;
	return FEED_ONE(
	    f, const struct generator *, own, own, &generator_philox, &edges);
}

/* The stages by their letters. */
static inline void
fast_stages(struct fast *fast, const char *letters)
{
	const struct policy *policy = fast->set.policy;
	const struct stage *const *stage;

	fast->set.stages = fast->stages;
	fast->set.n_stages = strlen(letters);
	for (size_t i = 0; i < fast->set.n_stages; i++) {
		stage = policy->order;
		while (*stage != NULL && (*stage)->letter != letters[i])
			stage++;
		fast->stages[i] = *stage != NULL ? *stage : policy->extra[0];
	}
}

/* Sorted by id, as lists_biases() leaves them; as many ids as there are. */
static inline void
fast_biases(struct fast *fast, const struct bias *biases, size_t n)
{
	struct bias moving;
	size_t at;

	fast->set.biases = fast->biases;
	fast->set.n_biases = n;
	for (size_t i = 0; i < n; i++) {
		moving = biases[i];
		for (at = i; at > 0 && fast->biases[at - 1].id > moving.id;
		     at--)
			fast->biases[at] = fast->biases[at - 1];
		fast->biases[at] = moving;
	}
}

/* An id's letter is by its number; the grammar is some of the letters. */
static inline void
fast_constrain(struct fast *fast, struct feed *f)
{
	static const char letters[] = "abcdefgh";
	char text[32] = "root ::= [!";
	size_t n = strlen(text);
	struct error err;

	fast->letters = (uint32_t)feed_bits(f, 1);
	for (size_t i = 0; i < FAST_LETTERS; i++)
		if ((fast->letters >> i & 1) != 0)
			text[n++] = letters[i];
	strcpy(text + n, "]*");
	fast->pieces = pieces_new(&err);
	for (size_t id = 0; id < fast->vocab; id++)
		if (fast->pieces == NULL ||
		    !pieces_add(fast->pieces, &letters[id % FAST_LETTERS], 1,
		        false, &err))
			abort();
	fast->grammar = gbnf_parse(
	    text, strlen(text), "fuzz", "root", fast->pieces, &err);
	EXPECT(fast->grammar != NULL, "%s", err.text);
	fast->set.inside = constraint_new(
	    fast->grammar, fast->pieces, NULL, 0, fast->vocab, &err);
	EXPECT(fast->set.inside != NULL, "%s", err.text);
}

static inline bool
fast_allows(const struct fast *fast, uint32_t id)
{
	return fast->grammar == NULL ||
	    (fast->letters >> id % FAST_LETTERS & 1) != 0;
}

/* What the row's mask and the constraint allow. */
static inline void
fast_confine(struct fast *fast)
{
	memset(fast->inside, 0, sizeof(fast->inside));
	fast->dead_end = true;
	for (uint32_t id = 0; id < fast->vocab; id++) {
		if (!row_allows(&fast->row, id) || !fast_allows(fast, id))
			continue;
		fast->inside[id / 32] |= UINT32_C(1) << id % 32;
		fast->dead_end = false;
	}
}

/* Open what the settings ask for. */
static inline void
fast_open(struct fast *fast, struct feed *f)
{
	struct error err;
	size_t wants;

	fast->n_ids = 0;
	if (feed_one_in(f, 4))
		fast_constrain(fast, f);
	fast->window = window_new(fast->vocab, fast->set.repeat_last_n, &err);
	fast->sampler = sampler_new(&fast->set, fast->vocab, fast->show, &err);
	if (fast->window == NULL || fast->sampler == NULL)
		abort();
	wants = sampler_wants(fast->sampler);
	if (!best_open(&fast->best, wants, fast->vocab, &err))
		abort();
}

static inline void
fast_close(struct fast *fast)
{
	best_close(&fast->best);
	sampler_free(fast->sampler);
	window_free(fast->window);
	constraint_free(fast->set.inside);
	grammar_free(fast->grammar);
	pieces_free(fast->pieces);
	fast->grammar = NULL;
	fast->pieces = NULL;
}

/* An id joins the conversation, if there is room. */
static inline bool
fast_join(struct fast *fast, uint32_t id)
{
	struct error err;

	if (fast->n_ids == FAST_IDS_MAX)
		return false;
	fast->ids[fast->n_ids++] = id;
	if (!window_add(fast->window, id, &err))
		abort();
	sampler_join(fast->sampler, id);
	return true;
}

/* Few ids, repetitions, and some that the vocabulary lacks. */
static inline uint32_t
fast_some_id(const struct fast *fast, struct feed *f)
{
	size_t back = 1 + feed_below(f, 8);

	if (back <= fast->n_ids && back < 6)
		return fast->ids[fast->n_ids - back];
	return (uint32_t)feed_below(f, fast->vocab + 2);
}

/* The rest of what is read, and a row with a sequence and a step of its own. */
static inline void
fast_place_row(struct fast *fast, struct feed *f)
{
	uint64_t number = fast->row.number + 1;

	fast->row = (struct row){.number = number,
	    .size = fast->vocab,
	    .step = feed_one_in(f, 4) ? feed_bits(f, 8) : number,
	    .sequence = feed_one_in(f, 4) ? (uint32_t)feed_bits(f, 4) : 0};
	if (!fast->set.masked)
		return;
	feed_mask(f, fast->mask, fast->vocab);
	fast->row.mask = fast->mask;
}

/*
 * A row of floats; as bf16 now and then, and then the floats are what these
 * are.  plain is the same row without such ways around.
 */
static inline void
fast_next_row(struct fast *fast, struct feed *f, struct row *plain)
{
	fast_place_row(fast, f);
	feed_row(f, fast->logits, fast->vocab);
	*plain = fast->row;
	plain->logits = fast->logits;
	if (feed_one_in(f, 4)) {
		make_bf16(fast->logits, fast->vocab, fast->halves);
		fast->bf16 = (struct bf16_row){
		    fast->halves, fast->floats, false};
		fast->row.bf16 = &fast->bf16;
	} else {
		fast->row.logits = fast->logits;
	}
}

/*
 * Weigh the row; false if it is refused, and then nothing has moved.  Where
 * the best are wanted, finding them refuses a row that is bad.
 */
static inline bool
fast_weigh(struct fast *fast, bool find_best)
{
	struct error err = {0};
	bool good;

	sampler_mark(fast->sampler);
	good = (!find_best || best_find(&fast->best, &fast->row, &err)) &&
	    sampler_weigh(fast->sampler, &fast->row, fast->window, &err);
	if (!good)
		sampler_back(fast->sampler);
	EXPECT(good || err.text[0] != '\0', "refused without a word");
	return good;
}

/* The draw is what it is by the letter, and so is one that was refused. */
static inline void
fast_compare(const struct decision *ours, const struct decision *d)
{
	const struct refused *r = &d->refused;

	EXPECT(ours->id == d->id && ours->p == d->p,
	    "token %u, p %a, not %u, %a", ours->id, ours->p, d->id, d->p);
	EXPECT(ours->random == d->random && ours->unit == d->unit,
	    "unit %a, not %a", ours->unit, d->unit);
	EXPECT(ours->at.start == d->at.start && ours->at.end == d->at.end,
	    "interval %a, %a, not %a, %a", ours->at.start, ours->at.end,
	    d->at.start, d->at.end);
	EXPECT(ours->again == d->again && ours->dead_end == d->dead_end,
	    "%s again, dead end: %d", ours->again ? "" : "not", ours->dead_end);
	EXPECT(!d->again ||
	        (ours->refused.id == r->id && ours->refused.p == r->p &&
	            ours->refused.random == r->random &&
	            ours->refused.unit == r->unit),
	    "refused: token %u, p %a, unit %a, not %u, %a, %a",
	    ours->refused.id, ours->refused.p, ours->refused.unit, r->id, r->p,
	    r->unit);
}

/*
 * Draw; false if that fails, as by the letter it should or should not.  The
 * draw by the letter is d.
 */
static inline bool
fast_draw(const struct fast *fast, bool should, const struct decision *d,
    struct decision *ours)
{
	struct error err = {0};
	bool good = sampler_draw(fast->sampler, ours, &err);

	EXPECT(good == should, "%s", good ? "drawn" : err.text);
	EXPECT(good || err.text[0] != '\0', "failed without a word");
	if (good)
		fast_compare(ours, d);
	return good;
}

/* What is remembered becomes texts, and a new sampler goes on from these. */
static inline void
fast_go_on(struct fast *fast)
{
	struct pairs pairs = {0};
	struct error err;
	struct sampler *next = sampler_new(
	    &fast->set, fast->vocab, fast->show, &err);

	if (next == NULL || !sampler_remember(fast->sampler, &pairs, &err))
		abort();
	for (size_t i = 0; i < pairs.size; i++)
		EXPECT(sampler_recall(next, &pairs.list[i], false, &err), "%s",
		    err.text);
	pairs_free(&pairs);
	sampler_free(fast->sampler);
	fast->sampler = next;
}

/*
 * Row after row, until one ends the run or nothing is left to read, with
 * another sampler that goes on now and then; the last thing that is done.
 */
static inline void
fast_run(struct fast *fast, struct feed *f, bool (*try_row)(struct feed *))
{
	for (size_t rows = feed_rows(fast->vocab); rows > 0; rows--) {
		if (!try_row(f))
			break;
		if (feed_one_in(f, 8))
			fast_go_on(fast);
		if (f->at == f->end)
			break;
	}
	fast_close(fast);
}

#endif
