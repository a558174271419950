/* SPDX-License-Identifier: MIT */
/* What two things that are done to a row cost, one against the other. */

/*
 * usage: compare peaked|flat VOCAB ROUNDS WHAT AGAINST
 *
 * Each of the two is one argument: "maximum", "select K", or "decide" and
 * options of tokpick.  Both go through the same rows in memory, more of them
 * than caches hold, in rounds that take turns; on one thread.  Printed are
 * the medians of the rounds: microseconds a row for each, and their ratio;
 * then how many tokens the first left to be drawn from, on average.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "../../src/cli/options.h"
#include "../../src/sampler/rng.h"
#include "../../src/sampler/sampler.h"
#include "../../src/sampler/select.h"

enum { BYTES = 96 << 20, DIFFERENT = 8, WORDS = 32, LINE = 64 };

/* One of the two, and what it needs. */
struct side {
	double (*run)(struct side *, const float *row, size_t vocab);
	char *text;
	char *words[WORDS];
	size_t k;
	struct candidates best;
	struct candidate *scratch;
	struct options options;
	struct sampler *sampler;
	struct window *window;
	double *times;
	volatile double found; /* so that nothing is left out as unused */
};

static void
fail(const char *what)
{
	fprintf(stderr, "compare: %s\n", what);
	exit(1);
}

static void *
take(size_t bytes)
{
	void *p = aligned_alloc(LINE, (bytes / LINE + 1) * LINE);

	if (p == NULL)
		fail("no memory");
	return p;
}

/*
 * The plain maximum is a loop that compilers make good vectors of, here for
 * the best of the same sets of instructions that our kernels are for.
 */
#if defined(__x86_64__) && !defined(__clang__)
__attribute__((target_clones("default", "avx2", "avx512f")))
#endif
static float
maximum(const float *row, size_t n)
{
	enum { LANES = 64 };
	float lane[LANES], max = -INFINITY;
	size_t i;

	for (size_t j = 0; j < LANES; j++)
		lane[j] = -INFINITY;
	for (i = 0; i + LANES <= n; i += LANES)
		for (size_t j = 0; j < LANES; j++)
			lane[j] = row[i + j] > lane[j] ? row[i + j] : lane[j];
	for (; i < n; i++)
		max = row[i] > max ? row[i] : max;
	for (size_t j = 0; j < LANES; j++)
		max = lane[j] > max ? lane[j] : max;
	return max;
}

static double
run_maximum(struct side *s, const float *row, size_t vocab)
{
	(void)s;
	return (double)maximum(row, vocab);
}

/* The k best, best first. */
static double
run_select(struct side *s, const float *row, size_t vocab)
{
	select_best(row, vocab, s->k, &s->best, s->scratch);
	rank_candidates(s->best.list, s->best.size, s->scratch);
	return (double)s->k;
}

static double
run_decide(struct side *s, const float *row, size_t vocab)
{
	const struct row r = {.number = 1, .size = vocab, .logits = row};
	struct decision d;
	struct error err;

	if (!sampler_weigh(s->sampler, &r, s->window, &err) ||
	    !sampler_draw(s->sampler, &d, &err))
		fail(err.text);
	sampler_accept(s->sampler, &d);
	sampler_join(s->sampler, d.id);
	if (!window_add(s->window, d.id, &err))
		fail(err.text);
	return (double)sampler_kept(s->sampler);
}

/* The first word, "decide", stands where main() has its own name. */
static void
open_decide(struct side *s, int words, size_t vocab)
{
	static char option[] = "-V";
	static char number[32];
	struct error err;

	snprintf(number, sizeof(number), "%zu", vocab);
	s->words[words++] = option;
	s->words[words++] = number;
	s->words[words] = NULL;
	optind = 1;
	if (!options_parse(&s->options, words, s->words, &err))
		fail(err.text);
	s->sampler = sampler_new(&s->options.sampling, vocab, 0, &err);
	s->window = window_new(vocab, s->options.sampling.repeat_last_n, &err);
	if (s->sampler == NULL || s->window == NULL)
		fail(err.text);
	s->run = run_decide;
}

