/* SPDX-License-Identifier: MIT */
/* Portions come in order and whole, whoever makes them. */
#include "helper.h"

#include "../../src/input/ahead.h"

/* Portions whose bytes tell which they are; their sizes differ. */
struct source {
	uint64_t taken;
	uint64_t last; /* the number of the one that has an end */
	enum portion_end end;
	bool late; /* it shows when the portion is made, not before */
};

enum { SIZES = 1000 };

static size_t
size_of(uint64_t number)
{
	return (size_t)(number * 7919 % SIZES);
}

static void
set_end(const struct source *s, struct portion *p, bool late)
{
	if (p->from != s->last || late != s->late)
		return;
	p->end = s->end;
	error_set(&p->err, STATUS_FAILED, "the end");
}

static void
take(void *context, struct portion *p)
{
	struct source *s = context;

	p->from = s->taken++;
	set_end(s, p, false);
}

static void
make(void *context, struct portion *p)
{
	p->size = size_of(p->from);
	assert_true(portion_reserve(p, p->size));
	for (size_t i = 0; i < p->size; i++)
		p->bytes[i] = (unsigned char)(p->from + i);
	set_end(context, p, true);
}

static void
check_portion(const struct portion *p, uint64_t number)
{
	assert_int_equal(p->from, number);
	assert_int_equal(p->size, size_of(number));
	for (size_t i = 0; i < p->size; i++)
		assert_int_equal(p->bytes[i], (unsigned char)(number + i));
}

static void
check_all(struct source s, size_t count, size_t threads)
{
	struct supply supply = {&s, take, make};
	struct ahead *a = ahead_new(&supply, count, threads);
	const struct portion *p;

	assert_non_null(a);
	for (uint64_t i = 0; i <= s.last; i++) {
		p = ahead_next(a);
		check_portion(p, i);
		assert_int_equal(p->end, i < s.last ? PORTION_GOES_ON : s.end);
	}
	ahead_free(a);
	if (!s.late)
		assert_int_equal(s.taken, s.last + 1);
}

static void
portions_come_in_order(void **state)
{
	static const uint64_t lasts[] = {0, 1, 5, 300};

	(void)state;
	for (size_t threads = 0; threads <= 7; threads++)
		for (size_t count = 1; count <= 9; count += 2)
			for (size_t i = 0; i < LENGTH(lasts); i++)
				for (int late = 0; late <= 1; late++)
					check_all(
					    (struct source){.last = lasts[i],
					        .end = PORTION_ENDS,
					        .late = late},
					    count, threads);
}

/* However many were made meanwhile. */
static void
the_rest_may_be_left(void **state)
{
	struct source s;
	struct supply supply = {&s, take, make};
	struct ahead *a;

	(void)state;
	for (size_t threads = 0; threads <= 4; threads++)
		for (uint64_t want = 0; want < 20; want++) {
			s = (struct source){.last = 1000, .end = PORTION_ENDS};
			a = ahead_new(&supply, threads + 2, threads);
			assert_non_null(a);
			for (uint64_t i = 0; i < want; i++)
				check_portion(ahead_next(a), i);
			ahead_free(a);
			assert_true(s.taken <= want + threads + 2);
		}
}

static void
an_error_comes_with_its_portion(void **state)
{
	struct source s = {.last = 3, .end = PORTION_FAILS, .late = true};
	struct supply supply = {&s, take, make};
	struct ahead *a = ahead_new(&supply, 4, 2);
	const struct portion *p;

	(void)state;
	assert_non_null(a);
	for (int i = 0; i < 3; i++)
		assert_int_equal(ahead_next(a)->end, PORTION_GOES_ON);
	p = ahead_next(a);
	assert_int_equal(p->end, PORTION_FAILS);
	assert_string_equal(p->err.text, "the end");
	ahead_free(a);
}

static void
room_is_never_less_than_asked_for(void **state)
{
	struct portion p = {0};

	(void)state;
	for (size_t room = 1; room < 100000; room += room / 2 + 1) {
		assert_true(portion_reserve(&p, room));
		assert_true(p.room >= room);
		assert_int_equal((uintptr_t)p.bytes % sizeof(double), 0);
		memset(p.bytes, 1, p.room);
	}
	assert_true(portion_reserve(&p, 1) && p.room >= 1);
	assert_true(portion_reserve(&p, 10) && p.room >= 10);
	free(p.bytes);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(portions_come_in_order),
	    cmocka_unit_test(the_rest_may_be_left),
	    cmocka_unit_test(an_error_comes_with_its_portion),
	    cmocka_unit_test(room_is_never_less_than_asked_for),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
