/* SPDX-License-Identifier: MIT */
/* A state out of its file. */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fnv.h"
#include "hex.h"
#include "input/slurp.h"
#include "state.h"

static const char header[] = "tokpick state ";

/* A sampler remembers a few things; each is compared with the others. */
enum { MOST_MEMORIES = 64 };

/* What a line begins with. */
enum key {
	KEY_VERSION,
	KEY_SETTING,
	KEY_SAMPLER,
	KEY_PROMPT,
	KEY_TOKENS,
	KEY_ROWS,
	KEY_WINDOW,
	KEY_IDS,
	KEY_COUNTS,
	KEY_END,
	KEYS,
};

/* once: there is one such line, no fewer and no more. */
static const struct {
	const char *name;
	bool once;
} keys[KEYS] = {
    [KEY_VERSION] = {"version", true},
    [KEY_SETTING] = {"setting", false},
    [KEY_SAMPLER] = {"sampler", false},
    [KEY_PROMPT] = {"prompt", true},
    [KEY_TOKENS] = {"tokens", true},
    [KEY_ROWS] = {"rows", true},
    [KEY_WINDOW] = {"window", true},
    [KEY_IDS] = {"ids", false},
    [KEY_COUNTS] = {"counts", false},
    [KEY_END] = {"end", true},
};

struct reader {
	const char *file;
	char *at;        /* behind the line at hand */
	const char *end; /* of the text */
	size_t line;     /* its number */
	uint64_t sum;    /* of the lines so far … */
	uint64_t before; /* … without the one at hand */
	bool seen[KEYS];
	struct state *state;
	uint64_t promised; /* ids, by the window line */
	uint64_t counted;  /* sum of the counts */
	struct error *err;
};

/* Always false. */
static bool bad(struct reader *, const char *, ...) MESSAGE_FORMAT(2, 3);

static bool
bad(struct reader *r, const char *format, ...)
{
	char what[512];
	va_list args;

	va_start(args, format);
	vsnprintf(what, sizeof(what), format, args);
	va_end(args);
	return error_set(
	    r->err, STATUS_FAILED, "%s: line %zu: %s", r->file, r->line, what);
}

/* The next line, its end made a NUL; NULL and err if it has none. */
static char *
next_line(struct reader *r)
{
	char *line = r->at, *end;
	size_t left = (size_t)(r->end - line);

	r->line++;
	end = memchr(line, '\n', left);
	if (end == NULL) {
		bad(r, "the file is cut off: it has no line 'end'");
		return NULL;
	}
	if (memchr(line, '\0', (size_t)(end - line)) != NULL) {
		bad(r, "a NUL byte: the file is damaged");
		return NULL;
	}
	r->at = end + 1;
	r->before = r->sum;
	r->sum = fnv_bytes(r->sum, line, (size_t)(r->at - line));
	*end = '\0';
	return line;
}

/* Cut a text behind its first word; returns what follows the blank. */
static char *
cut_word(char *text)
{
	text += strcspn(text, " ");
	if (*text == ' ')
		*text++ = '\0';
	return text;
}

/* The digits at *at, which is moved behind them.  No sign, no blank. */
static bool
take_digits(char **at, uint64_t most, uint64_t *number)
{
	char *digit = *at;

	*number = 0;
	for (; *digit >= '0' && *digit <= '9'; digit++) {
		if (*number > (UINT64_MAX - 9) / 10)
			return false;
		*number = 10 * *number + (uint64_t)(*digit - '0');
	}
	if (digit == *at || *number > most)
		return false;
	*at = digit;
	return true;
}

static bool
take_number(struct reader *r, char *text, uint64_t *number)
{
	char *at = text;

	if (take_digits(&at, STATE_MOST, number) && *at == '\0')
		return true;
	return bad(r, "'%.40s' is no count of 0 to 2^53", text);
}