static void
open_side(struct side *s, const char *text, size_t vocab, size_t rounds)
{
	int words = 0;

	*s = (struct side){.times = take(rounds * sizeof(double)),
	    .text = take(strlen(text) + 1)};
	strcpy(s->text, text);
	for (char *word = strtok(s->text, " "); word != NULL;
	     word = strtok(NULL, " "))
		if (words < WORDS - 3)
			s->words[words++] = word;
	if (words == 1 && strcmp(s->words[0], "maximum") == 0) {
		s->run = run_maximum;
	} else if (words == 2 && strcmp(s->words[0], "select") == 0) {
		s->k = strtoul(s->words[1], NULL, 10);
		s->best.list = take(
		    select_room(vocab, s->k) * sizeof(*s->scratch));
		s->scratch = take(
		    select_room(vocab, s->k) * sizeof(*s->scratch));
		s->run = run_select;
	} else if (words > 0 && strcmp(s->words[0], "decide") == 0) {
		open_decide(s, words, vocab);
	} else {
		fail("maximum, select K, or decide and options");
	}
}

static void
close_side(struct side *s)
{
	if (s->run == run_decide) {
		sampler_free(s->sampler);
		window_free(s->window);
		options_free(&s->options);
	}
	free(s->best.list);
	free(s->scratch);
	free(s->text);
	free(s->times);
}

/* The sum of twelve uniform numbers is near enough to a Gaussian. */
static float
gaussian(struct rng *rng)
{
	double sum = -6;

	for (int i = 0; i < 12; i++)
		sum += generator_splitmix64.unit(rng);
	return (float)sum;
}

/*
 * Rows as language models make them: a Gaussian body, and in a peaked row a
 * dozen tokens so high that it weighs nothing; where a row is flat, thousands
 * of tokens make up its nucleus.
 */
static float *
make_rows(size_t count, size_t vocab, bool peaked)
{
	float *rows = take(count * vocab * sizeof(*rows)), *row = rows;
	struct rng rng = {0};

	generator_splitmix64.seed(&rng, 1);
	for (size_t i = 0; i < count; i++, row += vocab) {
		if (i >= DIFFERENT) {
			memcpy(
			    row, row - DIFFERENT * vocab, vocab * sizeof(*row));
			continue;
		}
		for (size_t id = 0; id < vocab; id++)
			row[id] = gaussian(&rng) * (peaked ? 2.5f : 3.5f);
		for (int j = 0; peaked && j < 12; j++)
			row[generator_splitmix64.next(&rng) % vocab] = 20 +
			    2 * gaussian(&rng);
	}
	return rows;
}

/* Processor time: what else the machine does is not counted. */
static double
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec * 1e-3;
}

/* Microseconds a row. */
static double
clock_side(struct side *s, const float *rows, size_t count, size_t vocab)
{
	double start = now(), sum = 0;

	for (size_t i = 0; i < count; i++)
		sum += s->run(s, rows + i * vocab, vocab);
	s->found = sum / (double)count;
	return (now() - start) / (double)count;
}

static int
ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double
median(double *times, size_t n)
{
	qsort(times, n, sizeof(*times), ascending);
	return times[n / 2];
}

static void
compare(struct side *side, const float *rows, size_t count, size_t vocab,
    size_t rounds)
{
	double *ratio = take(rounds * sizeof(*ratio));

	for (size_t r = 0; r < rounds; r++) {
		for (size_t i = 0; i < 2; i++) {
			struct side *s = &side[(r + i) % 2];

			s->times[r] = clock_side(s, rows, count, vocab);
		}
		ratio[r] = side[0].times[r] / side[1].times[r];
	}
	printf("%.1f %.1f %.2f %.0f\n", median(side[0].times, rounds),
	    median(side[1].times, rounds), median(ratio, rounds),
	    side[0].found);
	free(ratio);
}

int
main(int argc, char **argv)
{
	struct side side[2];
	size_t vocab, rounds, count;
	float *rows;

	if (argc != 6)
		fail("usage: peaked|flat VOCAB ROUNDS WHAT AGAINST");
	vocab = strtoul(argv[2], NULL, 10);
	rounds = strtoul(argv[3], NULL, 10);
	if (vocab == 0 || rounds == 0)
		fail("VOCAB and ROUNDS are numbers above 0");
	count = BYTES / sizeof(float) / vocab + 1;
	rows = make_rows(count, vocab, strcmp(argv[1], "peaked") == 0);
	for (int i = 0; i < 2; i++)
		open_side(&side[i], argv[4 + i], vocab, rounds);
	compare(side, rows, count, vocab, rounds);
	for (int i = 0; i < 2; i++)
		close_side(&side[i]);
	free(rows);
	return 0;
}
