/* SPDX-License-Identifier: MIT */
/* Strings by their length, and numbers by their bounds. */
#include <string.h>

#include "decimal.h"
#include "range.h"
#include "schema_rules.h"

/* What a grammar may repeat; digits of numbers that have no bounds. */
enum { COUNT_MAX = 2000, DIGITS = 15, DIGITS_BEFORE_POINT = 9 };

bool
schema_count(struct schema *s, const struct json_node *node, const char *name,
    size_t *count, bool *there)
{
	const struct json_node *value = json_node_named(node, name);
	struct fixed whole, most;
	struct decimal d;

	*there = value != NULL;
	if (value == NULL)
		return true;
	if (value->kind != JSON_NUMBER ||
	    !decimal_read(&d, value->text, value->size) || !d.whole ||
	    d.negative)
		return schema_refuse(
		    s, value, "expecting a whole number, 0 or above");
	fixed_nines(&most, 6);
	if (!fixed_least(&whole, &d, 0, false) ||
	    fixed_compare(&whole, &most) > 0)
		whole = most;
	*count = 0;
	for (size_t i = 0; i < FIXED; i++)
		*count = 10 * *count + (size_t)(whole.digits[i] - '0');
	return *count <= COUNT_MAX ||
	    schema_refuse(
	        s, value, "'%s' above %d is not supported", name, COUNT_MAX);
}

void
schema_print_times(struct text *t, size_t least, size_t most, bool bounded)
{
	if (bounded)
		text_print(t, "{%zu,%zu}", least, most);
	else
		text_print(t, "{%zu,}", least);
}

static bool
read_lengths(struct schema *s, const struct json_node *node, size_t *least,
    size_t *most, bool *bounded, bool *any)
{
	bool there;

	*least = 0;
	if (!schema_count(s, node, "minLength", least, &there) ||
	    !schema_count(s, node, "maxLength", most, bounded))
		return false;
	*any = !there && !*bounded;
	return !*bounded || *least <= *most ||
	    schema_refuse(s, json_node_named(node, "minLength"),
	        "it is above 'maxLength': nothing matches");
}

bool
schema_string(struct schema *s, const struct json_node *node)
{
	size_t least, most;
	bool bounded, any;

	if (!read_lengths(s, node, &least, &most, &bounded, &any))
		return false;
	if (any) {
		text_print(&s->out, "string");
		return true;
	}
	text_print(&s->out, "\"\\\"\" char");
	schema_print_times(&s->out, least, most, bounded);
	text_print(&s->out, " \"\\\"\"");
	return true;
}

bool
schema_string_fits(struct schema *s, const struct json_node *node,
    const struct json_node *value, bool *fit)
{
	size_t least, most, length = 0;
	bool bounded, any;

	if (!read_lengths(s, node, &least, &most, &bounded, &any))
		return false;
	for (size_t i = 0; i < value->size; i++)
		length += (value->text[i] & 0xc0) != 0x80;
	*fit = length >= least && (!bounded || length <= most);
	return true;
}

/* A bound of numbers: at it, or beyond it only. */
struct bound {
	bool there, beyond;
	struct decimal at;
};

static bool
read_bound(struct schema *s, const struct json_node *node, const char *name,
    bool beyond, int tighter, struct bound *b)
{
	const struct json_node *value = json_node_named(node, name);
	struct decimal d;
	int order;

	if (value == NULL)
		return true;
	if (value->kind != JSON_NUMBER)
		return schema_refuse(s, value, "expecting a number");
	if (!decimal_read(&d, value->text, value->size))
		return schema_refuse(s, value,
		    "expecting a number of at most %d digits, or an integer "
		    "of at most %d: others are not the same to every reader",
		    DIGITS, DECIMAL_DIGITS);
	order = b->there ? decimal_compare(&d, &b->at) : tighter;
	if (order == 0)
		b->beyond = b->beyond || beyond;
	else if ((order > 0) == (tighter > 0))
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

	if (before > DECIMAL_DIGITS ||
	    (!integer &&
	        (before > DIGITS || (low->there && !low->at.exact) ||
	            (high->there && !high->at.exact))))
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
	if ((low->there &&
	        !fixed_least(&from, &low->at, (int)places, low->beyond)) ||
	    (high->there &&
	        !fixed_most(&to, &high->at, (int)places, high->beyond)) ||
	    fixed_compare(&from, &to) > 0)
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
