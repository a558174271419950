/* SPDX-License-Identifier: MIT */
/* A grammar of the decimal numbers between two bounds. */
#include "range.h"

#include <string.h>

/*
 * Numbers of one length are compared digit by digit.  As long as all digits
 * so far are those of a bound, that bound restrains the next one (it is
 * tight); when one digit was well inside, the rest are free.  A bound whose
 * own rest is all zeros (the lower) or all nines (the upper) restrains
 * nothing any more, and counts as free too.
 */
struct range {
	struct text *out;
	const char *low, *high; /* FIXED digits */
	size_t point;           /* before which of them the point stands */
};

static bool
all(const char *digits, size_t from, char digit)
{
	for (; from < FIXED; from++)
		if (digits[from] != digit)
			return false;
	return true;
}

/* A blank, unless a bracket was just opened; without memory there is none. */
static void
print_blank(struct text *t)
{
	if (t->size > 0 && t->bytes[t->size - 1] != '(')
		text_print(t, " ");
}

static void
print_digits(struct text *t, char from, char to)
{
	print_blank(t);
	if (from == to)
		text_print(t, "\"%c\"", from);
	else
		text_print(t, "[%c-%c]", from, to);
}

static void
print_times(struct text *t, size_t least, size_t most)
{
	text_print(t, " [0-9]");
	if (least < most)
		text_print(t, "{%zu,%zu}", least, most);
	else if (least > 1)
		text_print(t, "{%zu}", least);
}

/* Whatever digits may stand from at on. */
static void
print_free(struct range *r, size_t at)
{
	if (at < r->point)
		print_times(r->out, r->point - at, r->point - at);
	if (at <= r->point && r->point < FIXED)
		text_print(r->out, " (\".\" [0-9]{1,%zu})?", FIXED - r->point);
	else if (at > r->point && at < FIXED)
		print_times(r->out, 0, FIXED - at);
}

static void print_tight(struct range *, size_t at, bool low, bool high);

/* The digit at at, by how it stands to the bounds, and what follows each. */
static void
print_choices(struct range *r, size_t at, bool low, bool high)
{
	char from = low ? r->low[at] : '0', to = high ? r->high[at] : '9';
	bool low_next = low && !all(r->low, at + 1, '0');
	bool high_next = high && !all(r->high, at + 1, '9');
	const char *between = "";

	if (from == to) {
		print_digits(r->out, from, to);
		print_tight(r, at + 1, low_next, high_next);
		return;
	}
	if (low_next) {
		print_digits(r->out, from, from);
		print_tight(r, at + 1, true, false);
		between = " |";
		from++;
	}
	if (high_next)
		to--;
	if (from <= to) {
		text_print(r->out, "%s", between);
		print_digits(r->out, from, to);
		print_free(r, at + 1);
		between = " |";
	}
	if (high_next) {
		text_print(r->out, "%s", between);
		print_digits(r->out, r->high[at], r->high[at]);
		print_tight(r, at + 1, false, true);
	}
}

/* All from at on; calls itself once a digit. */
static void
print_tight(struct range *r, size_t at, bool low, bool high)
{
	bool may_end = at >= r->point && !low;

	if (at == FIXED)
		return;
	if (!low && !high) {
		print_free(r, at);
		return;
	}
	if (!low && at >= r->point && all(r->high, at, '0')) {
		text_print(r->out,
		    at == r->point ? " (\".\" \"0\"{1,%zu})?" : " \"0\"{0,%zu}",
		    FIXED - at);
		return;
	}
	print_blank(r->out);
	text_print(r->out, at == r->point ? "(\".\" (" : "(");
	print_choices(r, at, low, high);
	text_print(r->out, at == r->point ? "))" : ")");
	if (may_end)
		text_print(r->out, "?");
}

/* How many digits stand before the point, at least one. */
static size_t
length_of(const char *digits, size_t point)
{
	size_t first = 0;

	while (first + 1 < point && digits[first] == '0')
		first++;
	return point - first;
}

/* Numbers of that length, from low to high where these are as long. */
static void
print_length(struct range *r, size_t length)
{
	const char *low = r->low, *high = r->high;
	char least[FIXED], most[FIXED];

	memset(least, '0', FIXED);
	memset(most, '0', FIXED);
	memset(most + r->point - length, '9', FIXED - r->point + length);
	if (length > 1)
		least[r->point - length] = '1';
	if (length > length_of(low, r->point))
		r->low = least;
	if (length < length_of(high, r->point))
		r->high = most;
	print_choices(r, r->point - length, true, true);
	r->low = low;
	r->high = high;
}

/* Magnitudes: the shortest numbers, all lengths between, the longest. */
static void
print_magnitudes(struct range *r, const char *low, const char *high)
{
	size_t shortest = length_of(low, r->point);
	size_t longest = length_of(high, r->point);

	r->low = low;
	r->high = high;
	print_length(r, shortest);
	if (longest > shortest + 1) {
		text_print(r->out, " | [1-9]");
		print_times(r->out, shortest, longest - 2);
		print_free(r, r->point);
	}
	if (longest > shortest) {
		text_print(r->out, " |");
		print_length(r, longest);
	}
}

void
range_print(struct text *out, const struct fixed *low, const struct fixed *high,
    size_t places)
{
	struct range r = {.out = out, .point = FIXED - places};
	char zero[FIXED], one[FIXED];

	memset(zero, '0', FIXED);
	memcpy(one, zero, FIXED);
	one[FIXED - 1] = '1';
	text_print(out, "(");
	if (low->negative) {
		text_print(out, "\"-\" (");
		print_magnitudes(
		    &r, high->negative ? high->digits : one, low->digits);
		text_print(out, ")");
	}
	if (low->negative && !high->negative)
		text_print(out, " |");
	if (!high->negative)
		print_magnitudes(
		    &r, low->negative ? zero : low->digits, high->digits);
	text_print(out, ")");
}
