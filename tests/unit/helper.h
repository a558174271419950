/* SPDX-License-Identifier: MIT */
/* What unit tests share: random rows, buffers before a guard page, files. */
#ifndef TOKPICK_TEST_HELPER_H
#define TOKPICK_TEST_HELPER_H

#include <fcntl.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "../../src/message.h"
#include "../../src/sampler/halves.h"

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

/* So many rounds, or the TOKPICK_TEST_SCALE percent of them: at least one. */
static inline size_t
scaled(size_t rounds)
{
	const char *percent = getenv("TOKPICK_TEST_SCALE");
	size_t scale = percent == NULL ? 100 : strtoul(percent, NULL, 10);

	return rounds * scale / 100 > 0 ? rounds * scale / 100 : 1;
}

/* Random numbers: SplitMix64, from a seed that is always the same. */

static inline uint64_t
random_bits(uint64_t *state)
{
	uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

static inline size_t
random_below(uint64_t *state, size_t n)
{
	return (size_t)(random_bits(state) % n);
}

static inline bool
one_in(uint64_t *state, size_t n)
{
	return random_below(state, n) == 0;
}

/* Roughly normal, with that standard deviation: a sum of twelve uniforms. */
static inline float
random_normal(uint64_t *state, float sigma)
{
	float sum = -6;

	for (int i = 0; i < 12; i++)
		sum += (float)(random_bits(state) >> 40) * 0x1p-24f;
	return sum * sigma;
}

/* Floats by their bits. */

static inline float
float_from_bits(uint32_t bits)
{
	float value;

	memcpy(&value, &bits, sizeof(value));
	return value;
}

static inline uint32_t
float_bits(float value)
{
	uint32_t bits;

	memcpy(&bits, &value, sizeof(bits));
	return bits;
}

/* Cut off, not rounded: what is finite stays so. */
static inline struct bf16
bf16_of(float value)
{
	uint32_t bits = float_bits(value);

	return (struct bf16){
	    {(unsigned char)(bits >> 16 & 0xff), (unsigned char)(bits >> 24)}};
}

/* n floats and the same as bf16, to which they are cut. */
static inline void
make_bf16(float *row, size_t n, struct bf16 *halves)
{
	for (size_t i = 0; i < n; i++) {
		halves[i] = bf16_of(row[i]);
		row[i] = bf16_float(halves[i]);
	}
}

/* Any float that a row may hold: finite, or -inf. */
static inline float
random_logit_bits(uint64_t *state)
{
	float value = float_from_bits((uint32_t)random_bits(state));

	return value < INFINITY ? value : -INFINITY;
}

/*
 * A row of a random kind: spread out, full of ties, mostly banned, zeros and
 * denormals of both signs, anything at all, or all equal.
 */
static inline void
random_row(uint64_t *state, float *logits, size_t n)
{
	static const float tiny[] = {
	    0.0f, -0.0f, 0x1p-149f, -0x1p-149f, 0x1.8p-127f, -0x1.8p-127f};
	size_t kind = random_below(state, 6);
	float equal = random_normal(state, 3);

	for (size_t i = 0; i < n; i++) {
		logits[i] = random_normal(state, 3);
		if (kind == 1)
			logits[i] = (float)(int)logits[i];
		else if (kind == 2 && !one_in(state, 8))
			logits[i] = -INFINITY;
		else if (kind == 3)
			logits[i] = tiny[random_below(state, LENGTH(tiny))];
		else if (kind == 4)
			logits[i] = random_logit_bits(state);
		else if (kind == 5)
			logits[i] = equal;
	}
}

/*
 * A buffer whose last byte is the last of its page and before one that must
 * not be touched: reading or writing behind it ends the test.
 */

static inline size_t
whole_pages(size_t size)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);

	return (size + page - 1) / page * page;
}

static inline void *
guarded_new(size_t size)
{
	size_t room = whole_pages(size), guard = whole_pages(1);
	int zero = open("/dev/zero", O_RDWR);
	char *map;

	assert_true(zero >= 0);
	map = mmap(
	    NULL, room + guard, PROT_READ | PROT_WRITE, MAP_PRIVATE, zero, 0);
	close(zero);
	assert_true(map != MAP_FAILED);
	assert_int_equal(mprotect(map + room, guard, PROT_NONE), 0);
	return map + room - size;
}

static inline void
guarded_free(void *buffer, size_t size)
{
	char *map = (char *)buffer + size - whole_pages(size);

	assert_int_equal(munmap(map, whole_pages(size) + whole_pages(1)), 0);
}

/* Files. */

enum { PATH_ROOM = 4096 };

/* A new file of n bytes; its name goes to path, and the caller removes it. */
static inline void
make_file(char path[PATH_ROOM], const void *bytes, size_t n)
{
	const char *folder = getenv("TMPDIR");
	int fd;

	snprintf(path, PATH_ROOM, "%s/tokpick-test-XXXXXX",
	    folder != NULL ? folder : "/tmp");
	fd = mkstemp(path);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, bytes, n), n);
	assert_int_equal(close(fd), 0);
}

/* Where a golden vector lies: TOKPICK_VECTORS, or below the repository. */
static inline void
vector_path(char path[PATH_ROOM], const char *name)
{
	const char *folder = getenv("TOKPICK_VECTORS");

	snprintf(path, PATH_ROOM, "%s/%s",
	    folder != NULL ? folder : "tests/vectors", name);
}

/* Opened behind the header line. */
static inline FILE *
open_vectors(const char *name)
{
	char path[PATH_ROOM];
	FILE *file;
	int c;

	vector_path(path, name);
	file = fopen(path, "r");
	if (file == NULL)
		fail_msg("%s can't be read: set TOKPICK_VECTORS", path);
	while ((c = getc(file)) != '\n')
		assert_true(c != EOF);
	return file;
}

#endif
