/* SPDX-License-Identifier: MIT */
/*
 * What a decision costs: microseconds a row, rows in memory, one thread.
 *
 *   decide peaked|flat ROUNDS OPTION...     (options as tokpick's; -V is one)
 *
 * prints the median over the rounds of the time per row, beside it that of
 * the plain maximum of the same rows by a loop a compiler makes good code of,
 * and the median of the rounds' ratios.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../../src/cli/options.h"
#include "../../src/sampler/dmath.h"
#include "../../src/sampler/rng.h"
#include "../../src/sampler/sampler.h"

enum { ROWS = 8 };

/* Processor time: what else the machine does is not counted. */
static double
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec * 1e-3;
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
 * A row as language models make them: a Gaussian body of deviation 2.5, and
 * in a peaked row a dozen high tokens.
 */
static void
make_row(float *row, size_t n, bool peaked, struct rng *rng)
{
	for (size_t i = 0; i < n; i++)
		row[i] = gaussian(rng) * 2.5f;
	for (int i = 0; peaked && i < 12; i++)
		row[generator_splitmix64.next(rng) % n] = 14 +
		    2 * gaussian(rng);
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

static float
maximum(const float *row, size_t n)
{
	float lane[16], max;

	for (size_t j = 0; j < 16; j++)
		lane[j] = row[j];
	for (size_t i = 16; i + 16 <= n; i += 16)
		for (size_t j = 0; j < 16; j++)
			lane[j] = row[i + j] > lane[j] ? row[i + j] : lane[j];
	max = lane[0];
	for (size_t j = 1; j < 16; j++)
		max = lane[j] > max ? lane[j] : max;
	return max;
}

static void
fail(const struct error *err)
{
	fprintf(stderr, "decide: %s\n", err->text);
	exit(1);
}

int
main(int argc, char **argv)
{
	struct rng rng = {0};
	struct options o;
	struct error err;
	struct sampler *sampler;
	struct window *window;
	struct decision d;
	double *decide, *plain, *ratio, start;
	size_t rounds, vocab;
	volatile float sink = 0;
	float *rows;

	if (argc < 4)
		return 2;
	rounds = (size_t)atol(argv[2]);
	if (!options_parse(&o, argc - 2, argv + 2, &err))
		fail(&err);
	vocab = (size_t)o.vocab;
	rows = malloc(ROWS * vocab * sizeof(*rows));
	decide = malloc(rounds * sizeof(*decide));
	plain = malloc(rounds * sizeof(*plain));
	ratio = malloc(rounds * sizeof(*ratio));
	sampler = sampler_new(&o.sampling, vocab, 0, &err);
	window = window_new(vocab, o.sampling.repeat_last_n, &err);
	if (sampler == NULL || window == NULL)
		fail(&err);
	if (rows == NULL || decide == NULL || plain == NULL || ratio == NULL)
		return 1;
	generator_splitmix64.seed(&rng, 1);
	for (size_t i = 0; i < ROWS; i++)
		make_row(rows + i * vocab, vocab,
		    strcmp(argv[1], "peaked") == 0, &rng);
	for (size_t r = 0; r < rounds; r++) {
		start = now();
		for (size_t i = 0; i < ROWS; i++) {
			struct row row = {.number = i + 1,
			    .size = vocab,
			    .logits = rows + i * vocab};

			if (!sampler_weigh(sampler, &row, window, &err) ||
			    !sampler_draw(sampler, &d, &err))
				fail(&err);
			sampler_accept(sampler, &d);
			sampler_join(sampler, d.id);
			if (!window_add(window, d.id, &err))
				fail(&err);
		}
		decide[r] = (now() - start) / ROWS;
		start = now();
		for (size_t i = 0; i < ROWS; i++)
			sink = sink + maximum(rows + i * vocab, vocab);
		plain[r] = (now() - start) / ROWS;
		ratio[r] = decide[r] / plain[r];
	}
	printf("%.1f %.1f %.2f\n", median(decide, rounds),
	    median(plain, rounds), median(ratio, rounds));
	sampler_free(sampler);
	window_free(window);
	options_free(&o);
	free(rows);
	free(decide);
	free(plain);
	free(ratio);
	return 0;
}
