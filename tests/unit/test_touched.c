/* SPDX-License-Identifier: MIT */
/*
 * The sampler, which changes a few logits and keeps a few candidates,
 * against a golem that copies the row, changes every logit, sorts all of
 * it, and takes each stage by the letter.
 */
#include "drawing.h"
#include "ranking.h"

#include "../../src/sampler/dmath.h"

enum {
	VOCAB_MAX = 2000,
	ROWS_A_SETTING = 8,
	BIASES_MAX = 8,
	STAGES_MAX = 7,
	PROMPT_MAX = 12,
	IDS_MAX = PROMPT_MAX + ROWS_A_SETTING,
};

/* The reference. */

struct golem {
	const struct sampling *set;
	size_t vocab;
	struct rng rng;
	uint32_t ids[IDS_MAX]; /* prompt and draws */
	size_t n_ids;
	struct candidate list[VOCAB_MAX]; /* the whole row, then what is left */
	size_t n;
	bool refused;
};

static uint32_t
times_seen(const struct golem *g, uint32_t id)
{
	int64_t last_n = g->set->repeat_last_n;
	size_t first = 0;
	uint32_t count = 0;

	if (last_n >= 0 && (uint64_t)last_n < g->n_ids)
		first = g->n_ids - (size_t)last_n;
	for (size_t i = first; i < g->n_ids; i++)
		count += g->ids[i] == id;
	return count;
}

/* Ranked anew; what can't be ranked or drawn is refused. */
static void
rank(struct golem *g)
{
	for (size_t i = 0; i < g->n; i++)
		if (isnan(g->list[i].logit))
			g->refused = true;
	if (g->refused)
		return;
	qsort(g->list, g->n, sizeof(*g->list), by_rank);
	if (g->list[0].logit == -INFINITY)
		g->refused = true;
}

/* Rules 1 to 3. */
static void
penalties(struct golem *g)
{
	float repeat = g->set->repeat_penalty, logit, often;
	uint32_t count;

	if (repeat == 0)
		repeat = 1;
	if (g->set->repeat_last_n == 0 ||
	    (repeat == 1 && g->set->frequency_penalty == 0 &&
	        g->set->presence_penalty == 0))
		return;
	for (size_t i = 0; i < g->n; i++) {
		count = times_seen(g, g->list[i].id);
		if (count == 0)
			continue;
		logit = g->list[i].logit;
		logit = logit <= 0 ? logit * repeat : logit / repeat;
		often = (float)count * g->set->frequency_penalty;
		logit = logit - often;
		logit = logit - g->set->presence_penalty;
		g->list[i].logit = logit;
	}
	rank(g);
}

static void
cut(struct golem *g, size_t n)
{
	size_t least = (size_t)g->set->min_keep;

	n = n < least ? least : n;
	g->n = n < g->n ? n : g->n;
}

/* Rule 5. */
static void
top_k(struct golem *g)
{
	if (g->set->top_k > 0 && (uint64_t)g->set->top_k < g->n)
		cut(g, (size_t)g->set->top_k);
}

/* What equals the best is 0 below it, even where both are infinite. */
static void
softmax(struct golem *g)
{
	float max = g->list[0].logit, d;
	double e, sum = 0;

	for (size_t i = 0; i < g->n; i++) {
		d = g->list[i].logit == max ? 0 : g->list[i].logit - max;
		e = math_exp((double)d);
		sum = sum + e;
		g->list[i].p = (float)e;
	}
	for (size_t i = 0; i < g->n; i++)
		g->list[i].p = (float)((double)g->list[i].p / sum);
}

/* Rule 6. */
static void
top_p(struct golem *g)
{
	float sum = 0;

	if (g->set->top_p >= 1 || g->n < 2)
		return;
	softmax(g);
	for (size_t i = 0; i < g->n; i++) {
		sum = sum + g->list[i].p;
		if (sum >= g->set->top_p) {
			cut(g, i + 1);
			return;
		}
	}
}

