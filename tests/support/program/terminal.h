/* What a person sees who runs the program on a terminal. */
#ifndef CAROM_TEST_TERMINAL_H
#define CAROM_TEST_TERMINAL_H

#include "program.h"

/* The window; 0: not told to the program. */
typedef struct window {
    unsigned short columns, rows;
} window;

/* What a shell command, in which $carom is the program, shows on standard output, to be freed:
 * lines end in "\n". Skips the test where there are no pseudo-terminals. The environment says
 * nothing of colour, characters or widths but what `variables` does ("NO_COLOR=1").
 */
char *shown_in(fixture *f, window size, const char *program, const char *variables,
               const char *command, int *status);

#endif
