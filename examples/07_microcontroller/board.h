/* What the program asks of its surroundings: a microcontroller (board_mps2.c), or the desktop that it is compared with
 * (board_host.c). */
#ifndef BOARD_H
#define BOARD_H

#include <stddef.h>
#include <stdint.h>

/* Writes a text, ended by a NUL, to whoever watches. */
void board_print(const char *text);

/* Instructions executed so far, from any beginning; always 0 if nobody counts them. */
uint32_t board_instructions(void);

/* The most bytes of stack used so far; 0 if that is not known. */
size_t board_stack(void);

#endif
