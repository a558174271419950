/* SPDX-License-Identifier: MIT */
/* One row of logits, all of it as floats. */
#include "row.h"

const float *
row_floats(const struct row *row)
{
	struct bf16_row *bf16 = row->bf16;

	if (bf16 == NULL)
		return row->logits;
	if (!bf16->is_filled)
		halves_from_bf16(bf16->values->bytes, row->size, bf16->floats);
	bf16->is_filled = true;
	return bf16->floats;
}
