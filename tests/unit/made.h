/* SPDX-License-Identifier: MIT */
/* A sampler as a command line has it, with a window on all ids. */
#ifndef TOKPICK_TEST_MADE_H
#define TOKPICK_TEST_MADE_H

#include "drawing.h"

struct made {
	char text[512];
	struct options options;
	struct sampler *sampler;
	struct window *window;
	uint64_t rows; /* that it has had */
};

/* The settings say everything but the size of the vocabulary. */
static inline void
make(struct made *m, size_t vocab, size_t show, const char *settings)
{
	struct error err;

	*m = (struct made){0};
	assert_true(snprintf(m->text, sizeof(m->text), "-q -V %zu %s", vocab,
	                settings) < (int)sizeof(m->text));
	parse_options(&m->options, m->text);
	m->sampler = sampler_new(&m->options.sampling, vocab, show, &err);
	m->window = window_new(vocab, -1, &err);
	assert_true(m->sampler != NULL && m->window != NULL);
}

static inline void
unmake(struct made *m)
{
	sampler_free(m->sampler);
	window_free(m->window);
	options_free(&m->options);
}

/* An id joins the conversation. */
static inline void
join(struct made *m, uint32_t id)
{
	struct error err;

	sampler_join(m->sampler, id);
	assert_true(window_add(m->window, id, &err));
}

#endif