/* Rule 7. */
static void
min_p(struct golem *g)
{
	float floor;
	size_t n = 0;

	if (g->set->min_p <= 0 || g->n < 2)
		return;
	floor = g->list[0].logit + (float)math_log((double)g->set->min_p);
	while (n < g->n && g->list[n].logit >= floor)
		n++;
	cut(g, n);
}

/* Rule 9, its limit where the best overflows, and nothing at 1. */
static void
temperature(struct golem *g)
{
	float temp = g->set->temp.narrow, best = g->list[0].logit;

	if (g->set->greedy || temp == 1)
		return;
	for (size_t i = 0; i < g->n; i++) {
		if (isfinite(best / temp))
			g->list[i].logit = g->list[i].logit / temp;
		else
			g->list[i].logit = g->list[i].logit == best ? 0
			                                            : -INFINITY;
	}
}

/* Rule 10; a token of -inf can't be drawn. */
static size_t
draw(struct golem *g)
{
	float r = (float)generator_pcg.unit(&g->rng), sum = 0;
	size_t last = 0;

	for (size_t i = 0; i < g->n; i++) {
		sum = sum + g->list[i].p;
		if (r < sum)
			return i;
		if (g->list[i].logit > -INFINITY)
			last = i;
	}
	return last;
}

/* Every logit masked and biased, in id order; then all of them ranked. */
static void
take_row(struct golem *g, const struct row *row)
{
	const struct bias *bias;

	g->n = g->vocab;
	g->refused = false;
	for (uint32_t id = 0; id < g->vocab; id++) {
		g->list[id] = (struct candidate){id, row->logits[id], 0};
		if (!(row->logits[id] < INFINITY))
			g->refused = true;
		if (!row_allows(row, id))
			g->list[id].logit = -INFINITY;
		for (size_t i = 0; i < g->set->n_biases; i++) {
			bias = &g->set->biases[i];
			if (bias->id == id)
				g->list[id].logit += bias->add;
		}
	}
	rank(g);
}

/* Decide a row; false, and nothing moved, if it must be refused. */
static bool
golem_pick(struct golem *g, const struct row *row, struct decision *d)
{
	const struct stage *stage;
	size_t drawn = 0;

	take_row(g, row);
	for (size_t i = 0; i < g->set->n_stages && !g->refused; i++) {
		stage = g->set->stages[i];
		if (stage == &stage_penalties)
			penalties(g);
		else if (stage == &stage_top_k)
			top_k(g);
		else if (stage == &stage_top_p)
			top_p(g);
		else if (stage == &stage_min_p)
			min_p(g);
		else
			temperature(g);
	}
	if (g->refused)
		return false;
	if (g->set->greedy)
		g->n = 1;
	softmax(g);
	*d = (struct decision){.random = g->n > 1};
	if (d->random)
		drawn = draw(g);
	d->id = g->list[drawn].id;
	d->p = (double)g->list[drawn].p;
	return true;
}

/* Random settings, as a command line; random rows and conversations. */

struct trial {
	uint64_t random;
	size_t vocab;
	char command[1024], words[1024];
	size_t length;
	struct options options;
	float logits[VOCAB_MAX];
	uint32_t mask[VOCAB_MAX / 32 + 1];
	struct golem golem;
};

static void
add(struct trial *t, const char *option, const char *value)
{
	t->length += (size_t)snprintf(t->command + t->length,
	    sizeof(t->command) - t->length, " --%s=%s", option, value);
	assert_true(t->length < sizeof(t->command));
}

static void
add_int(struct trial *t, const char *option, int64_t value)
{
	char text[24];

	snprintf(text, sizeof(text), "%lld", (long long)value);
	add(t, option, text);
}

/* One of several values, NULL behind them; the empty one: not given. */
static void
add_any(struct trial *t, const char *option, const char *const *values)
{
	size_t n = 0;

	while (values[n] != NULL)
		n++;
	n = random_below(&t->random, n);
	if (values[n][0] != '\0')
		add(t, option, values[n]);
}

