/* SPDX-License-Identifier: MIT */
/* What this processor can do, and the operating system lets it do. */
#include "cpu.h"

#include <stdlib.h>
#include <string.h>

#if CPU_X86 || CPU_ARM
static bool
is_off(const char *name)
{
#ifdef TOKPICK_TEST
	const char *off = getenv("TOKPICK_WITHOUT");

	return off != NULL && strstr(off, name) != NULL;
#else
	(void)name;
	return false;
#endif
}
#endif

/*
 * The compiler's test asks cpuid, and the operating system, by way of xgetbv,
 * whether it saves the wide registers.  No test can have it both ways.
 *
 * GCOVR_EXCL_BR_START
 */
bool
cpu_has(enum cpu set)
{
	switch (set) {
#if CPU_ARM
	case CPU_NEON: /* all that have 64 bits have it */
		return !is_off("neon");
#endif
#if CPU_X86
	case CPU_SSE2:
		return __builtin_cpu_supports("sse2") && !is_off("sse2");
	case CPU_AVX2:
		return __builtin_cpu_supports("avx2") && !is_off("avx2");
	case CPU_AVX512:
		return __builtin_cpu_supports("avx512f") && !is_off("avx512");
#endif
	default:
		return set == CPU_ANY;
	}
} /* GCOVR_EXCL_BR_STOP */
