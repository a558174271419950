/* SPDX-License-Identifier: MIT */
/* Sorting candidates: by insertion the few, by a radix sort the many. */
#include <string.h>

#include "candidate.h"
#include "rank_key.h"

/* What a stable sort goes by: the number, ascending. */
enum field { BY_LOGIT, BY_ID };

static uint32_t
key(const struct candidate *c, enum field field)
{
	return field == BY_ID ? c->id : rank_key(c->logit);
}

/*
 * How keys are cut up: each, less the least of all, into digits of the same
 * width.  What many candidates take longest for is to be moved, once for each
 * digit; what few do, to have the counts of all values of a digit added up.
 */
enum { FEW = 512, MANY = 4096, DIGITS_FEW = 4, DIGITS = 3, WIDTH_MOST = 11 };

struct cut {
	uint32_t least;
	unsigned digits;
	unsigned width; /* in bits */
};

static size_t
digit(uint32_t k, struct cut cut, unsigned j)
{
	return (k - cut.least) >> j * cut.width & ((1U << cut.width) - 1);
}

/* Unless there are many, no wider than what tells them apart. */
static struct cut
find_cut(const struct candidate *list, size_t n, enum field field)
{
	struct cut cut = {UINT32_MAX, n < FEW ? DIGITS_FEW : DIGITS, 0};
	uint32_t greatest = 0, k;

	if (n >= MANY)
		return (struct cut){0, DIGITS, WIDTH_MOST};
	for (size_t i = 0; i < n; i++) {
		k = key(&list[i], field);
		cut.least = k < cut.least ? k : cut.least;
		greatest = k > greatest ? k : greatest;
	}
	while (((uint64_t)greatest - cut.least) >> cut.digits * cut.width != 0)
		cut.width++;
	return cut;
}

/* How often each value of each digit occurs: digits << width counts. */
static void
count_digits(const struct candidate *list, size_t n, enum field field,
    struct cut cut, uint32_t *count)
{
	size_t values = (size_t)1 << cut.width;
	uint32_t k;

	memset(count, 0, cut.digits * values * sizeof(*count));
	for (size_t i = 0; i < n; i++) {
		k = key(&list[i], field);
		count[digit(k, cut, 0)]++;
		count[digit(k, cut, 1) + values]++;
		count[digit(k, cut, 2) + 2 * values]++;
		if (cut.digits > DIGITS)
			count[digit(k, cut, 3) + 3 * values]++;
	}
}

/* Make each count that of all before it. */
static void
add_up(uint32_t *count, size_t values)
{
	uint32_t before = 0, here;

	for (size_t value = 0; value < values; value++) {
		here = count[value];
		count[value] = before;
		before += here;
	}
}

/* One stable counting sort for each digit, from the last one on. */
static void
sort_by(enum field field, struct candidate *list, size_t n,
    struct candidate *scratch)
{
	struct candidate *from = list, *to = scratch, *swap;
	struct cut cut = find_cut(list, n, field);
	uint32_t count[DIGITS << WIDTH_MOST], *next = count;
	size_t values = (size_t)1 << cut.width;

	count_digits(list, n, field, cut, count);
	for (unsigned j = 0; j < cut.digits; j++, next += values) {
		if (next[digit(key(&from[0], field), cut, j)] == n)
			continue;
		add_up(next, values);
		for (size_t i = 0; i < n; i++)
			to[next[digit(key(&from[i], field), cut, j)]++] =
			    from[i];
		swap = from;
		from = to;
		to = swap;
	}
	if (from != list)
		memcpy(list, from, n * sizeof(*list));
}

static void
insert_all(struct candidate *list, size_t n)
{
	struct candidate moving;
	size_t j;

	for (size_t i = 1; i < n; i++) {
		moving = list[i];
		for (j = i; j > 0 && candidate_better(&moving, &list[j - 1]);
		     j--)
			list[j] = list[j - 1];
		list[j] = moving;
	}
}

static bool
is_ranked(const struct candidate *list, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (!candidate_better(&list[i - 1], &list[i]))
			return false;
	return true;
}

/* Equal logits keep the order they have: seldom is it not that of the ids. */
void
rank_candidates(struct candidate *list, size_t n, struct candidate *scratch)
{
	if (n < RANK_IN_PLACE) {
		insert_all(list, n);
		return;
	}
	sort_by(BY_LOGIT, list, n, scratch);
	if (is_ranked(list, n))
		return;
	sort_by(BY_ID, list, n, scratch);
	sort_by(BY_LOGIT, list, n, scratch);
}