/* Half the time golem's own order, else any stages in any order. */
static void
add_stages(struct trial *t)
{
	static const char *const names[] = {
	    "penalties", "top_k", "top_p", "min_p", "temperature"};
	char list[STAGES_MAX * 16] = "'";
	size_t n = random_below(&t->random, STAGES_MAX + 1);

	if (one_in(&t->random, 2))
		return;
	for (; n > 0; n--) {
		strcat(list, names[random_below(&t->random, LENGTH(names))]);
		strcat(list, n > 1 ? ";" : "");
	}
	strcat(list, "'");
	add(t, "samplers", list);
}

/* Several may be for one token: they are added in the order given. */
static void
add_biases(struct trial *t)
{
	static const char *const biases[] = {
	    "-inf", "-inf", "+2", "-3", "+50", "+0", "+1e-45", "+3e38"};
	char text[32];
	size_t n = random_below(&t->random, BIASES_MAX + 1);

	if (one_in(&t->random, 2))
		return;
	for (; n > 0; n--) {
		snprintf(text, sizeof(text), "%zu%s",
		    random_below(&t->random, t->vocab),
		    biases[random_below(&t->random, LENGTH(biases))]);
		add(t, "logit-bias", text);
	}
}

static void
add_top_k(struct trial *t)
{
	const int64_t vocab = (int64_t)t->vocab;
	const int64_t some[] = {-1, 0, 1, 2, 5, 40, 40, 64, vocab - 1, vocab,
	    vocab + 1, INT64_MAX, INT64_MIN};

	add_int(t, "top-k", some[random_below(&t->random, LENGTH(some))]);
}

#define ANY(...) ((const char *const[]){__VA_ARGS__, NULL})

/* Those that lower a logit, those that raise it, and those that overflow. */
static void
add_penalties(struct trial *t)
{
	add_any(t, "repeat-last-n", ANY("0", "1", "3", "64", "-1", "3000"));
	add_any(t, "repeat-penalty",
	    ANY("", "", "1.1", "2", "0.5", "0", "1e-30", "3e38"));
	add_any(t, "frequency-penalty",
	    ANY("", "", "0.3", "-0.3", "10", "3e38", "-3e38"));
	add_any(t, "presence-penalty", ANY("", "", "0.7", "-0.7", "20", "-20"));
}

static void
random_settings(struct trial *t)
{
	t->length = 0;
	add_int(t, "vocab", (int64_t)t->vocab);
	add_int(t, "seed", (int64_t)(random_bits(&t->random) >> 1));
	add_any(t, "temp",
	    ANY("", "0.7", "1.5", "3", "30", "0.001", "1e-38", "1e-45", "3e38",
	        "0", "-1"));
	add_top_k(t);
	add_any(
	    t, "top-p", ANY("", "0.5", "0.1", "0.999", "0", "1", "2", "-1"));
	add_any(t, "min-p", ANY("", "0", "0.5", "1e-10", "1", "-1"));
	add_any(t, "min-keep", ANY("", "", "1", "3", "1000"));
	add_penalties(t);
	add_stages(t);
	add_biases(t);
	if (one_in(&t->random, 8))
		strcat(t->command, " --greedy");
	strcat(t->command, " -q");
	strcpy(t->words, t->command);
	parse_options(&t->options, t->words);
	t->options.sampling.masked = one_in(&t->random, 4);
}

/* One row in twenty is bad. */
static struct row
next_row(struct trial *t, uint64_t number)
{
	struct row row = {.number = number,
	    .size = t->vocab,
	    .logits = t->logits,
	    .mask = t->options.sampling.masked ? t->mask : NULL};

	random_row(&t->random, t->logits, t->vocab);
	if (one_in(&t->random, 20))
		t->logits[random_below(&t->random, t->vocab)] =
		    one_in(&t->random, 2) ? NAN : INFINITY;
	for (size_t i = 0; i < LENGTH(t->mask); i++)
		t->mask[i] = (uint32_t)(random_bits(&t->random) |
		    random_bits(&t->random));
	return row;
}

static void
join(struct trial *t, struct window *window, uint32_t id)
{
	struct error err;

	t->golem.ids[t->golem.n_ids++] = id;
	assert_true(window_add(window, id, &err));
}

