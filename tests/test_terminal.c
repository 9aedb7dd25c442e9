/* What people see on a terminal: colour and bars where it can show them and nobody declined them,
 * as wide as it is.
 */
#define _XOPEN_SOURCE 700 /* posix_openpt */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "program.h"

enum { SHOWN_MOST = 1 << 14 };

/* What `carom ARGUMENTS` shows on a terminal, with these variables set before it. */
static void show(fixture *f, const char *variables, const char *arguments, char shown[SHOWN_MOST])
{
    char command[512];
    int terminal = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK);
    if (terminal < 0) {
        print_message("skipped: this system has no pseudo-terminals\n");
        skip();
    }
    assert_true(grantpt(terminal) == 0 && unlockpt(terminal) == 0);
    const char *name = ptsname(terminal);
    int kept = open(name, O_RDWR | O_NOCTTY); /* or what was written is lost with the last writer */
    snprintf(command, sizeof command,
             "unset NO_COLOR COLUMNS LC_ALL LC_CTYPE LANG; TERM=xterm; export TERM; export %s; "
             "$carom %s >%s",
             variables, arguments, name);
    assert_int_equal(shell_with(f, CAROM_PROGRAM, command), 0);
    ssize_t length = read(terminal, shown, SHOWN_MOST - 1);
    shown[length > 0 ? length : 0] = '\0';
    close(kept);
    close(terminal);
}

/* The longest line of the table: those that tell of a ball. Notes are sentences of any length. */
static size_t widest(char *shown)
{
    size_t most = 0;
    for (char *line = strtok(shown, "\r\n"); line != NULL; line = strtok(NULL, "\r\n")) {
        if (strncmp(line, "  ball", 6) == 0 && strlen(line) > most) {
            most = strlen(line);
        }
    }
    return most;
}

static const char scenario[] = "laws: [lzb, moreau]\nchain: {count: 3, velocity: [1]}\n";
static const char ESCAPE[] = "\x1b[", BAR[] = "\xe2\x96";

static void colour_and_bars_are_shown(void **state)
{
    fixture *f = *state;
    char shown[SHOWN_MOST];
    put_file(f, "a.yaml", scenario);
    show(f, "LANG=C.UTF-8", "solve a.yaml", shown);
    assert_non_null(strstr(shown, ESCAPE));
    assert_non_null(strstr(shown, BAR));
    show(f, "LC_ALL=C LANG=C.UTF-8", "solve a.yaml", shown); /* the first that is set counts */
    assert_non_null(strstr(shown, ESCAPE));
    assert_null(strstr(shown, BAR));
}

static void colour_can_be_declined(void **state)
{
    fixture *f = *state;
    char shown[SHOWN_MOST];
    put_file(f, "a.yaml", scenario);
    show(f, "NO_COLOR=1 LC_CTYPE=en_US.utf8", "solve a.yaml", shown);
    assert_non_null(strstr(shown, "lzb"));
    assert_null(strstr(shown, ESCAPE));
    assert_non_null(strstr(shown, BAR));
    show(f, "TERM=dumb LANG=C.UTF-8", "solve a.yaml", shown);
    assert_non_null(strstr(shown, "lzb"));
    assert_null(strstr(shown, ESCAPE));
    assert_null(strstr(shown, BAR));
}

static void files_and_pipes_have_neither(void **state)
{
    fixture *f = *state;
    put_file(f, "a.yaml", scenario);
    assert_int_equal(shell_with(f, CAROM_PROGRAM, "TERM=xterm LANG=C.UTF-8 $carom solve a.yaml"),
                     0);
    assert_null(strstr(f->out, ESCAPE));
}

static void the_table_is_as_wide_as_the_terminal(void **state)
{
    fixture *f = *state;
    char narrow[SHOWN_MOST], wide[SHOWN_MOST];
    put_file(f, "a.yaml",
             "laws: [lzb, moreau, binary, sequential, poisson, newton]\n"
             "chain: {count: 3, velocity: [1]}\n");
    show(f, "NO_COLOR=1 COLUMNS=60", "solve a.yaml", narrow);
    show(f, "NO_COLOR=1 COLUMNS=200", "solve a.yaml", wide);
    assert_in_range(widest(narrow), 20, 60);
    assert_in_range(widest(wide), 61, 200);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(colour_and_bars_are_shown),
        TEST(colour_can_be_declined),
        TEST(files_and_pipes_have_neither),
        TEST(the_table_is_as_wide_as_the_terminal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
