/* SPDX-License-Identifier: MIT */
/* The sampler as a run has it, for the fuzzers that hold it to plain ones. */
#ifndef TOKPICK_FUZZ_FAST_H
#define TOKPICK_FUZZ_FAST_H

#include <float.h>

#include "feed.h"

#include "../../src/sampler/best.h"
#include "../../src/sampler/sampler.h"

enum {
	FAST_VOCAB_MAX = 6000,
	FAST_STAGES_MAX = 12,
	FAST_BIASES_MAX = 8,
	FAST_IDS_MAX = 256,
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

	/* The row at hand. */
	struct row row;
	float logits[FAST_VOCAB_MAX], floats[FAST_VOCAB_MAX];
	double wide[FAST_VOCAB_MAX];
	struct bf16 halves[FAST_VOCAB_MAX];
	struct bf16_row bf16;
	uint32_t mask[FAST_VOCAB_MAX / 32 + 1];
};

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

/* Open what the settings ask for. */
static inline void
fast_open(struct fast *fast)
{
	struct error err;
	size_t wants;

	fast->n_ids = 0;
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

#endif
