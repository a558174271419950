/* SPDX-License-Identifier: MIT */
/* What a grammar costs: microseconds a row with it and without. */

/*
 * usage: constrain GGUF GRAMMAR-FILE ROWS OPTION...
 *
 * Rows of the model's vocabulary go by in memory, Gaussian ones with a dozen
 * high tokens; the options are tokpick's.  Each row is drawn from twice,
 * without the grammar and inside it, each with a conversation of its own.
 * When a text inside has ended the next begins.  Printed are the medians of
 * both, their ratio, and the worst row inside after the first, whose work is
 * done once; then how many rows were drawn from again.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../../src/cli/options.h"
#include "../../src/constraint/constraint.h"
#include "../../src/constraint/gbnf.h"
#include "../../src/input/slurp.h"
#include "../../src/sampler/sampler.h"
#include "../../src/vocab/decode.h"
#include "../../src/vocab/gguf.h"

enum { DIFFERENT = 64, PEAKS = 12 };

/* A conversation. */
struct side {
	struct sampling settings;
	struct sampler *sampler;
	struct window *window;
	double *times;
};

static void
fail(const struct error *err)
{
	fprintf(stderr, "constrain: %s\n", err->text);
	exit(1);
}

/* Processor time: what else the machine does is not counted. */
static double
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
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

static float *
make_rows(size_t vocab)
{
	float *rows = malloc(DIFFERENT * vocab * sizeof(*rows));
	struct rng rng = {0};

	for (size_t i = 0; rows != NULL && i < DIFFERENT * vocab; i++)
		rows[i] = gaussian(&rng) * 2.5f;
	for (size_t i = 0; rows != NULL && i < DIFFERENT * PEAKS; i++)
		rows[i / PEAKS * vocab +
		    generator_splitmix64.next(&rng) % vocab] = 14 +
		    2 * gaussian(&rng);
	return rows;
}

static void
side_open(struct side *s, const struct sampling *settings,
    struct constraint *inside, size_t vocab, size_t rows)
{
	struct error err;

	s->settings = *settings;
	s->settings.inside = inside;
	s->sampler = sampler_new(&s->settings, vocab, 0, &err);
	s->window = window_new(vocab, settings->repeat_last_n, &err);
	s->times = calloc(rows, sizeof(*s->times));
	if (s->sampler == NULL || s->window == NULL || s->times == NULL)
		fail(&err);
}

/* One draw, and what goes on from it. */
static void
draw(struct side *s, const struct row *row, struct decision *d)
{
	struct error err;
	double start = now();

	if (!sampler_weigh(s->sampler, row, s->window, &err) ||
	    !sampler_draw(s->sampler, d, &err))
		fail(&err);
	if (s->settings.inside != NULL &&
	    (d->dead_end ||
	        !constraint_accept(s->settings.inside, d->id, &err)))
		fail(&err);
	sampler_accept(s->sampler, d);
	sampler_join(s->sampler, d->id);
	if (!window_add(s->window, d->id, &err))
		fail(&err);
	s->times[row->number - 1] = now() - start;
}

static int
ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void
report(struct side *free, struct side *inside, size_t rows, size_t again)
{
	double plain, kept;

	qsort(free->times, rows, sizeof(double), ascending);
	qsort(inside->times + 1, rows - 1, sizeof(double), ascending);
	plain = free->times[rows / 2];
	kept = inside->times[rows / 2];
	printf("%.1f %.1f %.2f %.0f %zu\n", plain, kept, kept / plain,
	    inside->times[rows - 1], again);
}

int
main(int argc, char **argv)
{
	struct error err = {.text = "not enough arguments"};
	struct side free_side, inside;
	struct decision d;
	struct options o;
	struct grammar *grammar;
	struct constraint *constraint;
	struct pieces *pieces;
	struct gguf *model;
	size_t n, size, vocab, again = 0;
	char *text, *start;
	float *rows;

	if (argc < 5)
		fail(&err);
	n = (size_t)atol(argv[3]);
	model = gguf_read(argv[1], &err);
	if (model == NULL || (pieces = decode_pieces(model, &err)) == NULL ||
	    (text = slurp(argv[2], &size, &err)) == NULL ||
	    (grammar = gbnf_parse(text, size, argv[2], "root", pieces, &err)) ==
	        NULL ||
	    !options_parse(&o, argc - 3, argv + 3, &err))
		fail(&err);
	vocab = (size_t)o.vocab;
	constraint = constraint_new(
	    grammar, pieces, o.stop.ends.list, o.stop.ends.size, vocab, &err);
	if (constraint == NULL ||
	    (start = constraint_print(constraint, &err)) == NULL)
		fail(&err);
	rows = make_rows(vocab);
	if (rows == NULL)
		fail(&err);
	side_open(&free_side, &o.sampling, NULL, vocab, n);
	side_open(&inside, &o.sampling, constraint, vocab, n);
	for (size_t i = 0; i < n; i++) {
		const struct row row = {.number = i + 1,
		    .size = vocab,
		    .logits = rows + i % DIFFERENT * vocab};

		draw(&free_side, &row, &d);
		draw(&inside, &row, &d);
		again += d.again;
		for (size_t j = 0; j < o.stop.ends.size; j++)
			if (d.id == o.stop.ends.list[j] &&
			    !constraint_parse(constraint, start, &err))
				fail(&err);
	}
	report(&free_side, &inside, n, again);
	return 0;
}