/* Some ids of the prompt are beyond the vocabulary. */
static void
random_prompt(struct trial *t, struct window *window)
{
	size_t n = random_below(&t->random, PROMPT_MAX + 1);

	for (size_t i = 0; i < n; i++)
		join(t, window,
		    (uint32_t)random_below(&t->random, t->vocab + 3));
}

/* What a failing trial was, to try it again by hand. */
static void
describe(const struct trial *t, const struct row *row)
{
	print_message("tokpick%s\nconversation:", t->command);
	for (size_t i = 0; i < t->golem.n_ids; i++)
		print_message(" %u", t->golem.ids[i]);
	print_message("\nrow:");
	for (size_t id = 0; id < t->vocab && id < 16; id++)
		print_message(" %a%s", (double)row->logits[id],
		    row_allows(row, id) ? "" : " (masked)");
	print_message(t->vocab > 16 ? " and more\n" : "\n");
}

/* The same choice for the same price, from the same distribution. */
static bool
is_same(const struct sampler *s, const struct golem *g,
    const struct decision *ours, const struct decision *expected)
{
	return ours->id == expected->id && ours->random == expected->random &&
	    ours->p == expected->p && sampler_kept(s) == g->n;
}

static void
compare(struct trial *t, struct sampler *sampler, struct window *window,
    const struct row *row)
{
	struct decision ours = {0}, expected = {0};
	bool decided, should;
	struct error err;

	should = golem_pick(&t->golem, row, &expected);
	decided = pick(sampler, row, window, &ours, &err);
	if (decided != should ||
	    (decided && !is_same(sampler, &t->golem, &ours, &expected))) {
		describe(t, row);
		fail_msg("%s: id %u of %zu kept, not %s: id %u of %zu kept",
		    decided ? "decided" : err.text, ours.id,
		    sampler_kept(sampler), should ? "decided" : "refused",
		    expected.id, t->golem.n);
	}
	assert_true(sampler_rng(sampler)->high == t->golem.rng.high);
	assert_true(sampler_rng(sampler)->low == t->golem.rng.low);
	if (!decided) {
		assert_int_equal(err.status, STATUS_FAILED);
		return;
	}
	join(t, window, ours.id);
}

static void
run_trial(struct trial *t)
{
	struct sampler *sampler;
	struct window *window;
	struct error err;
	struct row row;

	random_settings(t);
	t->golem.set = &t->options.sampling;
	t->golem.vocab = t->vocab;
	t->golem.n_ids = 0;
	generator_pcg.seed(&t->golem.rng, t->golem.set->seed);
	window = window_new(t->vocab, t->golem.set->repeat_last_n, &err);
	sampler = sampler_new(t->golem.set, t->vocab, 0, &err);
	assert_true(window != NULL && sampler != NULL);
	random_prompt(t, window);
	for (uint64_t number = 1; number <= ROWS_A_SETTING; number++) {
		row = next_row(t, number);
		compare(t, sampler, window, &row);
	}
	sampler_free(sampler);
	window_free(window);
	options_free(&t->options);
}

static void
check_trials(size_t smallest, size_t largest, size_t trials)
{
	static struct trial t;

	t.random = largest;
	for (size_t i = 0; i < scaled(trials); i++) {
		t.vocab = smallest +
		    random_below(&t.random, largest - smallest + 1);
		run_trial(&t);
	}
}

static void
tiny_vocabularies_draw_as_golem_does(void **state)
{
	(void)state;
	check_trials(1, 6, 4000);
}

static void
small_vocabularies_draw_as_golem_does(void **state)
{
	(void)state;
	check_trials(7, 300, 1500);
}

/* On both sides of where ranking begins to need scratch room. */
static void
larger_vocabularies_draw_as_golem_does(void **state)
{
	(void)state;
	check_trials(RANK_IN_PLACE - 30, VOCAB_MAX, 150);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(tiny_vocabularies_draw_as_golem_does),
	    cmocka_unit_test(small_vocabularies_draw_as_golem_does),
	    cmocka_unit_test(larger_vocabularies_draw_as_golem_does),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
