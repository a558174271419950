/* SPDX-License-Identifier: MIT */
/* The sampler: a row in, a decision out.  It knows no files, no options. */
#ifndef TOKPICK_SAMPLER_H
#define TOKPICK_SAMPLER_H

#include "../pairs.h"
#include "../window.h"
#include "mass.h"
#include "policy.h"
#include "row.h"

struct sampler;

/*
 * A sampler for rows of vocab values.  settings must outlive it.  At least
 * `show` candidates of each row can be looked at, be they kept or not (0:
 * as many as deciding needs).  All its memory is taken here: a row costs no
 * allocation.  NULL and err on failure.
 */
struct sampler *sampler_new(
    const struct sampling *settings, size_t vocab, size_t show, struct error *);
void sampler_free(struct sampler *);

/*
 * How many of a row's best it takes, where that is all that it needs of it;
 * 0 where it needs all of the row.
 */
size_t sampler_wants(const struct sampler *);

/*
 * Work out the distribution of one row, which must stay as it is, as must the
 * window, for as long as is drawn from it.  The random generator is left as
 * it is.  A bad row (NaN, +inf, nothing finite) is
 * an error that names the row, the id and the value.
 */
bool sampler_weigh(struct sampler *, const struct row *, const struct window *,
    struct error *);

/*
 * Draw from that distribution; as often as is liked.  Where settings
 * have a constraint it is asked of the id, and if it refuses that, another one
 * is drawn from what it allows; the textbook draws from that alone, once. False
 * and err only where the constraint fails.
 */
bool sampler_draw(struct sampler *, struct decision *, struct error *);

/*
 * Look at what a second draw would be from: the distribution inside the
 * constraint, until the next row.  *dead_end: there is none.
 */
bool sampler_confine(struct sampler *, bool *dead_end, struct error *);

/*
 * One of those draws was taken, and an id, the drawn one or another, joins
 * the conversation: what stages remember of them moves on.
 */
void sampler_accept(struct sampler *, const struct decision *);
void sampler_join(struct sampler *, uint32_t id);

/*
 * Looking at the distribution that the first draw came from in the end.
 * Candidates are listed from 0: the kept ones
 * first, then those that were removed, the last removed first.  Of these the
 * first `show` are by rank with settings->traced; without, none need be.
 */
struct listed {
	uint32_t id;
	double p;       /* 0 if it was removed */
	bool removed;   /* not among the kept */
	size_t removal; /* if removed, the step that did it */
};
size_t sampler_kept(const struct sampler *);
size_t sampler_listed(const struct sampler *);
struct listed sampler_list(const struct sampler *, size_t rank);

/* The probabilities by id, [V], where the policy is wide; else NULL. */
const double *sampler_by_id(const struct sampler *);

/*
 * The steps in which candidates were removed: the stages of the settings,
 * in order, or the textbook's top_k, and greedy at the end where it is on.
 */
struct step {
	const char *name;
	size_t time; /* 1, or 2 for the second step of that name, … */
	size_t left; /* candidates left after it; V where it left all */
};
size_t sampler_steps(const struct sampler *);
struct step sampler_step(const struct sampler *, size_t i);

/*
 * What part the kept candidates have in the softmax of the whole row: as it
 * would be, masks, biases, penalties and temperature included, if no stage
 * removed candidates.  Only with settings->traced.
 */
struct mass sampler_mass(const struct sampler *);

/*
 * Before a row, mark what the sampler remembers, and go back to the mark if
 * the row comes to nothing: it was weighed or drawn from, but not accepted.
 */
void sampler_mark(struct sampler *);
void sampler_back(struct sampler *);

/*
 * What it remembers, the generator among it, as names and values for a
 * saved state, added to the pairs.
 */
bool sampler_remember(const struct sampler *, struct pairs *, struct error *);

/*
 * Take back one of them: a pair with a name that sampler_remember() gives.
 * reseeded: a generator stays as the seed has started it.  False and err,
 * which says what is wrong with the value.
 */
bool sampler_recall(
    struct sampler *, const struct pair *, bool reseeded, struct error *);

/*
 * What steered this row's distribution besides its logits; NaN for what the
 * settings don't have, and for a coin that was not tossed.
 */
struct steering {
	float dynamic_temp;     /* the temperature within its range, if used */
	float coin;             /* xtc's toss */
	float mu;               /* mirostat's bound */
	float weighted, weight; /* adaptive_p's running sums */
};
struct steering sampler_steering(const struct sampler *);

/* The random generator as it stands; may be changed between rows. */
struct rng *sampler_rng(struct sampler *);

#endif
