/* SPDX-License-Identifier: MIT */
/*
 * Any "name value" lines, of names that a sampler has, as what it is to
 * remember: refused with a message, or what it says then is taken and comes
 * out the same.
 */
#include "fast.h"

static struct fast fast;

static void
choose(struct feed *f)
{
	static struct breaker none;

	fast.set = (struct sampling){.seed = 1, .dry_most = 32768};
	fast.set.policy = policies[feed_below(f, 3)];
	fast.set.generator = feed_one_in(f, 2) ? &generator_philox
	                                       : fast.set.policy->generator;
	fast.set.finish = fast.set.policy->finish;
	fast.set.xtc_probability = 1;
	fast.set.dry_multiplier = 1;
	fast.set.dry_base = 1.75f;
	fast.set.dry_last_n = 9;
	fast.set.breakers = &none;
	fast.set.adaptive_decay = 0.5f;
	fast.vocab = 3;
	fast_stages(&fast, fast.set.policy == policies[2] ? "dxa" : "");
	if (fast.set.policy == policies[2])
		fast.set.finish = feed_one_in(f, 2) ? &finish_mirostat_2
		                                    : &finish_adaptive_p;
}

/* Cut the next line off, and in two at its first blank. */
static bool
next_pair(struct feed *f, char *line, size_t room, struct pair *p)
{
	size_t n = 0;

	while (
	    f->at < f->end && *f->at != '\n' && *f->at != '\0' && n + 1 < room)
		line[n++] = (char)*f->at++;
	if (f->at < f->end)
		f->at++;
	line[n] = '\0';
	p->name = line;
	p->value = strchr(line, ' ');
	if (p->value != NULL)
		*p->value++ = '\0';
	return p->value != NULL;
}

static void
remember(struct pairs *pairs)
{
	struct error err;

	*pairs = (struct pairs){0};
	if (!sampler_remember(fast.sampler, pairs, &err))
		abort();
}

/* All of it is taken again, by a sampler that has not seen a row. */
static void
come_back(void)
{
	struct pairs before, after;

	remember(&before);
	fast_go_on(&fast);
	remember(&after);
	EXPECT(before.size == after.size, "%zu pairs, not %zu", after.size,
	    before.size);
	for (size_t i = 0; i < before.size; i++)
		EXPECT(strcmp(before.list[i].value, after.list[i].value) == 0,
		    "%s: %s, not %s", before.list[i].name, after.list[i].value,
		    before.list[i].value);
	pairs_free(&before);
	pairs_free(&after);
}

/* A line is told of where it is refused. */
static void
recall(struct feed *f)
{
	static char line[8192];
	struct error err = {0};
	struct pairs known;
	struct pair pair;

	remember(&known);
	if (next_pair(f, line, sizeof(line), &pair) &&
	    pairs_find(&known, pair.name) != NULL)
		EXPECT(sampler_recall(fast.sampler, &pair, false, &err) ||
		        err.text[0] != '\0',
		    "no word about %s", pair.name);
	pairs_free(&known);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct feed f = {data, data + size};

	choose(&f);
	fast_open(&fast, &f);
	while (f.at < f.end)
		recall(&f);
	come_back();
	fast_close(&fast);
	return 0;
}