/* Turn each \xNN into its byte, in place. */
static bool
unescape(struct reader *r, char *text)
{
	char *to = text;
	int byte;

	for (; *text != '\0'; text++) {
		*to = *text;
		if (*text == '\\') {
			byte = text[1] == 'x' ? hex_byte(text + 2) : -1;
			if (byte <= 0)
				return bad(r,
				    "a backslash without xNN, 01 "
				    "to ff, behind it");
			*to = (char)byte;
			text += 3;
		}
		to++;
	}
	*to = '\0';
	return true;
}

static bool
take_pair(struct reader *r, struct pairs *pairs, char *text)
{
	char *value = cut_word(text);

	if (*text == '\0')
		return bad(r, "a name is missing");
	return unescape(r, value) &&
	    pairs_add(pairs, text, value, r->line, r->err);
}

static bool
take_memory(struct reader *r, char *text)
{
	struct pairs *memory = &r->state->memory;
	size_t length = strcspn(text, " ");
	const char *name;

	if (memory->size == MOST_MEMORIES)
		return bad(r, "more than %d memories", MOST_MEMORIES);
	for (size_t i = 0; i < memory->size; i++) {
		name = memory->list[i].name;
		if (strlen(name) == length && memcmp(name, text, length) == 0)
			return bad(r, "sampler %s again: line %zu has it", name,
			    memory->list[i].line);
	}
	return take_pair(r, memory, text);
}

/* An id takes two bytes of the file at least: memory is taken for no more. */
static bool
take_window(struct reader *r, char *text)
{
	size_t most = (size_t)(r->end - r->at) / 2 + 1;
	struct state *s = r->state;
	char *number = cut_word(text);

	s->counted = strcmp(text, "counts") == 0;
	if (!s->counted && strcmp(text, "ids") != 0)
		return bad(
		    r, "a window is 'ids' or 'counts', not '%.40s'", text);
	if (!take_number(r, number, &r->promised))
		return false;
	if (r->promised > most)
		return bad(r,
		    "%" PRIu64 " ids: what follows has no room for "
		    "them",
		    r->promised);
	s->ids = calloc((size_t)r->promised + 1, sizeof(*s->ids));
	if (s->counted)
		s->counts = calloc((size_t)r->promised + 1, sizeof(*s->counts));
	if (s->ids == NULL || (s->counted && s->counts == NULL))
		return error_system(r->err, ENOMEM, "%s: %" PRIu64 " ids",
		    r->file, r->promised);
	return true;
}

/* Ids that are counted lie in the vocabulary, which is a setting. */
static uint64_t
vocabulary(const struct reader *r)
{
	const struct pair *p = pairs_find(&r->state->settings, "vocab");
	uint64_t vocab = 0;
	char *at;

	if (p == NULL)
		return 0;
	at = p->value;
	return take_digits(&at, INT32_MAX, &vocab) && *at == '\0' ? vocab : 0;
}

static bool
take_count(struct reader *r, char **at, uint64_t id, uint64_t vocab)
{
	struct state *s = r->state;
	uint64_t count;

	if (**at != ':' || (++*at, !take_digits(at, UINT32_MAX, &count)) ||
	    count == 0)
		return bad(r,
		    "id %" PRIu64 " wants a count of 1 to %" PRIu32
		    " behind a colon",
		    id, UINT32_MAX);
	if (id >= vocab)
		return bad(r, "id %" PRIu64 " is outside the vocabulary", id);
	if (s->n_ids > 0 && id <= s->ids[s->n_ids - 1])
		return bad(r,
		    "id %" PRIu64 " after %" PRIu32 ": they have to ascend", id,
		    s->ids[s->n_ids - 1]);
	s->counts[s->n_ids] = (uint32_t)count;
	r->counted += count;
	return true;
}

/* A line of ids or of counts: blanks between them. */
static bool
take_ids(struct reader *r, char *at, bool counts)
{
	uint64_t id, vocab = counts ? vocabulary(r) : 0;
	struct state *s = r->state;

	if (!r->seen[KEY_WINDOW] || s->counted != counts)
		return bad(r, "no line 'window %s' before it",
		    counts ? "counts" : "ids");
	for (;; at++) {
		if (!take_digits(&at, INT32_MAX, &id))
			return bad(
			    r, "'%.40s' is no id of 0 to %d", at, INT32_MAX);
		if (s->n_ids == r->promised)
			return bad(r,
			    "more than the %" PRIu64 " ids of the window",
			    r->promised);
		if (counts && !take_count(r, &at, id, vocab))
			return false;
		s->ids[s->n_ids++] = (uint32_t)id;
		if (*at == '\0')
			return true;
		if (*at != ' ')
			return bad(r, "'%.40s' where a blank is wanted", at);
	}
}

