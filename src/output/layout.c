/* SPDX-License-Identifier: MIT */
/* Which columns a table has, and how wide they are. */
#include "layout.h"

/* Bars of a comparison don't gain from being longer. */
enum { COMPARED_BAR = 20 };

enum { LOGIT_WIDTH = 10 };

/* The widths of what may be left out, 0 where it is; bar: its least. */
struct plan {
	size_t piece, logit, cumulative, bar;
	bool removed;
};

/* The first that fits is taken. */
static const struct plan plans[] = {
    {22, LOGIT_WIDTH, P_WIDTH, 8, true},
    {14, LOGIT_WIDTH, 8, 6, true},
    {14, LOGIT_WIDTH, 0, 6, true},
    {14, 0, 0, 6, true},
    {8, 0, 0, 4, true},
    {8, 0, 0, 4, false},
    {8, 0, 0, 0, false},
};
static const struct plan comparisons[] = {
    {22, LOGIT_WIDTH, 0, 6, false},
    {14, LOGIT_WIDTH, 0, 6, false},
    {14, LOGIT_WIDTH, 0, 0, false},
    {14, 0, 0, 0, false},
    {8, 0, 0, 0, false},
};
static const struct plan barest = {0, 0, 0, 0, false};

static size_t
digits(size_t n)
{
	size_t digits = 1;

	while ((n /= 10) > 0)
		digits++;
	return digits;
}

static size_t
at_least(size_t width, size_t least)
{
	return width < least ? least : width;
}

static void
add(struct layout *l, enum column_kind kind, size_t width, size_t temp)
{
	if (width > 0)
		l->list[l->size++] = (struct column){
		    .kind = kind, .width = width, .temp = temp};
}

/* All columns of a plan; for comparisons a p and a bar a temperature. */
static void
lay(struct layout *l, const struct layout_needs *needs, const struct plan *plan,
    size_t temps)
{
	size_t number = digits(needs->vocab);

	*l = (struct layout){.temps = temps};
	if (needs->draws > 0)
		add(l, COLUMN_DRAWN,
		    needs->draws > 1 ? digits(needs->draws) : 1, 0);
	add(l, COLUMN_RANK, at_least(number, 4), 0);
	add(l, COLUMN_ID, at_least(number, 2), 0);
	add(l, COLUMN_PIECE, needs->pieces ? plan->piece : 0, 0);
	add(l, COLUMN_LOGIT, plan->logit, 0);
	for (size_t t = 0; t < temps; t++) {
		add(l, COLUMN_P, P_WIDTH, needs->first + t);
		if (needs->compare)
			add(l, COLUMN_BAR, plan->bar, needs->first + t);
	}
	add(l, COLUMN_CUMULATIVE, plan->cumulative, 0);
	if (plan->removed)
		add(l, COLUMN_REMOVED, at_least(needs->removed, 7), 0);
	if (!needs->compare)
		add(l, COLUMN_BAR, plan->bar, 0);
}

static size_t
total(const struct layout *l)
{
	size_t total = l->size - 1;

	for (size_t i = 0; i < l->size; i++)
		total += l->list[i].width;
	return total;
}

/* What the columns leave of the line goes to the bars. */
static void
stretch(struct layout *l, const struct layout_needs *needs)
{
	size_t more = (needs->width - total(l)) / l->temps;

	for (size_t i = 0; i < l->size; i++) {
		if (l->list[i].kind != COLUMN_BAR)
			continue;
		l->list[i].width += more;
		if (needs->compare && l->list[i].width > COMPARED_BAR)
			l->list[i].width = COMPARED_BAR;
	}
}

static bool
fits(struct layout *l, const struct layout_needs *needs,
    const struct plan *plan, size_t temps)
{
	lay(l, needs, plan, temps);
	if (total(l) > needs->width)
		return false;
	stretch(l, needs);
	return true;
}

/* Rather more temperatures at once than a logit or more of the piece. */
void
layout_make(struct layout *l, const struct layout_needs *needs)
{
	const struct plan *list = needs->compare ? comparisons : plans;
	size_t n = needs->compare ? sizeof(comparisons) / sizeof(*comparisons)
	                          : sizeof(plans) / sizeof(*plans);
	size_t temps = needs->temps;

	for (temps = temps < LAYOUT_TEMPS ? temps : LAYOUT_TEMPS; temps > 0;
	     temps--)
		for (size_t i = 0; i < n; i++)
			if (fits(l, needs, &list[i], temps))
				return;
	lay(l, needs, &barest, 1);
}
