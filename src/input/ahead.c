/* SPDX-License-Identifier: MIT */
/* A file's bytes, made ready ahead of their use by other threads. */
#include "ahead.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

#include "pages.h"

/*
 * A ring of portions.  Portion i is in slot i % count, and numbered among all:
 *
 *     given - 1   the one in use
 *     .. taken    made, or being made
 *     .. given - 1 + count   free to be taken
 */
struct slot {
	struct portion portion;
	bool made;
};

struct ahead {
	struct supply supply;
	pthread_mutex_t lock; /* of all below */
	pthread_cond_t changed;
	struct slot *slots; /* [count] */
	size_t count;
	uint64_t taken, given;
	bool taking; /* is a thread in take()? */
	bool over;   /* nothing is left to be taken, or nobody wants it */
	pthread_t *threads;
	size_t n_threads;
};

bool
portion_reserve(struct portion *p, size_t room)
{
	if (room <= p->room)
		return true;
	free(p->bytes);
	p->bytes = pages_new(room);
	p->room = p->bytes != NULL ? room : 0;
	return p->bytes != NULL;
}

static bool
can_take(const struct ahead *a)
{
	uint64_t returned = a->given > 0 ? a->given - 1 : 0;

	return !a->over && !a->taking && a->taken - returned < a->count;
}

/* Take a portion and make it; the lock is held, and let go meanwhile. */
static void
make_one(struct ahead *a)
{
	struct slot *slot = &a->slots[a->taken % a->count];
	struct portion *p = &slot->portion;

	a->taking = true;
	slot->made = false;
	p->size = 0;
	p->end = PORTION_GOES_ON;
	pthread_mutex_unlock(&a->lock);
	a->supply.take(a->supply.context, p);
	pthread_mutex_lock(&a->lock);
	a->taking = false;
	a->taken++;
	a->over |= p->end != PORTION_GOES_ON;
	pthread_cond_broadcast(&a->changed);
	pthread_mutex_unlock(&a->lock);
	a->supply.make(a->supply.context, p);
	pthread_mutex_lock(&a->lock);
	slot->made = true;
	a->over |= p->end != PORTION_GOES_ON;
	pthread_cond_broadcast(&a->changed);
}

static void *
work(void *context)
{
	struct ahead *a = context;

	pthread_mutex_lock(&a->lock);
	while (!a->over)
		if (can_take(a))
			make_one(a);
		else
			pthread_cond_wait(&a->changed, &a->lock);
	pthread_mutex_unlock(&a->lock);
	return NULL;
}

/* Signals are for the thread whose waiting they are to end. */
static void
start_threads(struct ahead *a, size_t threads)
{
	sigset_t all, before;

	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	while (a->n_threads < threads &&
	    pthread_create(&a->threads[a->n_threads], NULL, work, a) == 0)
		a->n_threads++;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

struct ahead *
ahead_new(const struct supply *supply, size_t count, size_t threads)
{
	struct ahead *a = malloc(sizeof(*a));

	if (a == NULL)
		return NULL;
	*a = (struct ahead){.supply = *supply,
	    .lock = PTHREAD_MUTEX_INITIALIZER,
	    .changed = PTHREAD_COND_INITIALIZER,
	    .slots = calloc(count, sizeof(*a->slots)),
	    .count = count,
	    .threads = calloc(threads + 1, sizeof(*a->threads))};
	if (a->slots == NULL || a->threads == NULL) {
		free(a->slots);
		free(a->threads);
		free(a);
		return NULL;
	}
	for (size_t i = 0; i < count; i++)
		a->slots[i].portion.index = i;
	start_threads(a, threads);
	return a;
}

void
ahead_free(struct ahead *a)
{
	if (a == NULL)
		return;
	pthread_mutex_lock(&a->lock);
	a->over = true;
	pthread_cond_broadcast(&a->changed);
	pthread_mutex_unlock(&a->lock);
	for (size_t i = 0; i < a->n_threads; i++)
		pthread_join(a->threads[i], NULL);
	pthread_cond_destroy(&a->changed);
	pthread_mutex_destroy(&a->lock);
	for (size_t i = 0; i < a->count; i++)
		free(a->slots[i].portion.bytes);
	free(a->slots);
	free(a->threads);
	free(a);
}

const struct portion *
ahead_next(struct ahead *a)
{
	struct slot *slot;

	pthread_mutex_lock(&a->lock);
	slot = &a->slots[a->given % a->count];
	a->given++; /* the one in use is free with that */
	pthread_cond_broadcast(&a->changed);
	while (a->taken < a->given || !slot->made)
		if (can_take(a))
			make_one(a);
		else
			pthread_cond_wait(&a->changed, &a->lock);
	pthread_mutex_unlock(&a->lock);
	return &slot->portion;
}
