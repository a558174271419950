/* SPDX-License-Identifier: MIT */
/* Sampler and history to a file and back; the format is in tokpick(1). */
#ifndef TOKPICK_STATE_H
#define TOKPICK_STATE_H

#include <stddef.h>
#include <stdint.h>

#include "history.h"
#include "pairs.h"
#include "sampler/sampler.h"

/* Other formats are refused. */
#define STATE_FORMAT "1"

/* No count is above this: sums of some do not overflow. */
#define STATE_MOST (UINT64_C(1) << 53)

/* Where a run left off. */
struct state {
	char *file;            /* where it came from or goes to */
	struct pairs settings; /* of the table of options, as texts */
	struct pairs memory;   /* what the sampler remembers */
	uint64_t prompt;       /* ids in the prompt */
	uint64_t tokens;       /* drawn since */
	uint64_t rows;         /* drawn from */
	bool counted;          /* is the window counts or a sequence? */
	size_t n_ids;
	uint32_t *ids;    /* [n_ids] of the window, the oldest first … */
	uint32_t *counts; /* … or ascending, with how often each is in it */
};

/* NULL and err on failure, as for the other two. */
struct state *state_new(const char *file, struct error *);

/*
 * The state in a file.  Refuses, naming the line, one that was damaged or
 * cut off, that has another format, or whose numbers can't be; what the
 * settings and memories say is for others to judge.  No more memory is
 * taken than the file's own size warrants.
 */
struct state *state_read(const char *file, struct error *);

/* What a run has come to; the settings are the caller's to add. */
struct state *state_take(const char *file, const struct sampler *,
    const struct history *, uint64_t rows, struct error *);

void state_free(struct state *);

/*
 * Write it to its file, whole or not at all: whole_file.h.  version is
 * that of the program, for information.
 */
bool state_write(const struct state *, const char *version, struct error *);

/* What can't be read again is not worth writing: is that few enough bytes? */
bool state_fits(const char *file, uint64_t size, struct error *);

/*
 * Give a new sampler its memories back.  reseeded: the generators stay as
 * the seed has started them.  Memories that it has no use for, or lacks,
 * are an error unless forced: other settings may bring that about.
 */
bool state_resume_sampler(const struct state *, struct sampler *, bool reseeded,
    bool forced, struct error *);

/* Give a new history without a prompt its window and its counts back. */
bool state_resume_history(
    const struct state *, struct history *, struct error *);

#endif
