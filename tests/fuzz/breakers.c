/* SPDX-License-Identifier: MIT */
/*
 * Pieces, a NUL, and a text at which dry is to stop: each breaker that comes
 * of it is a token that has the text, or tokens that make it up.
 */
#include "../../src/vocab/breakers.h"
#include "feed.h"

enum { ROOM = 256 };

static struct pieces *
read_pieces(struct feed *f)
{
	struct error err;
	struct pieces *p = pieces_new(&err);
	const uint8_t *from;

	while (f->at < f->end && *f->at != '\0') {
		from = f->at;
		while (f->at < f->end && *f->at != '\n' && *f->at != '\0')
			f->at++;
		if (p == NULL ||
		    !pieces_add(p, from, (size_t)(f->at - from), false, &err))
			abort();
		f->at += f->at < f->end && *f->at == '\n';
	}
	f->at += f->at < f->end;
	return p;
}

/* The pieces of its ids, one behind the other. */
static size_t
join(const struct pieces *p, const struct breaker *b, char *to, size_t room,
    size_t *head)
{
	const char *bytes;
	size_t n, size = 0;

	*head = 0;
	for (size_t i = 0; i < b->size; i++) {
		EXPECT(pieces_get(p, b->ids[i], &bytes, &n), "no piece");
		if (i == 0)
			*head = n;
		EXPECT(size + n <= room, "%zu bytes", size + n);
		memcpy(to + size, bytes, n);
		size += n;
	}
	return size;
}

/*
 * The text as it is written, where it has no escape: a lone token has the
 * first 40 bytes of it, several have 40 or fewer of them behind some others.
 */
static void
check(const struct pieces *p, const struct breaker *b, const char *text)
{
	static char joined[1 << 16];
	size_t head, n = join(p, b, joined, sizeof(joined), &head);
	size_t length = strlen(text);
	bool found = false;

	EXPECT(b->size > 0, "an empty breaker");
	length = length < 40 ? length : 40;
	for (size_t at = 0; at < n && !found; at++)
		found = b->size == 1
		    ? n - at >= length && memcmp(joined + at, text, length) == 0
		    : at < head && n - at <= length &&
		        memcmp(joined + at, text, n - at) == 0;
	EXPECT(found, "'%.*s' has no '%s'", (int)n, joined, text);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct feed f = {data, data + size};
	struct breaker *list = NULL;
	struct error err = {0};
	struct pieces *p = read_pieces(&f);
	size_t n = 0, length = (size_t)(f.end - f.at);
	char text[ROOM];
	bool good;

	length = length < ROOM ? length : ROOM - 1;
	if (length > 0)
		memcpy(text, f.at, length);
	text[length] = '\0';
	good = breakers_add(p, text, &list, &n, &err);
	EXPECT(good || err.text[0] != '\0', "no word about '%s'", text);
	for (size_t i = 0; i < n; i++) {
		if (good && strchr(text, '\\') == NULL)
			check(p, &list[i], text);
		free(list[i].ids);
	}
	free(list);
	pieces_free(p);
	return 0;
}
