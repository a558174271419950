/* SPDX-License-Identifier: MIT */
/* A saved state that is not as it was written is refused, by its line. */
#include "saving.h"

/* Refused, with a message that begins with the file and a line. */
static void
assert_refused(const char *path, const char *what, size_t at)
{
	struct error err;
	struct state *s = state_read(path, &err);
	size_t n = strlen(path);

	if (s != NULL)
		fail_msg("%s at byte %zu: it was read", what, at);
	assert_int_equal(err.status, STATUS_FAILED);
	if (strncmp(err.text, path, n) != 0 ||
	    strncmp(err.text + n, ": line ", 7) != 0)
		fail_msg("%s at byte %zu: %s", what, at, err.text);
}

static size_t
write_random(uint64_t *seed, const char *path, char text[TEXT_ROOM])
{
	struct state *s = random_state(seed, path);
	struct error err;

	assert_true(state_write(s, "1", &err));
	state_free(s);
	return get_bytes(path, text);
}

static void
every_truncation_is_refused(void **unused)
{
	char path[PATH_ROOM], text[TEXT_ROOM];
	uint64_t seed = 2;
	size_t n;

	(void)unused;
	new_path(path);
	for (size_t round = 0; round < scaled(4); round++) {
		n = write_random(&seed, path, text);
		for (size_t at = n; at-- > 0;) {
			assert_int_equal(truncate(path, (off_t)at), 0);
			assert_refused(path, "cut off", at);
		}
	}
	unlink(path);
}

static void
every_changed_byte_is_refused(void **unused)
{
	static const char others[8] = "\n 0a:\\\xff";
	char path[PATH_ROOM], text[TEXT_ROOM], byte;
	uint64_t seed = 3;
	size_t n;
	int fd;

	(void)unused;
	new_path(path);
	n = write_random(&seed, path, text);
	fd = open(path, O_WRONLY);
	assert_true(fd >= 0);
	for (size_t at = 0; at < n; at++) {
		for (size_t i = 0; i < 16; i++) {
			byte = others[i % 8];
			if (i < 8)
				byte = (char)((unsigned)text[at] ^ 1U << i);
			if (byte == text[at])
				continue;
			assert_int_equal(pwrite(fd, &byte, 1, (off_t)at), 1);
			assert_refused(path, "changed", at);
		}
		assert_int_equal(pwrite(fd, &text[at], 1, (off_t)at), 1);
	}
	close(fd);
	unlink(path);
}

static void
every_lost_or_doubled_byte_is_refused(void **unused)
{
	char path[PATH_ROOM], text[TEXT_ROOM], other[TEXT_ROOM];
	uint64_t seed = 4;
	size_t n;

	(void)unused;
	new_path(path);
	n = write_random(&seed, path, text);
	for (size_t at = 0; at < n; at++) {
		memcpy(other, text, at);
		memcpy(other + at, text + at + 1, n - at - 1);
		put_bytes(path, other, n - 1);
		assert_refused(path, "lost", at);
		memcpy(other, text, at + 1);
		memcpy(other + at + 1, text + at, n - at);
		put_bytes(path, other, n + 1);
		assert_refused(path, "doubled", at);
	}
	unlink(path);
}

#define HEAD "tokpick state 1\nversion 1\nsetting vocab 9\n"
#define TAIL "prompt 1\ntokens 4\nrows 4\n"

