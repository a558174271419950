/* SPDX-License-Identifier: MIT */
/* A lane: one conversation under one setting, with all that goes on in it. */
#ifndef TOKPICK_LANE_H
#define TOKPICK_LANE_H

#include "cli/options.h"
#include "constraint/constraint.h"
#include "history.h"
#include "sampler/sampler.h"

/* What all lanes of a run have in common. */
struct lane_world {
	size_t vocab; /* ids that count */
	size_t show;  /* candidates of each row to look at, as sampler_new() */
	const struct grammar *grammar; /* NULL: none */
	const struct pieces *pieces;
};

/* All zero before it is opened. */
struct lane {
	const struct options *options;
	struct sampling settings;      /* of the options, with what is below */
	struct constraint *constraint; /* where the text stands, or NULL */
	struct sampler *sampler;
	struct history history;
	struct decision *drawn; /* [draws] from the row at hand */
	bool has_drawn;         /* from it, or not, since it has stopped? */
	enum stop stop;
};

/*
 * Begin a conversation with the prompt of the options, which must outlive
 * the lane, as must the world's grammar and pieces; at this temperature, or
 * at that of the options where temp is NULL.  A lane that failed to open is
 * closed, too.
 */
bool lane_open(struct lane *, const struct options *, const struct temp *temp,
    const struct lane_world *, struct error *);
void lane_close(struct lane *);

/* Before the first row: tokens that come behind the prompt. */
bool lane_begin_with(
    struct lane *, const uint32_t *tokens, size_t n, struct error *);

/*
 * Draw from a row as often as the options say.  A dead end of the grammar is
 * an error, or stops the lane, which is then as it was before the row.
 */
bool lane_draw(struct lane *, const struct row *, struct error *);

/* The distribution of a row, inside the grammar; a dead end as above. */
bool lane_look(struct lane *, const struct row *, struct error *);

/*
 * The first draw was taken, and the id joins, the drawn one or another; stop
 * says whether that ends the conversation.
 */
void lane_join(struct lane *, uint32_t id);

/* Before the first row: an id joins as if it were the end of the prompt. */
bool lane_recall(struct lane *, uint32_t id, struct error *);

/*
 * Can the id, which joins in place of the one drawn, follow in the grammar?
 * If so the grammar goes on with it.  Before lane_join().
 */
bool lane_follow(
    struct lane *, const struct row *, uint32_t id, struct error *);

#endif
