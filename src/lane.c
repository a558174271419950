/* SPDX-License-Identifier: MIT */
/* A lane: one conversation under one setting, with all that goes on in it. */
#include "lane.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "sampler/chain.h"

static bool
open_constraint(
    struct lane *l, const struct lane_world *world, struct error *err)
{
	const struct ids *ends = &l->options->stop.ends;

	if (world->grammar == NULL)
		return true;
	l->constraint = constraint_new(world->grammar, world->pieces,
	    ends->list, ends->size, world->vocab, err);
	l->settings.inside = l->constraint;
	return l->constraint != NULL;
}

static bool
open_sampler(struct lane *l, const struct lane_world *world, struct error *err)
{
	const struct ids *prompt = &l->options->prompt;

	l->sampler = sampler_new(&l->settings, world->vocab, world->show, err);
	if (l->sampler == NULL)
		return false;
	for (size_t i = 0; i < prompt->size; i++)
		sampler_join(l->sampler, prompt->list[i]);
	return true;
}

bool
lane_open(struct lane *l, const struct options *o, const struct temp *temp,
    const struct lane_world *world, struct error *err)
{
	*l = (struct lane){.options = o, .settings = o->sampling};
	if (temp != NULL)
		options_set_temp(&l->settings, temp);
	l->drawn = calloc((size_t)o->draws, sizeof(*l->drawn));
	if (l->drawn == NULL)
		return error_system(err, ENOMEM, "%" PRId64 " draws", o->draws);
	if (open_constraint(l, world, err) && open_sampler(l, world, err) &&
	    history_open(&l->history, world->vocab, o->sampling.repeat_last_n,
	        &o->prompt, &o->stop, err)) {
		l->stop = history_stop_before(&l->history);
		return true;
	}
	lane_close(l);
	return false;
}

void
lane_close(struct lane *l)
{
	sampler_free(l->sampler);
	constraint_free(l->constraint);
	history_close(&l->history);
	free(l->drawn);
	*l = (struct lane){0};
}

bool
lane_begin_with(
    struct lane *l, const uint32_t *tokens, size_t n, struct error *err)
{
	for (size_t i = 0; i < n; i++) {
		if (!history_add_before(&l->history, tokens[i], err))
			return false;
		sampler_join(l->sampler, tokens[i]);
	}
	l->stop = history_stop_before(&l->history);
	return true;
}

/* No token can come next: that is an error, the end, or let pass. */
static bool
meet_dead_end(struct lane *l, const struct row *row, struct error *err)
{
	switch (l->options->dead_end) {
	case DEAD_END_STOP:
		l->stop = STOP_DEAD_END;
		return true;
	case DEAD_END_DRAW:
		return true;
	default:
		return error_set(err, STATUS_FAILED,
		    "row %" PRIu64 ": no token that can be drawn is inside the "
		    "grammar: --dead-end stop would end here, --dead-end draw "
		    "go on without it",
		    row->number);
	}
}

bool
lane_draw(struct lane *l, const struct row *row, struct error *err)
{
	size_t draws = (size_t)l->options->draws;

	if (!history_check_next(&l->history, err) ||
	    !sampler_weigh(l->sampler, row, l->history.window, err))
		return false;
	for (size_t i = 0; i < draws && l->stop == STOP_NONE; i++) {
		if (!sampler_draw(l->sampler, &l->drawn[i], err))
			return false;
		if (l->drawn[i].dead_end && !meet_dead_end(l, row, err))
			return false;
	}
	l->has_drawn = l->stop == STOP_NONE;
	return true;
}

bool
lane_look(struct lane *l, const struct row *row, struct error *err)
{
	bool dead_end;

	if (!sampler_weigh(l->sampler, row, l->history.window, err))
		return false;
	if (l->constraint == NULL)
		return true;
	return sampler_confine(l->sampler, &dead_end, err) &&
	    (!dead_end || meet_dead_end(l, row, err));
}

bool
lane_follow(
    struct lane *l, const struct row *row, uint32_t id, struct error *err)
{
	bool allowed;

	/* At a dead end the grammar stays where it is. */
	if (l->constraint == NULL || l->drawn[0].dead_end)
		return true;
	if (!constraint_ask(l->constraint, id, &allowed, err))
		return chain_in_row(row, err);
	if (!allowed)
		return error_set(err, STATUS_FAILED,
		    "row %" PRIu64 ": the recorded token %" PRIu32
		    " is outside the grammar",
		    row->number, id);
	if (!constraint_accept(l->constraint, id, err))
		return chain_in_row(row, err);
	return true;
}

bool
lane_recall(struct lane *l, uint32_t id, struct error *err)
{
	if (!window_add(l->history.window, id, err))
		return false;
	sampler_join(l->sampler, id);
	l->history.prompt++;
	l->stop = history_stop_before(&l->history);
	return true;
}

void
lane_join(struct lane *l, uint32_t id)
{
	sampler_accept(l->sampler, &l->drawn[0]);
	l->stop = history_add(&l->history, l->drawn[0].id, id);
	sampler_join(l->sampler, id);
}
