/* SPDX-License-Identifier: MIT */
/* Numbers as decimal digits, so that no bound is ever rounded. */
#include "decimal.h"

#include <string.h>

/* Decimals of so many digits differ as doubles whenever they differ. */
enum { DOUBLE_DIGITS = 15, POINT_MAX = 300, EXPONENT_MAX = 100000 };

/* The exponent behind an 'e', cut where it is far out of range anyway. */
static int
read_exponent(const char *at, const char *end)
{
	bool negative = *at == '-';
	int value = 0;

	if (*at == '-' || *at == '+')
		at++;
	for (; at < end && value < EXPONENT_MAX; at++)
		value = 10 * value + (*at - '0');
	return negative ? -value : value;
}

static bool
add_digit(struct decimal *d, size_t *zeros, char digit)
{
	if (digit == '0') {
		*zeros += d->n > 0;
		return true;
	}
	if (*zeros >= DECIMAL_DIGITS - d->n)
		return false;
	d->n += *zeros; /* they were filled in before */
	*zeros = 0;
	d->digits[d->n++] = digit;
	return true;
}

/* The digits, and where the point stands among them. */
static bool
read_digits(struct decimal *d, const char **at, const char *end, bool *plain)
{
	size_t zeros = 0;
	bool fraction = false;

	for (; *at < end && **at != 'e' && **at != 'E'; (*at)++) {
		if (**at == '.') {
			fraction = true;
			continue;
		}
		if (!add_digit(d, &zeros, **at))
			return false;
		if (!fraction && d->n > 0)
			d->point++;
		else if (fraction && d->n == 0)
			d->point--;
	}
	*plain = !fraction && *at == end;
	return true;
}

bool
decimal_read(struct decimal *d, const char *text, size_t size)
{
	const char *at = text, *end = text + size;
	bool plain;

	*d = (struct decimal){.negative = *text == '-'};
	memset(d->digits, '0', sizeof(d->digits));
	at += d->negative;
	if (!read_digits(d, &at, end, &plain))
		return false;
	if (at < end)
		d->point += read_exponent(at + 1, end);
	if (d->n == 0) {
		d->negative = false;
		d->point = 0;
	}
	d->whole = d->point >= (int)d->n;
	d->exact = d->n <= DOUBLE_DIGITS;
	if (plain)
		return d->point <= DECIMAL_DIGITS;
	return d->exact && d->point <= POINT_MAX && d->point >= -POINT_MAX;
}

int
decimal_compare(const struct decimal *a, const struct decimal *b)
{
	int order;

	if (a->negative != b->negative)
		return a->negative ? -1 : 1;
	if (a->n == 0 || b->n == 0)
		order = (a->n > 0) - (b->n > 0);
	else if (a->point != b->point)
		order = a->point < b->point ? -1 : 1;
	else
		order = memcmp(a->digits, b->digits, DECIMAL_DIGITS);
	return a->negative ? -order : order;
}

static bool
is_zero(const struct fixed *f)
{
	for (size_t i = 0; i < FIXED; i++)
		if (f->digits[i] != '0')
			return false;
	return true;
}

/* Add 1 to the digits, or take it away; they have room for it. */
static void
step_digits(char *digits, bool up)
{
	size_t i = FIXED - 1;

	for (; digits[i] == (up ? '9' : '0'); i--)
		digits[i] = up ? '0' : '9';
	digits[i] = (char)(digits[i] + (up ? 1 : -1));
}

void
fixed_least(struct fixed *f, const struct decimal *d, int places, bool beyond)
{
	int before = d->n > 0 ? d->point + places : 0;
	bool rest = before < (int)d->n;

	memset(f->digits, '0', FIXED);
	for (int i = 0; i < before && i < (int)d->n; i++)
		f->digits[FIXED - before + i] = d->digits[i];
	f->negative = d->negative && !is_zero(f);
	if (rest ? !d->negative : beyond)
		step_digits(f->digits, !f->negative);
	f->negative = f->negative && !is_zero(f);
}

void
fixed_most(struct fixed *f, const struct decimal *d, int places, bool beyond)
{
	struct decimal mirrored = *d;

	mirrored.negative = d->n > 0 && !d->negative;
	fixed_least(f, &mirrored, places, beyond);
	f->negative = !f->negative && !is_zero(f);
}

void
fixed_nines(struct fixed *f, size_t n)
{
	f->negative = false;
	memset(f->digits, '0', FIXED);
	memset(f->digits + FIXED - n, '9', n);
}

int
fixed_compare(const struct fixed *a, const struct fixed *b)
{
	int order;

	if (a->negative != b->negative)
		return a->negative ? -1 : 1;
	order = memcmp(a->digits, b->digits, FIXED);
	return a->negative ? -order : order;
}
