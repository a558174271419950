/* SPDX-License-Identifier: MIT */
/* Memory for rows: whole pages, and large ones for much of it. */
#if !defined(_DEFAULT_SOURCE)
#define _DEFAULT_SOURCE /* madvise() */
#endif
#include "pages.h"

#include <stdlib.h>
#include <sys/mman.h>

enum { PAGE = 4096, LARGE = 2 * 1024 * 1024 };

/*
 * To be given 4 KiB at a time, at first use, takes as long as to fill them:
 * Linux has larger pages for who asks.  Whether it gives them is all one.
 */
void *
pages_new(size_t n)
{
	void *pages;

	if (n > LARGE / 2 && n < LARGE)
		n = LARGE; /* most of one, for whole rows */
	if (posix_memalign(&pages, n < LARGE ? PAGE : LARGE, n) != 0)
		return NULL;
#ifdef MADV_HUGEPAGE
	if (n >= LARGE)
		(void)madvise(pages, n, MADV_HUGEPAGE);
#endif
	return pages;
}
