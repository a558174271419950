/* SPDX-License-Identifier: MIT */
/*
 * Mirostat: a cut that is steered towards a wanted surprise (Basu et al.,
 * "Mirostat", versions 1 and 2); tokpick(1), "llama.cpp", "mirostat".
 */
#include "chain.h"
#include "dmath.h"
#include "llama.h"

/* Candidates that version 1 fits Zipf's exponent to. */
enum { FITTED = 100 };

/* Zipf's exponent, by least squares over neighbouring ranks. */
static float
zipf_exponent(const struct candidates *kept)
{
	float tb = 0, tt = 0, t, b;

	for (size_t i = 0; i < FITTED - 1 && i + 1 < kept->size; i++) {
		t = math_logf((float)(i + 2) / (float)(i + 1));
		b = math_logf(kept->list[i].p / kept->list[i + 1].p);
		tb += t * b;
		tt += t * t;
	}
	return tb / tt;
}

static void
weigh_1(struct chain *c)
{
	float s, e, k;

	chain_sort(c);
	chain_softmax(c);
	s = zipf_exponent(&c->kept);
	e = s - 1;
	k = math_powf((e * math_powf(2, c->memory->mu)) /
	        (1 - math_powf((float)c->vocab, -e)),
	    1 / s);
	if (!(k >= 1 && k < 0x1p31f)) /* upstream's int can't hold it */
		c->kept.size = 1;
	else if (k < (float)c->kept.size)
		c->kept.size = (size_t)k;
	chain_softmax(c);
}

static void
weigh_2(struct chain *c)
{
	size_t n = 1;

	chain_sort(c);
	chain_softmax(c);
	while (n < c->kept.size &&
	    !(-math_log2f(c->kept.list[n].p) > c->memory->mu))
		n++;
	c->kept.size = n;
	chain_softmax(c);
}

/* The surprise that was had moves the bound on the next one. */
static void
accept(struct chain *c, const struct decision *d)
{
	float surprise = -math_log2f((float)d->p);

	c->memory->mu -= c->settings->mirostat_rate *
	    (surprise - c->settings->mirostat_entropy);
}

const struct finish finish_mirostat_1 = {.name = "mirostat",
    .cuts = true,
    .learns = true,
    .weigh = weigh_1,
    .draw = llama_discrete,
    .accept = accept};
const struct finish finish_mirostat_2 = {.name = "mirostat",
    .cuts = true,
    .learns = true,
    .weigh = weigh_2,
    .draw = llama_discrete,
    .accept = accept};
