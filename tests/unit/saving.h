/* SPDX-License-Identifier: MIT */
/* Random states, and files with what a test puts into them. */
#ifndef TOKPICK_TEST_SAVING_H
#define TOKPICK_TEST_SAVING_H

#include "helper.h"

#include <inttypes.h>

#include "../../src/state.h"

enum { TEXT_ROOM = 64 * 1024 };

/* FNV-1a, from its definition. */
static inline uint64_t
checksum(const char *text, size_t n)
{
	uint64_t hash = UINT64_C(14695981039346656037);

	for (size_t i = 0; i < n; i++) {
		hash ^= (unsigned char)text[i];
		hash *= UINT64_C(1099511628211);
	}
	return hash;
}

/* Cut afterwards: some systems write a file that was emptied at once. */
static inline void
put_bytes(const char *path, const void *bytes, size_t n)
{
	int fd = open(path, O_WRONLY | O_CREAT, 0666);

	assert_true(fd >= 0);
	assert_int_equal(pwrite(fd, bytes, n, 0), n);
	assert_int_equal(ftruncate(fd, (off_t)n), 0);
	assert_int_equal(close(fd), 0);
}

static inline size_t
get_bytes(const char *path, char text[TEXT_ROOM])
{
	FILE *file = fopen(path, "r");
	size_t n;

	assert_non_null(file);
	n = fread(text, 1, TEXT_ROOM, file);
	assert_true(n < TEXT_ROOM);
	fclose(file);
	text[n] = '\0';
	return n;
}

/* A file of n bytes of lines, and the right last line behind them. */
static inline void
put_lines(const char *path, const char *lines, size_t n)
{
	char text[TEXT_ROOM];
	int end;

	assert_true(n + 32 < sizeof(text));
	memcpy(text, lines, n);
	end = snprintf(text + n, sizeof(text) - n, "end %016" PRIx64 "\n",
	    checksum(lines, n));
	put_bytes(path, text, n + (size_t)end);
}

static inline void
new_path(char path[PATH_ROOM])
{
	make_file(path, "", 0);
}

/* Every kind of byte but NUL, and none at all. */
static inline void
random_text(uint64_t *seed, char text[32])
{
	size_t n = random_below(seed, 31);

	for (size_t i = 0; i < n; i++)
		text[i] = (char)(one_in(seed, 3)
		        ? 1 + random_below(seed, 255)
		        : 'a' + random_below(seed, 26));
	text[n] = '\0';
}

static inline void
add_pairs(uint64_t *seed, struct pairs *pairs, const char *prefix)
{
	size_t n = random_below(seed, 40);
	char name[40], value[32];
	struct error err;

	for (size_t i = 0; i < n; i++) {
		snprintf(name, sizeof(name), "%s-%zu", prefix, i);
		random_text(seed, value);
		assert_true(pairs_add(pairs, name, value, 0, &err));
	}
}

static inline struct state *
random_state(uint64_t *seed, const char *path)
{
	struct error err;
	struct state *s = state_new(path, &err);
	uint64_t total = 0;

	assert_non_null(s);
	assert_true(pairs_add(&s->settings, "vocab", "100000", 0, &err));
	add_pairs(seed, &s->settings, "option");
	add_pairs(seed, &s->memory, "memory");
	s->counted = one_in(seed, 2);
	s->n_ids = random_below(seed, 60);
	s->ids = calloc(s->n_ids + 1, sizeof(*s->ids));
	s->counts = calloc(s->n_ids + 1, sizeof(*s->counts));
	for (size_t i = 0; i < s->n_ids; i++) {
		s->ids[i] = s->counted
		    ? (uint32_t)(1000 * i + random_below(seed, 1000))
		    : (uint32_t)random_below(seed, (size_t)INT32_MAX + 1);
		s->counts[i] = (uint32_t)random_bits(seed) | 1;
		total += s->counted ? s->counts[i] : 1;
	}
	s->prompt = random_below(seed, 100);
	s->tokens = total + random_below(seed, 1000000);
	s->rows = random_bits(seed) >> 11;
	return s;
}

static inline void
assert_same_pairs(const struct pairs *a, const struct pairs *b)
{
	assert_int_equal(a->size, b->size);
	for (size_t i = 0; i < a->size; i++) {
		assert_string_equal(a->list[i].name, b->list[i].name);
		assert_string_equal(a->list[i].value, b->list[i].value);
	}
}

static inline void
assert_same_state(const struct state *a, const struct state *b)
{
	assert_same_pairs(&a->settings, &b->settings);
	assert_same_pairs(&a->memory, &b->memory);
	assert_int_equal(a->prompt, b->prompt);
	assert_int_equal(a->tokens, b->tokens);
	assert_int_equal(a->rows, b->rows);
	assert_int_equal(a->counted, b->counted);
	assert_int_equal(a->n_ids, b->n_ids);
	assert_memory_equal(a->ids, b->ids, a->n_ids * sizeof(*a->ids));
	if (a->counted)
		assert_memory_equal(
		    a->counts, b->counts, a->n_ids * sizeof(*a->counts));
}

#endif
