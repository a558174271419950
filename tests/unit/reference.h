/* SPDX-License-Identifier: MIT */
/*
 * A sampler by the letter, the ones that are held to it, and a conversation
 * that they have.
 */
#ifndef TOKPICK_TEST_REFERENCE_H
#define TOKPICK_TEST_REFERENCE_H

#include "grammars.h"
#include "words.h"

#include "../../src/sampler/best.h"
#include "../../src/sampler/cpu.h"

enum {
	VOCAB_MOST = 4600,
	IDS_MAX = 80,
	ROWS_A_CONVERSATION = 4,
	DRAWS_MAX = 3,
	PROMPT_MAX = 40,
	LETTERS = 26,
};

struct place {
	uint32_t id;
	double p;
};

/* What comes of a row that is weighed inside a constraint. */
enum outcome { WEIGHED, DEAD_END, FAILED };

/*
 * A sampler by the letter.  Where it is wide it has no second draws: its rows
 * come with a mask of what a constraint allows.
 */
struct reference {
	bool wide;                      /* are its rows doubles? */
	void (*choose)(struct words *); /* settings, and say them in words */
	void (*begin)(size_t vocab);
	void (*join)(uint32_t id);
	bool (*weigh)(const struct row *); /* false: it is refused */
	size_t (*kept)(void); /* where the first draw was from, in the end */
	struct place (*at)(size_t);
	struct decision (*draw)(void);
	void (*refused)(void); /* that draw was, by a constraint, or NULL */
	enum outcome (*weigh_again)(const struct row *, const uint32_t *inside);
	struct decision (*draw_again)(size_t nth);
	void (*accept)(void); /* the first draw was taken, or NULL */
	void (*compare)(const struct sampler *); /* what else there is */
};

/* What cpu.h leaves out of each sampler's kernels, in a test build. */
static const char *const without[] = {"",
#if defined(TOKPICK_TEST) && CPU_X86
    "avx512", "avx512 avx2", "avx512 avx2 sse2"
#elif defined(TOKPICK_TEST) && CPU_ARM
    "neon"
#endif
};
enum { LANES = LENGTH(without) };

/* A sampler as a run has it. */
struct lane {
	struct sampler *sampler;
	struct window *window;
	struct best best;
	struct row row;
	struct bf16_row bf16;
	float floats[VOCAB_MOST];
};

struct conversation {
	const char *name;
	const struct reference *reference;
	uint64_t number; /* its own, from which it is made */
	struct words words;
	char parsed[WORDS_ROOM];
	struct options options;
	size_t show; /* of the best, as many are looked at */
	struct lane lanes[LANES];
	uint32_t ids[IDS_MAX]; /* the conversation */
	size_t n_ids;

	/* With a constraint, ids below a number that have certain letters. */
	struct grammar *grammar; /* NULL: there is none */
	struct pieces *pieces;
	size_t spelt;
	uint32_t letters;

	/* The row at hand. */
	struct row row;
	float logits[VOCAB_MOST];
	double wide[VOCAB_MOST];
	struct bf16 halves[VOCAB_MOST];
	bool is_bf16; /* are the logits such as these can hold? */
	uint32_t mask[VOCAB_MOST / 32 + 1];
	uint32_t inside[VOCAB_MOST / 32 + 1]; /* what both allow */
	bool dead_end;                        /* nothing */
	bool weighed_again, over;
};

/* What a failing pair was, to try it again. */
static struct conversation *at_hand;

static inline void
describe(void)
{
	const struct conversation *p = at_hand;
	const struct row *row = &p->row;

	print_message("TOKPICK_PAIRS=%s:%llu, row %llu\ntokpick%s\nids:",
	    p->name, (unsigned long long)p->number,
	    (unsigned long long)row->number, p->words.text);
	for (size_t i = 0; i < p->n_ids; i++)
		print_message(" %u", p->ids[i]);
	print_message("\nrow:");
	for (size_t id = 0; id < row->size && id < 16; id++)
		print_message(" %a%s", row_logit(row, id),
		    row_allows(row, id) ? "" : " (masked)");
	print_message(row->size > 16 ? " and more\n" : "\n");
	if (p->grammar != NULL)
		print_message(
		    "allowed: below %zu, letters %x\n", p->spelt, p->letters);
}

#define EXPECT(condition, ...)                 \
	do {                                   \
		if (!(condition)) {            \
			describe();            \
			fail_msg(__VA_ARGS__); \
		}                              \
	} while (0)

#endif
