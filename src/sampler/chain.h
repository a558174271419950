/* SPDX-License-Identifier: MIT */
/* The chain: a row's candidates, and the stages they go through. */
#ifndef TOKPICK_CHAIN_H
#define TOKPICK_CHAIN_H

#include "../window.h"
#include "candidate.h"
#include "entire.h"
#include "policy.h"
#include "row.h"

struct dry;
struct touched;

/* What stages remember from row to row. */
struct memory {
	struct rng coin;        /* xtc's own generator */
	float mu;               /* mirostat's */
	float weighted, weight; /* adaptive_p's running sums */
};

struct chain {
	/* What a stage sees; one that can't do without a list finds one. */
	struct candidates kept;
	struct entire entire;
	bool sorted;               /* are those best first? */
	struct candidate *scratch; /* as much room as kept.list has */
	struct candidate *order;   /* the same for typ_p, adaptive_p, or NULL */
	const struct sampling *settings;
	const struct window *window;
	struct dry *dry; /* NULL where no stage needs it */
	struct memory *memory;

	/* What became of the row. */
	double total;  /* of p over kept */
	size_t listed; /* candidates that kept.list holds, removed or not */
	size_t *after; /* [n_stages] candidates left after each */
	float dynamic_temp; /* of the last row, NaN: none */
	float coin;         /* xtc's toss in the last row, NaN: none */
	bool empty;         /* did it fail since nothing was left? */

	/*
	 * Where settings->traced, else NULL: the logits by id as they would
	 * be if no stage removed a candidate.
	 */
	float *whole;           /* [V] */
	struct candidate *view; /* [V] of kept.list, see chain_view() */
	bool whole_known;       /* no: a penalty made one of them NaN */

	/* How it is done. */
	bool twin; /* dry and touched are another chain's */
	size_t vocab;
	size_t first;  /* index of the first stage to run on candidates */
	size_t select; /* k: how many of the row those stages can need */
	size_t show;   /* how many of the best will be looked at */
	struct touched *touched;
	struct candidate *list; /* what is selected, and room for u more */
	float *changed;         /* [V] a row with a mask or changes applied */
};

/* Two counts, each at most most, added up, but to no more than that. */
static inline size_t
chain_at_most(size_t most, size_t a, size_t b)
{
	return most - a < b ? most : a + b;
}

/* Put "row N: " before what went wrong in it.  Always returns false. */
bool chain_in_row(const struct row *, struct error *);

/* Say which logit of a row makes it a bad one.  Always returns false. */
bool chain_bad_logit(const struct row *, size_t id, struct error *);

/* Rank the candidates, if they aren't; list them first if need be. */
void chain_sort(struct chain *);

/* The highest logit; of a sorted list, the first one whatever it is. */
float chain_max(const struct chain *);

/* Softmax in the order the list has, by the policy; sets total to 1. */
void chain_softmax(struct chain *);

/*
 * Move the candidates at or above a floor to the front, in the order they
 * have; returns how many there are.
 */
size_t chain_partition(struct chain *, float floor);

/*
 * After a softmax: rank at least the shortest prefix whose p reach mass and
 * whose length reaches least.  Returns the length of what is ranked; all
 * other candidates rank below it.
 */
size_t chain_rank_prefix(struct chain *, double mass, size_t least);

/* The larger of a stage's own count and --min-keep, at most all. */
size_t chain_keep(const struct chain *, size_t count);

/*
 * Make the view of a row that was weighed: those kept, then those that the
 * last step removed, then those of the step before it, and so on.  The first
 * `show` of them stand best first within each of these groups.
 */
void chain_view(struct chain *);

/*
 * Get ready for rows of vocab logits.  settings must outlive it, and memory,
 * which starts here.  At least `show` of the best candidates are listed, be
 * they kept or not (0: as many as the stages need).  All memory is taken
 * here.
 */
bool chain_open(struct chain *, const struct sampling *settings, size_t vocab,
    size_t show, struct memory *, struct error *);

/*
 * The same for a second chain through which rows of `of` may go again, with
 * a mask: what is remembered from row to row they share.
 */
bool chain_open_twin(struct chain *, const struct chain *of, struct error *);
void chain_close(struct chain *);

/*
 * Of a twin: list the n best of a row as the first stage on candidates finds
 * them: the mask, biases, and the stages before it have done their work.
 * They stand ranked in kept, -inf last, and are more than n where ids were
 * touched.  The row has gone through the other chain before.
 */
void chain_best(
    struct chain *, const struct row *, const struct window *, size_t n);

/*
 * Take a row through the stages; it must stay as it is for as long as is
 * drawn from it.  Afterwards kept holds what is left, at least one candidate,
 * and behind it in kept.list, up to `listed`, stand those that were removed,
 * the last removed first.
 */
bool chain_run(
    struct chain *, const struct row *, const struct window *, struct error *);

/*
 * After chain_run(), before kept.list is looked at from outside up to this
 * rank: where the order is that of rank, it has been put off till now.
 */
void chain_look(struct chain *, size_t rank);

#endif
