/* SPDX-License-Identifier: MIT */
/* Numbers in decimal: the fewest digits that read back as the same one. */
#ifndef TOKPICK_SHORTEST_H
#define TOKPICK_SHORTEST_H

/* Room for any of them. */
enum { SHORTEST = 32 };

/*
 * The texts are JSON where the value is finite.  That of a float reads back
 * as the same one both by strtof() and by way of a double.
 */
void shortest_float(char text[SHORTEST], float);
void shortest_double(char text[SHORTEST], double);

#endif
