/* SPDX-License-Identifier: MIT */
/* A binary heap of candidates with the worst at its root. */
#include "heap.h"

void
heap_sink(struct candidate *heap, size_t n, size_t i)
{
	struct candidate moving = heap[i];
	size_t child;

	while ((child = 2 * i + 1) < n) {
		if (child + 1 < n &&
		    candidate_better(&heap[child], &heap[child + 1]))
			child++;
		if (!candidate_better(&moving, &heap[child]))
			break;
		heap[i] = heap[child];
		i = child;
	}
	heap[i] = moving;
}

void
heap_make(struct candidate *heap, size_t n)
{
	for (size_t i = n / 2; i-- > 0;)
		heap_sink(heap, n, i);
}

void
heap_sort(struct candidate *heap, size_t n)
{
	struct candidate worst;

	while (n > 1) {
		worst = heap[0];
		heap[0] = heap[--n];
		heap[n] = worst;
		heap_sink(heap, n, 0);
	}
}
