/* SPDX-License-Identifier: MIT */
/* Schemas that are refused or taken, written with ' for ". */
#ifndef TOKPICK_TEST_REFUSING_H
#define TOKPICK_TEST_REFUSING_H

#include "helper.h"

#include "../../src/schema/schema.h"

static inline char *
convert(const char *quoted, struct error *err)
{
	char text[1000];
	size_t n = strlen(quoted);

	assert_true(n < sizeof(text));
	for (size_t i = 0; i < n; i++)
		text[i] = (char)(quoted[i] == '\'' ? '"' : quoted[i]);
	return schema_to_gbnf(text, n, "test", err);
}

/* Refused, and the message begins so. */
static inline void
check(const char *schema, const char *message)
{
	struct error err;
	char *grammar = convert(schema, &err);

	if (grammar != NULL)
		fail_msg("%s is taken", schema);
	assert_int_equal(err.status, STATUS_USAGE);
	if (strncmp(err.text, "test: ", 6) != 0 ||
	    strstr(err.text, message) != err.text + 6)
		fail_msg("%s: %s", schema, err.text);
}

static inline void
check_taken(const char *schema)
{
	struct error err;
	char *grammar = convert(schema, &err);

	if (grammar == NULL)
		fail_msg("%s: %s", schema, err.text);
	free(grammar);
}

#endif
