/* SPDX-License-Identifier: MIT */
/* A file's bytes, made ready ahead of their use by other threads. */
#ifndef TOKPICK_AHEAD_H
#define TOKPICK_AHEAD_H

#include <stddef.h>
#include <stdint.h>

#include "../message.h"

/*
 * A file that can be read from anywhere comes in portions, which are known
 * in order (which bytes of the file each is made of) and made in any order
 * (reading them, taking off compression).  So threads can make several at
 * once, and they are handed out in order.  Their number depends on nothing
 * else, and neither do the bytes.
 */

/* What comes after a portion's bytes. */
enum portion_end {
	PORTION_GOES_ON,
	PORTION_ENDS,   /* the file */
	PORTION_FAILS,  /* what the portion's error says */
	PORTION_LEAVES, /* what is to be read otherwise, from `from` on */
};

struct portion {
	size_t index;  /* below the number of portions that there are at once */
	uint64_t from; /* offset in the file of what it is made of … */
	uint64_t to;   /* … and behind that */
	unsigned char *bytes; /* from pages_new() */
	size_t size, room;
	enum portion_end end;
	struct error err;
};

/*
 * Give a portion room for so many bytes; what it held is lost.  False if
 * there is no memory.
 */
bool portion_reserve(struct portion *, size_t room);

/*
 * Where portions come from.  take() finds out what the next one is made of
 * and sets from; it is called in order, by one thread at a time.  make()
 * makes it, by the same thread, while others take and make the next ones.
 * Both set end where it is not PORTION_GOES_ON; a take() that does so is the
 * last.
 */
struct supply {
	void *context;
	void (*take)(void *context, struct portion *);
	void (*make)(void *context, struct portion *);
};

struct ahead;

/*
 * Begin to make portions, at most `count` at once, with so many threads
 * besides the one that calls ahead_next(): that makes some itself when it
 * would have to wait, so that none at all will do as well.  NULL if there is
 * no memory; threads that the system refuses are done without.
 */
struct ahead *ahead_new(const struct supply *, size_t count, size_t threads);

/* Wait for the portions that are being made, and leave the others. */
void ahead_free(struct ahead *);

/*
 * The next portion, which is there until the next call.  None follows one
 * whose end is not PORTION_GOES_ON.
 */
const struct portion *ahead_next(struct ahead *);

#endif
