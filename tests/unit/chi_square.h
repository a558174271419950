/* SPDX-License-Identifier: MIT */
/*
 * Pearson's test: do counts fall as probabilities say?
 *
 * Seeds are fixed, so that a test which passes today passes for ever; what
 * is kept small is the chance that a sampler which is right fails with the
 * seeds we happened to take.  Each test may fail so with a chance of 1e-9:
 * for the hundred at most that there are, 1e-7 together, which leaves a factor
 * of ten to one in a million for the statistic being only nearly distributed
 * as chi-square.  That it nearly is takes counts that are not small:
 * every cell that can be hit at all is expected at least 2000 times.
 */
#ifndef TOKPICK_TEST_CHI_SQUARE_H
#define TOKPICK_TEST_CHI_SQUARE_H

#include "helper.h"

#include "../../src/sampler/dmath.h"

enum { CELLS_MAX = 256, CELL_LEAST = 2000 };
#define FALSE_ALARM 1e-9

/* Where a draw can fall, how likely it is to, and how often one did. */
struct cells {
	size_t size;
	double p[CELLS_MAX];
	size_t count[CELLS_MAX];
};

/*
 * The natural logarithm of Gamma(k / 2): from those of 1 and of 1/2, which are
 * 1 and the root of pi, by Gamma(a + 1) = a Gamma(a).
 */
static inline double
log_gamma_half(size_t k)
{
	double log = k % 2 == 0 ? 0 : 0.57236494292470008707;

	for (size_t i = k % 2 == 0 ? 2 : 1; i < k; i += 2)
		log += math_log((double)i / 2);
	return log;
}

/*
 * How likely a chi-square statistic of so many degrees of freedom is to pass
 * x: Gamma(a, y) / Gamma(a) for a = freedom / 2, y = x / 2, by Legendre's
 * continued fraction
 *
 *	Gamma(a, y) = exp(-y) y^a / (y+1-a - 1(1-a) / (y+3-a - 2(2-a) / ...
 *
 * from its end, which for y > a + 1 is near enough at 500.  Below that it is
 * no rare value, and 1 is returned.
 */
static inline double
chance_to_pass(double x, size_t freedom)
{
	double a = (double)freedom / 2, y = x / 2, fraction = 0;

	if (y <= a + 1)
		return 1;
	for (double i = 500; i > 0; i--)
		fraction = i * (i - a) / (y + 2 * i + 1 - a - fraction);
	return math_exp(a * math_log(y) - y - log_gamma_half(freedom) -
	    math_log(y + 1 - a - fraction));
}

/* The statistic; what can't be drawn must not have been. */
static inline double
chi_square(const struct cells *c, size_t *freedom)
{
	double sum = 0, expected, off, draws = 0;

	*freedom = 0;
	for (size_t i = 0; i < c->size; i++)
		draws += (double)c->count[i];
	for (size_t i = 0; i < c->size; i++) {
		expected = c->p[i] * draws;
		if (expected <= 0) {
			assert_int_equal(c->count[i], 0);
			continue;
		}
		assert_true(expected >= CELL_LEAST);
		off = (double)c->count[i] - expected;
		sum += off * off / expected;
		(*freedom)++;
	}
	assert_true(*freedom > 1);
	(*freedom)--;
	return sum;
}

static inline bool
is_fair(const struct cells *c)
{
	size_t freedom;
	double sum = chi_square(c, &freedom);

	return chance_to_pass(sum, freedom) >= FALSE_ALARM;
}

/*
 * And it can tell: one in a hundred draws, or a quarter of those of the
 * likeliest if that is fewer, should have gone elsewhere.
 */
static inline void
make_unfair(struct cells *c)
{
	size_t best = 0, other;
	double moved = 0.01;

	for (size_t i = 1; i < c->size; i++)
		if (c->p[i] > c->p[best])
			best = i;
	for (other = best == 0 ? 1 : 0; c->p[other] <= 0 || other == best;)
		other++;
	if (moved > c->p[best] / 4)
		moved = c->p[best] / 4;
	c->p[best] -= moved;
	c->p[other] += moved;
}

static inline void
check_fair(struct cells *c)
{
	size_t freedom;
	double sum = chi_square(c, &freedom);

	if (!is_fair(c))
		fail_msg("chi-square %.1f of %zu degrees of freedom: a chance "
		         "of %.1e",
		    sum, freedom, chance_to_pass(sum, freedom));
	make_unfair(c);
	if (is_fair(c))
		fail_msg("one draw in a hundred elsewhere is not seen");
}

#endif
