/* SPDX-License-Identifier: MIT */
/* Numbers by their bounds. */
#include "decimal.h"
#include "range.h"
#include "schema_rules.h"

/* Of integers without a bound, and of any other number; see write_range(). */
enum { DIGITS = 15, DIGITS_BEFORE_POINT = 9 };

/* A bound of numbers: at it, or beyond it only. */
struct bound {
	bool there, beyond;
	struct decimal at;
};

/* Of two that are equal the one beyond is tighter, and is read last. */
static bool
read_bound(struct schema *s, const struct json_node *node, const char *name,
    bool beyond, int tighter, struct bound *b)
{
	const struct json_node *value = json_node_named(node, name);
	struct decimal d;

	if (value == NULL)
		return true;
	if (value->kind != JSON_NUMBER)
		return schema_refuse(s, value, "expecting a number");
	if (!decimal_read(&d, value->text, value->size))
		return schema_refuse(s, value,
		    "expecting a number of at most %d digits, or an integer "
		    "of at most %d: others are not the same to every reader",
		    DIGITS, DECIMAL_DIGITS);
	if (!b->there || tighter * decimal_compare(&d, &b->at) >= 0)
		*b = (struct bound){true, beyond, d};
	return true;
}

static bool
read_bounds(struct schema *s, const struct json_node *node, struct bound *low,
    struct bound *high)
{
	*low = *high = (struct bound){0};
	return read_bound(s, node, "minimum", false, 1, low) &&
	    read_bound(s, node, "exclusiveMinimum", true, 1, low) &&
	    read_bound(s, node, "maximum", false, -1, high) &&
	    read_bound(s, node, "exclusiveMaximum", true, -1, high);
}

bool
schema_number_fits(struct schema *s, const struct json_node *node,
    const struct json_node *value, bool *fit)
{
	struct bound low, high;
	struct decimal d;
	int order;

	if (!read_bounds(s, node, &low, &high))
		return false;
	if (!low.there && !high.there)
		return true;
	if (!decimal_read(&d, value->text, value->size))
		return schema_refuse(s, value,
		    "not every reader would see this number the same way, so "
		    "that it can't be held against bounds");
	if (low.there) {
		order = decimal_compare(&d, &low.at);
		*fit = order > 0 || (order == 0 && !low.beyond);
	}
	if (*fit && high.there) {
		order = decimal_compare(&d, &high.at);
		*fit = order < 0 || (order == 0 && !high.beyond);
	}
	return true;
}

/* Digits before the point of the larger bound. */
static size_t
digits_before(const struct bound *low, const struct bound *high)
{
	int digits = 1;

	if (low->there && low->at.point > digits)
		digits = low->at.point;
	if (high->there && high->at.point > digits)
		digits = high->at.point;
	return (size_t)digits;
}

/*
 * Integers have as many digits as a bound, and at least 15 where one side has
 * none.  Other numbers have 15 at most, so that what is beyond a bound here
 * is so when both are read as doubles.
 */
static bool
write_range(struct schema *s, const struct json_node *node,
    const struct bound *low, const struct bound *high, bool integer)
{
	size_t before = digits_before(low, high);
	size_t least = integer ? DIGITS : DIGITS_BEFORE_POINT, places = 0;
	bool sided = !low->there || !high->there;
	struct fixed from, to;

	if (before > (integer ? DECIMAL_DIGITS : DIGITS))
		return schema_refuse(s, node,
		    "bounds of more than %d digits are not supported%s",
		    integer ? DECIMAL_DIGITS : DIGITS,
		    integer ? "" : ", save for integers");
	if (sided && before < least)
		before = least;
	if (!integer)
		places = DIGITS - before;
	fixed_nines(&to, before + places);
	from = to;
	from.negative = true;
	if (low->there)
		fixed_least(&from, &low->at, (int)places, low->beyond);
	if (high->there)
		fixed_most(&to, &high->at, (int)places, high->beyond);
	if (fixed_compare(&from, &to) > 0)
		return schema_refuse(s, node, "no %s lies between its bounds",
		    integer ? "integer" : "number of 15 digits");
	range_print(&s->out, &from, &to, places);
	return true;
}

bool
schema_number(struct schema *s, const struct json_node *node, bool integer)
{
	struct bound low, high;

	if (!read_bounds(s, node, &low, &high))
		return false;
	if (low.there || high.there)
		return write_range(s, node, &low, &high, integer);
	text_print(&s->out, integer ? "integer" : "number");
	return true;
}
