/* SPDX-License-Identifier: MIT */
/* The parts of a report that are the same in each: its style, its script. */
#ifndef TOKPICK_REPORT_PARTS_H
#define TOKPICK_REPORT_PARTS_H

/* The style sheet, its lines, NULL last. */
extern const char *const report_style[];

/*
 * The script: a slider through the points, whose figures it tells in words
 * and marks in the charts and the text.  Without it all the rest is there.
 */
extern const char *const report_script[];

#endif