/* The last line: the sum, and do the lines make up a state? */
static bool
take_end(struct reader *r, const char *text)
{
	const struct state *s = r->state;
	uint64_t joined = s->prompt + s->tokens;
	char sum[17];

	snprintf(sum, sizeof(sum), "%016" PRIx64, r->before);
	if (strcmp(sum, text) != 0)
		return bad(r,
		    "the checksum of the lines is %s, not '%.40s': "
		    "the file is damaged",
		    sum, text);
	if (r->at != r->end)
		return bad(r, "it is not the last one");
	for (int i = 0; i < KEYS; i++)
		if (keys[i].once && !r->seen[i])
			return bad(
			    r, "there is no line '%s' before it", keys[i].name);
	if (s->n_ids != r->promised)
		return bad(r, "the window has %zu ids instead of %" PRIu64,
		    s->n_ids, r->promised);
	if ((s->counted ? r->counted : s->n_ids) > joined)
		return bad(r,
		    "the window has more ids than the %" PRIu64
		    " of prompt and tokens",
		    joined);
	return true;
}

static bool
take_value(struct reader *r, enum key key, char *text)
{
	struct state *s = r->state;

	switch (key) {
	case KEY_SETTING:
		return take_pair(r, &s->settings, text);
	case KEY_SAMPLER:
		return take_memory(r, text);
	case KEY_PROMPT:
		return take_number(r, text, &s->prompt);
	case KEY_TOKENS:
		return take_number(r, text, &s->tokens);
	case KEY_ROWS:
		return take_number(r, text, &s->rows);
	case KEY_WINDOW:
		return take_window(r, text);
	case KEY_IDS:
	case KEY_COUNTS:
		return take_ids(r, text, key == KEY_COUNTS);
	case KEY_END:
		return take_end(r, text);
	default: /* the version, for people */
		return true;
	}
}

static bool
take_line(struct reader *r, char *line)
{
	char *text = cut_word(line);
	int key;

	for (key = 0; key < KEYS; key++)
		if (strcmp(keys[key].name, line) == 0)
			break;
	if (key == KEYS)
		return bad(r, "'%.40s' is no word of this format", line);
	if (keys[key].once && r->seen[key])
		return bad(r, "'%s' for the second time", line);
	r->seen[key] = true;
	return take_value(r, (enum key)key, text);
}

static bool
read_lines(struct reader *r)
{
	char *line;

	if ((size_t)(r->end - r->at) < sizeof(header) - 1 ||
	    memcmp(r->at, header, sizeof(header) - 1) != 0) {
		r->line = 1;
		return bad(r,
		    "no state of tokpick: it would begin with "
		    "'%s" STATE_FORMAT "'",
		    header);
	}
	line = next_line(r);
	if (line == NULL)
		return false;
	line += sizeof(header) - 1;
	if (strcmp(line, STATE_FORMAT) != 0)
		return bad(r,
		    "a state in format '%.40s': this tokpick reads "
		    "format " STATE_FORMAT,
		    line);
	while (!r->seen[KEY_END]) {
		line = next_line(r);
		if (line == NULL || !take_line(r, line))
			return false;
	}
	return true;
}

struct state *
state_read(const char *file, struct error *err)
{
	struct reader r = {.file = file, .sum = FNV_BEGIN, .err = err};
	size_t size;
	char *text;
	bool good;

	text = slurp(file, &size, err);
	if (text == NULL)
		return NULL;
	r.at = text;
	r.end = text + size;
	r.state = state_new(file, err);
	good = r.state != NULL && read_lines(&r);
	free(text);
	if (good)
		return r.state;
	state_free(r.state);
	return NULL;
}
