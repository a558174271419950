/* SPDX-License-Identifier: MIT */
/*
 * A grammar, a NUL, pieces a line each, a NUL, and bytes that choose tokens:
 * all ids asked at once are as each is alone, and what is allowed is taken.
 */
#include "../../src/constraint/constraint.h"
#include "../../src/constraint/gbnf.h"
#include "feed.h"

enum { MOST = 64, STEPS = 12 };

/* The first piece is the end. */
static struct pieces *
read_pieces(struct feed *f)
{
	struct error err;
	struct pieces *p = pieces_new(&err);
	const uint8_t *from;

	if (p == NULL)
		abort();
	while (f->at < f->end && *f->at != '\0' && pieces_count(p) < MOST) {
		from = f->at;
		while (f->at < f->end && *f->at != '\n' && *f->at != '\0')
			f->at++;
		if (!pieces_add(p, from, (size_t)(f->at - from), false, &err))
			abort();
		f->at += f->at < f->end && *f->at == '\n';
	}
	f->at += f->at < f->end;
	return p;
}

static bool
is_set(const uint32_t *words, uint32_t id)
{
	return (words[id / 32] >> id % 32 & 1) != 0;
}

/* False where its memory passes the cap. */
static bool
ask(struct constraint *c, size_t vocab, uint32_t *words)
{
	struct error err;
	bool allowed;

	if (!constraint_ask_all(c, words, &err))
		return false;
	for (uint32_t id = 0; id < vocab; id++) {
		if (!constraint_ask(c, id, &allowed, &err))
			return false;
		EXPECT(allowed == is_set(words, id), "token %u is %s", id,
		    allowed ? "allowed alone" : "allowed among all");
	}
	return true;
}

/* Where it stands goes into another one, which allows the same. */
static bool
come_back(const struct constraint *c, struct constraint *other, size_t vocab,
    const uint32_t *words)
{
	uint32_t again[MOST / 32 + 1];
	struct error err;
	char *text = constraint_print(c, &err);

	EXPECT(text != NULL && constraint_parse(other, text, &err), "%s",
	    err.text);
	free(text);
	if (!constraint_ask_all(other, again, &err))
		return false;
	for (uint32_t id = 0; id < vocab; id++)
		EXPECT(is_set(words, id) == is_set(again, id), "token %u", id);
	return true;
}

static void
walk(struct constraint *c, struct constraint *other, size_t vocab,
    struct feed *f)
{
	uint32_t words[MOST / 32 + 1], id;
	struct error err;

	for (size_t step = 0; step < STEPS && ask(c, vocab, words); step++) {
		if (!come_back(c, other, vocab, words))
			return;
		id = (uint32_t)feed_below(f, vocab);
		for (size_t tries = 0; !is_set(words, id); tries++) {
			if (tries == vocab)
				return;
			id = (id + 1) % (uint32_t)vocab;
		}
		if (!constraint_accept(c, id, &err))
			return;
	}
}

static void
run(const struct grammar *g, const struct pieces *p, struct feed *f)
{
	static const uint32_t end = 0;
	const size_t vocab = pieces_count(p) > 0 ? pieces_count(p) : 1;
	struct error err;
	struct constraint *c = constraint_new(g, p, &end, 1, vocab, &err);
	struct constraint *other = constraint_new(g, p, &end, 1, vocab, &err);

	if (c != NULL && other != NULL)
		walk(c, other, vocab, f);
	constraint_free(c);
	constraint_free(other);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;
	size_t n = strnlen(text, size);
	struct feed f = {data + n + (n < size), data + size};
	struct pieces *p = read_pieces(&f);
	struct error err;
	struct grammar *g = gbnf_parse(text, n, "fuzz", "root", p, &err);

	if (g != NULL)
		run(g, p, &f);
	grammar_free(g);
	pieces_free(p);
	return 0;
}