/* The last line is right: each is refused for another reason. */
static const struct {
	const char *lines;
	const char *message; /* behind "line " */
} faults[] = {
    {"", "1: no state of tokpick: it would begin with 'tokpick state 1'"},
    {"tokpick state\n", "1: no state"},
    {"tokpick state 2\n" TAIL,
        "1: a state in format '2': this tokpick reads "
        "format 1"},
    {"tokpick state 1 \n", "1: a state in format '1 '"},
    {"tokpick state \n", "1: a state in format ''"},
    {HEAD "colour red\n" TAIL, "4: 'colour' is no word of this format"},
    {HEAD "\n" TAIL, "4: '' is no word"},
    {HEAD " prompt 1\n" TAIL, "4: '' is no word"},
    {HEAD TAIL TAIL, "7: 'prompt' for the second time"},
    {HEAD TAIL "version 1\n", "7: 'version' for the second time"},
    {HEAD TAIL "window ids 0\nwindow ids 0\n", "8: 'window' for the second"},
    {HEAD "sampler rng 1\nsampler x 1\nsampler rng 2\n" TAIL,
        "6: sampler rng again: line 4 has it"},
    {HEAD "sampler  1\n" TAIL, "4: a name is missing"},
    {HEAD "setting\n" TAIL, "4: a name is missing"},
    {HEAD "setting a \\\n" TAIL, "4: a backslash without xNN"},
    {HEAD "setting a \\x1\n" TAIL, "4: a backslash without xNN"},
    {HEAD "setting a \\x00\n" TAIL, "4: a backslash without xNN"},
    {HEAD "setting a \\x1G\n" TAIL, "4: a backslash without xNN"},
    {HEAD "prompt 1\n", "5: there is no line 'tokens' before it"},
    {HEAD TAIL, "7: there is no line 'window' before it"},
    {"tokpick state 1\n" TAIL "window ids 0\n",
        "6: there is no line 'version' before it"},
    {HEAD "prompt -1\n", "4: '-1' is no count of 0 to 2^53"},
    {HEAD "prompt\n", "4: '' is no count"},
    {HEAD "prompt 1 \n", "4: '1 ' is no count"},
    {HEAD "prompt 0x1\n", "4: '0x1' is no count"},
    {HEAD "prompt 9007199254740993\n", "4: '9007199254740993' is no count"},
    {HEAD "prompt 18446744073709551617\n", "4: '18446744073709551617' is no"},
    {HEAD TAIL "window\n", "7: a window is 'ids' or 'counts', not ''"},
    {HEAD TAIL "window all 1\n", "7: a window is 'ids' or 'counts'"},
    {HEAD TAIL "window ids\n", "7: '' is no count"},
    {HEAD TAIL "window ids 9007199254740992\n",
        "7: 9007199254740992 ids: what follows has no room for them"},
    {HEAD TAIL "window ids 100\nids 1\n", "7: 100 ids: what follows has no"},
    {HEAD TAIL "ids 1\nwindow ids 1\n", "7: no line 'window ids' before it"},
    {HEAD TAIL "window counts 1\nids 1\n", "8: no line 'window ids' before"},
    {HEAD TAIL "window ids 1\ncounts 1:1\n", "8: no line 'window counts'"},
    {HEAD TAIL "window ids 1\nids 1 2\n", "8: more than the 1 ids of the"},
    {HEAD TAIL "window ids 3\nids 1 2\n",
        "9: the window has 2 ids instead "
        "of 3"},
    {HEAD TAIL "window ids 1\nids 2147483648\n",
        "8: '2147483648' is no id of 0 to 2147483647"},
    {HEAD TAIL "window ids 1\nids -1\n", "8: '-1' is no id"},
    {HEAD TAIL "window ids 1\nids \n", "8: '' is no id"},
    {HEAD TAIL "window ids 2\nids 1  2\n", "8: ' 2' is no id"},
    {HEAD TAIL "window ids 2\nids 1,2\n", "8: ',2' where a blank is wanted"},
    {HEAD TAIL "window ids 2\nids 1 2 \n", "8: '' is no id"},
    {HEAD TAIL "window ids 6\nids 1 2 3 4 5 6\n",
        "9: the window has more ids than the 5 of prompt and tokens"},
    {HEAD TAIL "window counts 1\ncounts 1\n", "8: id 1 wants a count of 1 to"},
    {HEAD TAIL "window counts 1\ncounts 1:0\n", "8: id 1 wants a count"},
    {HEAD TAIL "window counts 1\ncounts 1:4294967296\n", "8: id 1 wants a"},
    {HEAD TAIL "window counts 1\ncounts 9:1\n",
        "8: id 9 is outside the vocabulary"},
    {"tokpick state 1\nversion 1\n" TAIL "window counts 1\ncounts 0:1\n",
        "7: id 0 is outside the vocabulary"},
    {HEAD TAIL "window counts 2\ncounts 4:1 4:1\n",
        "8: id 4 after 4: they have to ascend"},
    {HEAD TAIL "window counts 2\ncounts 4:1\ncounts 3:1\n", "9: id 3 after 4"},
    {HEAD TAIL "window counts 2\ncounts 4:3 5:3\n",
        "9: the window has more ids than the 5 of prompt and tokens"},
    {HEAD TAIL "window ids 0\nend 0123456789abcdef\n",
        "8: the checksum of the lines is "},
    {HEAD TAIL "window ids 0\nend\n", "8: the checksum of the lines is "},
};

static void
what_cannot_be_is_refused_by_its_line(void **unused)
{
	char path[PATH_ROOM], *line;
	struct error err;

	(void)unused;
	new_path(path);
	for (size_t i = 0; i < LENGTH(faults); i++) {
		put_lines(path, faults[i].lines, strlen(faults[i].lines));
		assert_null(state_read(path, &err));
		assert_int_equal(err.status, STATUS_FAILED);
		line = strstr(err.text, ": line ");
		if (line == NULL ||
		    strncmp(line + 7, faults[i].message,
		        strlen(faults[i].message)) != 0)
			fail_msg(
			    "wanted %s, got %s", faults[i].message, err.text);
	}
	unlink(path);
}

