/* SPDX-License-Identifier: MIT */
/*
 * Any lines as the words of a command line: refused with a message, or what
 * the settings are printed as is parsed into the same, and a row can be drawn
 * from with them.
 */
#include <fcntl.h>
#include <unistd.h>

#include "../../src/cli/options.h"
#include "../../src/cli/print.h"
#include "../../src/cli/table.h"
#include "../../src/sampler/sampler.h"
#include "feed.h"

enum { ROOM = 1024, WORDS = 64, VOCAB = 40, SWEEP = 64, LONG = 1 << 20 };

/* Words, a line each; no path, so that what is read is nothing of others'. */
static int
split(const uint8_t *data, size_t size, char *text, char **words)
{
	static char program[] = "tokpick", quiet[] = "-q";
	char *rest, *word;
	int n = 2;

	size = size < ROOM ? size : ROOM - 1;
	if (size > 0)
		memcpy(text, data, size);
	text[size] = '\0';
	words[0] = program;
	words[1] = quiet;
	if (strchr(text, '/') != NULL)
		return 0;
	for (word = strtok_r(text, "\n", &rest); word != NULL && n < WORDS;
	     word = strtok_r(NULL, "\n", &rest))
		words[n++] = word;
	words[n] = NULL;
	return n;
}

/* A grid of many settings is no more than a long time. */
static bool
is_large(const char *text)
{
	size_t product = 1, values = 1;

	for (; *text != '\0'; text++) {
		if (*text == ':')
			values *= SWEEP;
		else if (*text == ',')
			values++;
		else if (*text == ';' || *text == '\n')
			product *= values, values = 1;
		if (product * values >= 2 * SWEEP)
			return true;
	}
	return false;
}

static void
same_pairs(const struct pairs *a, const struct pairs *b)
{
	EXPECT(a->size == b->size, "%zu settings, not %zu", b->size, a->size);
	for (size_t i = 0; i < a->size; i++)
		EXPECT(strcmp(a->list[i].name, b->list[i].name) == 0 &&
		        strcmp(a->list[i].value, b->list[i].value) == 0,
		    "--%s %s, not --%s %s", b->list[i].name, b->list[i].value,
		    a->list[i].name, a->list[i].value);
}

/* Room for "--name=value" of each setting that was printed. */
static int
spell(const struct pairs *pairs, char **words)
{
	static char program[] = "tokpick", quiet[] = "-q";
	size_t room;
	int n = 2;

	words[0] = program;
	words[1] = quiet;
	for (size_t i = 0; i < pairs->size; i++) {
		const struct pair *p = &pairs->list[i];
		const struct option_row *row = option_find(p->name);

		EXPECT(row != NULL, "--%s is no option", p->name);
		if (row->kind == KIND_FLAG && strcmp(p->value, "no") == 0)
			continue;
		room = strlen(p->name) + strlen(p->value) + 4;
		words[n] = malloc(room);
		if (words[n] == NULL)
			abort();
		snprintf(words[n++], room, "--%s%s%s", p->name,
		    row->kind == KIND_FLAG ? "" : "=",
		    row->kind == KIND_FLAG ? "" : p->value);
	}
	words[n] = NULL;
	return n;
}

/* What is printed is a command line of the same settings. */
static void
come_back(const struct options *o)
{
	struct pairs before = {0}, after = {0};
	struct options again;
	struct error err;
	char **words;
	int n;

	if (!print_settings(o, &before, &err))
		abort();
	words = calloc(before.size + 3, sizeof(*words));
	if (words == NULL)
		abort();
	n = spell(&before, words);
	EXPECT(options_parse(&again, n, words, &err), "%s", err.text);
	if (!print_settings(&again, &after, &err))
		abort();
	same_pairs(&before, &after);
	options_free(&again);
	pairs_free(&before);
	pairs_free(&after);
	while (n > 2)
		free(words[--n]);
	free(words);
}

/* A history to look back on that takes as much memory as is asked for. */
static bool
is_long(const struct sampling *s)
{
	return s->dry_last_n > LONG ||
	    (s->dry_last_n < 0 && s->dry_most > LONG);
}

/* One row, whose numbers are not asked about. */
static void
draw(const struct options *o)
{
	size_t vocab = o->vocab > 0 && o->vocab < VOCAB ? (size_t)o->vocab
	                                                : VOCAB;
	struct window *window;
	struct sampler *s;
	struct row row = {.number = 1, .size = vocab};
	struct decision d;
	struct error err = {0};
	float logits[VOCAB];
	double wide[VOCAB];

	if (is_long(&o->sampling))
		return;
	for (size_t id = 0; id < vocab; id++)
		wide[id] = (double)(logits[id] = (float)(id * 7 % 11));
	row.logits = logits;
	row.wide = o->sampling.policy->wide ? wide : NULL;
	window = window_new(vocab, o->sampling.repeat_last_n, &err);
	s = sampler_new(&o->sampling, vocab, 0, &err);
	if (window != NULL && s != NULL &&
	    sampler_weigh(s, &row, window, &err) && sampler_draw(s, &d, &err)) {
		EXPECT(d.id < vocab && d.p > 0 && d.p <= 1, "token %u, p %a",
		    d.id, d.p);
		sampler_accept(s, &d);
		sampler_join(s, d.id);
	} else {
		EXPECT(err.text[0] != '\0', "no word");
	}
	sampler_free(s);
	window_free(window);
}

/* Standard input, which may be named, is empty. */
static void
empty_input(void)
{
	static bool done;

	if (!done && (close(STDIN_FILENO), open("/dev/null", O_RDONLY) != 0))
		abort();
	done = true;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char text[ROOM], *words[WORDS + 1];
	struct options o;
	struct error err = {0};
	int n;

	empty_input();
	n = split(data, size, text, words);
	for (int i = 2; i < n; i++)
		if (is_large(words[i]))
			return 0;
	if (n == 0)
		return 0;
	if (!options_parse(&o, n, words, &err))
		EXPECT(err.text[0] != '\0' && err.status != 0, "no word");
	else if (o.action == ACTION_DRAW && o.load_state == NULL) {
		if (!o.inspect) /* several temperatures are for no state */
			come_back(&o);
		draw(&o);
		for (size_t i = 0; i < o.sweep.size; i++)
			draw(&o.sweep.list[i]);
	}
	options_free(&o);
	return 0;
}
