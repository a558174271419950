/* SPDX-License-Identifier: MIT */
/*
 * Conditions that only a mistake of this program's own could make otherwise.
 *
 * They are asked all the same, so that such a mistake ends in an error; a
 * build that records coverage takes them for what they are, since no test can
 * bring about the other case.
 */
#ifndef TOKPICK_ALWAYS_H
#define TOKPICK_ALWAYS_H

#ifdef TOKPICK_COVERAGE
#define ALWAYS(condition) (1)
#define NEVER(condition) (0)
#else
#define ALWAYS(condition) (condition)
#define NEVER(condition) (condition)
#endif

#endif