/* So many memories, and the line of the one that is too many, if one is. */
static void
check_memories(const char *path, size_t n, const char *message)
{
	char lines[8192] = HEAD;
	size_t size = strlen(lines);
	struct error err = {STATUS_DONE, ""};
	struct state *s;

	for (size_t i = 0; i < n; i++)
		size += (size_t)snprintf(lines + size, sizeof(lines) - size,
		    "sampler memory-%zu 1\n", i);
	size += (size_t)snprintf(
	    lines + size, sizeof(lines) - size, TAIL "window ids 0\n");
	put_lines(path, lines, size);
	s = state_read(path, &err);
	assert_int_equal(s != NULL, message == NULL);
	if (message != NULL)
		assert_non_null(strstr(err.text, message));
	state_free(s);
}

static void
memories_are_few(void **unused)
{
	char path[PATH_ROOM];

	(void)unused;
	new_path(path);
	check_memories(path, 64, NULL);
	check_memories(path, 65, ": line 68: more than 64 memories");
	unlink(path);
}

static void
nothing_may_follow_the_last_line(void **unused)
{
	static const char lines[] = HEAD TAIL "window ids 0\n";
	char path[PATH_ROOM], text[TEXT_ROOM];
	struct state *s;
	struct error err;
	size_t n;

	(void)unused;
	new_path(path);
	put_lines(path, lines, strlen(lines));
	s = state_read(path, &err);
	assert_non_null(s);
	state_free(s);
	n = get_bytes(path, text);
	text[n] = '\n';
	put_bytes(path, text, n + 1);
	assert_refused(path, "more behind the end", n);
	unlink(path);
}

/* One word, number or byte of a good state becomes another. */
static void
spoil(uint64_t *seed, char *lines, size_t *n)
{
	static const char *const words[] = {"9007199254740992", "-1", "ids",
	    "counts 1:1", "window ids 3", "\n", "setting", " ", "\\", "end",
	    ":", "4294967296", ""};
	const char *word = words[random_below(seed, LENGTH(words))];
	size_t at = random_below(seed, *n), cut = random_below(seed, 6);

	if (one_in(seed, 3)) {
		lines[at] = (char)random_below(seed, 256);
		return;
	}
	if (cut > *n - at)
		cut = *n - at;
	memmove(lines + at + strlen(word), lines + at + cut, *n - at - cut);
	memcpy(lines + at, word, strlen(word));
	*n += strlen(word) - cut;
}

/*
 * Whatever stands in a file, with the right checksum too: it is refused by
 * a line, or it means the same when it was written and read again.
 */
static void
no_file_does_harm(void **unused)
{
	char path[PATH_ROOM], good[TEXT_ROOM], text[TEXT_ROOM];
	struct state *s, *again;
	struct error err;
	uint64_t seed = 5;
	size_t n = 0, all = 0, read = 0;

	(void)unused;
	new_path(path);
	for (size_t i = 0; i < scaled(4000); i++) {
		/* Writing waits for the disk: not every time. */
		if (i % 100 == 0)
			all = write_random(&seed, path, good);
		n = all - strlen("end \n") - 16;
		memcpy(text, good, n);
		for (size_t k = 1 + random_below(&seed, 3); k > 0; k--)
			spoil(&seed, text, &n);
		put_lines(path, text, n);
		s = state_read(path, &err);
		if (s == NULL) {
			assert_non_null(strstr(err.text, ": line "));
			continue;
		}
		if (read++ % 20 != 0) {
			state_free(s);
			continue;
		}
		assert_true(state_write(s, "1", &err));
		again = state_read(path, &err);
		if (again == NULL)
			fail_msg("%s", err.text);
		assert_same_state(s, again);
		state_free(s);
		state_free(again);
	}
	/* Values may be anything. */
	assert_true(read > 0);
	unlink(path);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(every_truncation_is_refused),
	    cmocka_unit_test(every_changed_byte_is_refused),
	    cmocka_unit_test(every_lost_or_doubled_byte_is_refused),
	    cmocka_unit_test(what_cannot_be_is_refused_by_its_line),
	    cmocka_unit_test(memories_are_few),
	    cmocka_unit_test(nothing_may_follow_the_last_line),
	    cmocka_unit_test(no_file_does_harm),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
