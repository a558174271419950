/* SPDX-License-Identifier: MIT */
/* Which tokens of a model file end a text. */
#include "ends.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Files often name one id where their models use several. */
static const char *const well_known[] = {
    "<|eot_id|>", "<|eom_id|>", "<|end_of_text|>", /* Llama 3 */
    "<|im_end|>", "<|endoftext|>",                 /* ChatML, GPT-2 */
    "<|end|>", "<|return|>", "<|call|>",           /* Phi-3, gpt-oss */
    "<end_of_turn>", "<turn|>", "<eos>",           /* Gemma */
    "</s>",                                        /* SentencePiece's */
    "<EOT>", "_<EOT>",                             /* Code Llama and kin */
    "[EOT]", "[EOS]",                              /* Kimi */
    "<|flush|>", "<|calls|>",                      /* Solar */
    "<end_of_utterance>",                          /* SmolVLM */
    "<\uff5cend\u2581of\u2581sentence\uff5c>",     /* DeepSeek */
};

static bool
is_well_known(enum token_type type, const char *text, size_t n)
{
	if (type != TOKEN_CONTROL && type != TOKEN_USER_DEFINED)
		return false;
	for (size_t i = 0; i < sizeof(well_known) / sizeof(well_known[0]); i++)
		if (n == strlen(well_known[i]) &&
		    memcmp(text, well_known[i], n) == 0)
			return true;
	return false;
}

/* In its place, once; from the end, where nearly all come. */
static bool
add(struct gguf *g, uint32_t id, struct error *err)
{
	uint32_t *larger;
	size_t i = g->n_ends;

	while (i > 0 && g->ends[i - 1] > id)
		i--;
	if (i > 0 && g->ends[i - 1] == id)
		return true;
	larger = realloc(g->ends, (g->n_ends + 1) * sizeof(*larger));
	if (larger == NULL)
		return error_system(err, ENOMEM, "tokens that end a text");
	memmove(larger + i + 1, larger + i, (g->n_ends - i) * sizeof(*larger));
	larger[i] = id;
	g->ends = larger;
	g->n_ends++;
	return true;
}

bool
ends_find(struct gguf *g, struct error *err)
{
	const char *text;
	size_t n;

	for (size_t i = 0; i < GGUF_ENDS; i++)
		if (g->end_ids[i].text != NULL &&
		    !add(g, (uint32_t)g->end_ids[i].number, err))
			return false;
	if (g->texts == NULL)
		return true;
	for (uint32_t id = 0; pieces_get(g->texts, id, &text, &n); id++)
		if (is_well_known(gguf_type(g, id), text, n) &&
		    !add(g, id, err))
			return false;
	return true;
}
