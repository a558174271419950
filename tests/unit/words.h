/* SPDX-License-Identifier: MIT */
/* Settings at random, as words of a command line. */
#ifndef TOKPICK_TEST_WORDS_H
#define TOKPICK_TEST_WORDS_H

#include "drawing.h"

enum { WORDS_ROOM = 2048 };

struct words {
	uint64_t random;
	size_t vocab;
	bool greedy, traced, by_row;
	bool bare; /* --no-defaults: what is not said is off */
	char text[WORDS_ROOM];
	size_t length;
};

static inline void
add(struct words *w, const char *option, const char *value)
{
	w->length += (size_t)snprintf(w->text + w->length,
	    sizeof(w->text) - w->length, " --%s=%s", option, value);
	assert_true(w->length < sizeof(w->text));
}

static inline void
add_int(struct words *w, const char *option, int64_t value)
{
	char text[24];

	snprintf(text, sizeof(text), "%lld", (long long)value);
	add(w, option, text);
}

/* Is it left to --no-defaults to turn a stage off? */
static inline bool
left_off(struct words *w)
{
	return w->bare && one_in(&w->random, 2);
}

/* One of several values; the first, the default, need not be given. */
static inline const char *
any(struct words *w, const char *option, const char *const *values)
{
	size_t n = 0, i;

	while (values[n] != NULL)
		n++;
	i = random_below(&w->random, n);
	if (i > 0 || w->bare || one_in(&w->random, 2))
		add(w, option, values[i]);
	return values[i];
}

/* One of those, or now and then any in a range that is of use. */
static inline float
number(struct words *w, const char *option, double low, double high,
    const char *const *values)
{
	char text[32];
	double part;

	if (!one_in(&w->random, 4))
		return strtof(any(w, option, values), NULL);
	part = (double)(random_bits(&w->random) >> 11) * 0x1p-53;
	snprintf(text, sizeof(text), "%.9g", low + (high - low) * part);
	add(w, option, text);
	return strtof(text, NULL);
}

#define NUMBER(option, low, high, ...)   \
	number(w, option, (low), (high), \
	    (const char *const[]){__VA_ARGS__, NULL})
#define WHOLE(option, ...)                                                \
	strtoll(any(w, option, (const char *const[]){__VA_ARGS__, NULL}), \
	    NULL, 10)

/* Several may be for one token: they are added in the order given. */
static inline size_t
add_biases(struct words *w, struct bias *biases, size_t most)
{
	static const char *const adds[] = {
	    "-inf", "-inf", "+2", "-3", "+50", "+0", "+1e-45", "+3e38"};
	size_t n = one_in(&w->random, 2) ? 0
	                                 : random_below(&w->random, most + 1);
	const char *text;
	char bias[32];

	for (size_t i = 0; i < n; i++) {
		text = adds[random_below(&w->random, LENGTH(adds))];
		biases[i].id = (uint32_t)random_below(&w->random, w->vocab);
		biases[i].add = strtof(text, NULL);
		snprintf(bias, sizeof(bias), "%u%s", biases[i].id, text);
		add(w, "logit-bias", bias);
	}
	return n;
}

/* Few, about as many as there are, and more than any have. */
static inline int64_t
add_top_k(struct words *w, int64_t usual)
{
	const int64_t vocab = (int64_t)w->vocab;
	const int64_t some[] = {usual, 0, 0, -1, 1, 2, 5, 12, 300, vocab - 1,
	    vocab, vocab + 1, INT64_MAX, INT64_MIN};
	int64_t k = some[random_below(&w->random, LENGTH(some))];

	if (left_off(w))
		return 0;
	if (k != usual || w->bare || one_in(&w->random, 2))
		add_int(w, "top-k", k);
	return k;
}

#endif
