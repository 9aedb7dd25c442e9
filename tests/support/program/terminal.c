#define _XOPEN_SOURCE 700 /* posix_openpt */
#include "terminal.h"

#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cmocka.h>

typedef struct screen {
    int terminal;
    FILE *kept;
} screen;

/* A terminal takes little before someone reads it; the last writer's end is the end. */
static void *watch(void *context)
{
    const screen *s = context;
    char piece[4096];
    for (ssize_t length; (length = read(s->terminal, piece, sizeof piece)) > 0;) {
        for (ssize_t i = 0; i < length; i++) {
            if (piece[i] != '\r') {
                fputc(piece[i], s->kept);
            }
        }
    }
    return NULL;
}

static int open_terminal(window size, int *own)
{
    int terminal = posix_openpt(O_RDWR | O_NOCTTY);
    if (terminal < 0) {
        print_message("skipped: this system has no pseudo-terminals\n");
        skip();
    }
    assert_true(grantpt(terminal) == 0 && unlockpt(terminal) == 0);
    *own = open(ptsname(terminal), O_RDWR | O_NOCTTY);
    assert_true(*own >= 0);
    const struct winsize wanted = {.ws_col = size.columns, .ws_row = size.rows};
    assert_int_equal(ioctl(*own, TIOCSWINSZ, &wanted), 0);
    return terminal;
}

char *shown_in(fixture *f, window size, const char *program, const char *variables,
               const char *command, int *status)
{
    char text[1024], *shown = NULL;
    size_t length = 0;
    int own;
    screen s = {.terminal = open_terminal(size, &own), .kept = open_memstream(&shown, &length)};
    pthread_t reader;
    assert_non_null(s.kept);
    assert_int_equal(pthread_create(&reader, NULL, watch, &s), 0);
    snprintf(text, sizeof text,
             "unset NO_COLOR COLUMNS LINES LC_ALL LC_CTYPE LANG; TERM=xterm; export TERM; "
             "export %s; ( %s ) >%s",
             variables, command, ptsname(s.terminal));
    *status = shell_with(f, program, text);
    close(own);
    pthread_join(reader, NULL);
    close(s.terminal);
    fclose(s.kept);
    return shown;
}
